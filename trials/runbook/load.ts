/** Questions to each node all the time, without and with a key, and what became of them. */
import type { Asker } from "../chaos/fleet/asker.ts";
import { createAsker } from "../chaos/fleet/asker.ts";
import { nowMs, sleep } from "../chaos/fleet/clock.ts";
import { PLACES, toNearby } from "../chaos/work/places.ts";

export type CallerKind = "anonymous" | "keyed";

/** How a question ended; status null: no reply, or not in time. */
export type Outcome = {
  at_ms: number;
  node: number;
  kind: CallerKind;
  status: number | null;
  code: string | null;
};

/** Any more would be forgotten by no case: the longest one is minutes. */
const KEPT = 200_000;
const TIMEOUT_MS = 5_000;

export class Load {
  readonly outcomes: Outcome[] = [];
  readonly #asker: Asker = createAsker({ timeout_ms: TIMEOUT_MS });
  readonly #urls: readonly string[];
  readonly #key: () => string;
  readonly #pause_ms: number;
  readonly #loops: Promise<void>[] = [];
  #ended = false;

  /** `rate`: questions a second to each node, half of them with a key. */
  constructor(urls: readonly string[], how: { key: () => string; rate: number }) {
    this.#urls = urls;
    this.#key = how.key;
    this.#pause_ms = 1000 / how.rate;
  }

  start(): void {
    for (const node of this.#urls.keys()) this.#loops.push(this.#run(node));
  }

  async stop(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#loops);
    this.#asker.close();
  }

  async #run(node: number): Promise<void> {
    for (let i = 0; !this.#ended; i++) {
      const kind = i % 2 === 0 ? "anonymous" : "keyed";
      const due_ms = nowMs() + this.#pause_ms;
      // One that hangs must not hold up the next ones.
      const done = this.#ask(node, kind);
      await Promise.race([done, sleep(this.#pause_ms)]);
      await sleep(Math.max(0, due_ms - nowMs()));
    }
  }

  async #ask(node: number, kind: CallerKind): Promise<void> {
    const url = this.#urls[node]! + toNearby(PLACES.paris, "&limit=5");
    const { from_ms, status, text } = await this.#asker.ask(url, {
      key: kind === "keyed" ? this.#key() : null,
    });
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? null;
    if (this.outcomes.length >= KEPT) this.outcomes.splice(0, KEPT / 2);
    this.outcomes.push({ at_ms: from_ms, node, kind, status, code });
  }
}

/** How many ended how, such as `keyed 503 store_unavailable`, among those asked in that time. */
export function countOutcomes(
  outcomes: readonly Outcome[],
  span: { from_ms: number; to_ms: number; without?: readonly number[] },
): Map<string, number> {
  const { from_ms, to_ms, without = [] } = span;
  const counts = new Map<string, number>();
  for (const { at_ms, node, kind, status, code } of outcomes) {
    if (at_ms < from_ms || at_ms >= to_ms || without.includes(node)) continue;
    const name = `${kind} ${status ?? "no reply"}${code === null ? "" : ` ${code}`}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
