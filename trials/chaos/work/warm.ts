/** Ready to be judged: every replica answers in full wherever it will be asked. */
import type { Asker } from "../fleet/asker.ts";
import { nowMs, sleep } from "../fleet/clock.ts";
import type { Replica } from "../fleet/replica.ts";
import { PLACES, toNearby } from "./places.ts";

const WARM_MS = 60_000;

/** Which systems these questions are about. */
export async function warm(replicas: readonly Replica[], asker: Asker): Promise<Set<string>> {
  const wanted = new Set<string>();
  const until_ms = nowMs() + WARM_MS;
  for (const { url } of replicas)
    for (const place of Object.values(PLACES))
      for (;;) {
        const { text } = await asker.ask(url + toNearby(place, "&limit=1&debug=true"));
        const body = JSON.parse(text.startsWith("{") ? text : "{}") as Body;
        if (body.status === "success") {
          for (const { source_id } of body.debug?.sources ?? []) wanted.add(source_id);
          break;
        }
        if (nowMs() > until_ms) throw new Error(`not warm: ${text.slice(0, 500)}`);
        await sleep(300);
      }
  return wanted;
}

type Body = { status?: string; debug?: { sources: { source_id: string }[] } };
