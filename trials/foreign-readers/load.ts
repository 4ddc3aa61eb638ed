/** Callers of one process, and all that it acknowledged to them. */
import { createAsker } from "../chaos/fleet/asker.ts";
import { pace, type Work } from "../chaos/work/pace.ts";
import { PLACES, toNearby } from "../chaos/work/places.ts";

export const ADMIN_TOKEN = "foreign-readers-trial";

export type Service = { url: string; admin_url: string };
type NewKey = { key: string; acked: number; attempted: number };
type Stored = { kind: string; dataset_id: string; href: string };

const PARIS = toNearby(PLACES.paris, "&limit=3&debug=true");

/** What was acknowledged since the folder was made, over all processes that served it. */
export class Ledger {
  readonly keys: NewKey[] = [];
  /** `key`: of the account that may read it. */
  readonly datasets: { href: string; key: string }[] = [];
  /** Requests without a 200, by status; 0: none came, since the process was killed. */
  readonly others: Record<number, number> = {};

  noteOther(status: number | null): void {
    this.others[status ?? 0] = (this.others[status ?? 0] ?? 0) + 1;
  }

  get units(): number {
    return this.keys.reduce((sum, { acked }) => sum + acked, 0);
  }
}

const RATES = { keys: 2, datasets: 5 } as const;

/** Asks `per_s` times a second until it is stopped: most for units, some for datasets and keys. */
export function startLoad(service: Service, ledger: Ledger, per_s: number): Work {
  const asker = createAsker({ timeout_ms: 20_000 });
  const works = [
    pace(per_s - RATES.keys - RATES.datasets, (turn) => askForUnits(turn)),
    pace(RATES.datasets, (turn) => askForDataset(turn)),
    pace(RATES.keys, async () => void (await makeKey(service, ledger))),
  ];

  async function askForUnits(turn: number): Promise<void> {
    const by = ledger.keys[turn % ledger.keys.length]!;
    // What is not answered may have been counted all the same.
    by.attempted += 1;
    const { status, text } = await asker.ask(service.url + PARIS, { key: by.key });
    const units = Number(/"usage":\{"units":(\d+)/.exec(text)?.[1]);
    if (status !== 200) ledger.noteOther(status);
    else {
      by.attempted += units - 1;
      by.acked += units;
    }
  }
  async function askForDataset(turn: number): Promise<void> {
    const by = ledger.keys[turn % ledger.keys.length]!;
    // More than any search costs.
    by.attempted += 20;
    const body = toSearch(turn);
    const url = `${service.url}/v1/capabilities`;
    const { status, text } = await asker.ask(url, { method: "POST", key: by.key, body });
    if (status !== 200) return ledger.noteOther(status);
    const { observation } = JSON.parse(text) as { observation: { provenance?: Stored[] } };
    const stored = observation.provenance?.find(({ kind }) => kind === "svc_internal");
    if (stored) ledger.datasets.push({ href: stored.href, key: by.key });
  }
  return {
    async stop() {
      await Promise.all(works.map((work) => work.stop()));
      asker.close();
    },
  };
}

/** false: it was not acknowledged. */
export async function makeKey({ admin_url }: Service, ledger: Ledger): Promise<boolean> {
  const made = await fetch(`${admin_url}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ plan: "business", name: "trial" }),
  }).then(
    async (reply) => (reply.status === 201 ? ((await reply.json()) as { key: string }) : null),
    () => null,
  );
  if (made) ledger.keys.push({ key: made.key, acked: 0, attempted: 0 });
  return made !== null;
}

/** Lists what was acknowledged and is not there, by what the service itself says. */
export async function listLost({ url }: Service, ledger: Ledger): Promise<string[]> {
  const lost: string[] = [];
  const get = (path: string, key: string): Promise<Response> =>
    fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  for (const [i, { key, acked, attempted }] of ledger.keys.entries()) {
    const reply = await get("/v1/me", key);
    const used = Number(/"used":(\d+)/.exec(await reply.text())?.[1]);
    if (reply.status !== 200) lost.push(`key ${i}: ${reply.status}`);
    else if (!(used >= acked && used <= attempted))
      lost.push(`units of key ${i}: ${used}, acknowledged ${acked}, attempted ${attempted}`);
  }
  for (const { href, key } of ledger.datasets) {
    const reply = await get(href, key);
    await reply.arrayBuffer();
    if (reply.status !== 200) lost.push(`dataset ${href}: ${reply.status}`);
  }
  return lost;
}

function toSearch(turn: number): object {
  return {
    contract_version: "1.0.0",
    correlation: {
      conversation_id: "trial",
      interaction_id: "i",
      request_id: `r-${turn}-${performance.now()}`,
      parent_request_id: null,
      turn_id: null,
    },
    request: { capability: "search_mobility", args: { ...PLACES.paris, limit: 5 } },
    freshness_policy: null,
  };
}
