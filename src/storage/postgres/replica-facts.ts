/**
 * What each replica says of itself to the others where PostgreSQL is all that they share: by notices
 * (notices.ts), so that no table is needed. Each replica receives its own notice as well, which proves
 * that it would have received those of the others.
 */
import type { OtherTexts, ReplicaTexts } from "#ports/replica-texts.ts";
import type { Time } from "#storage/store-time.ts";
import { attemptQuery } from "./attempt.ts";
import { schemaOf, type StoreMode } from "./driver.ts";
import type { StoreNotices } from "./postgres-notices.ts";
import type { Pool } from "./pool.ts";

/** As long as the exchange over Valkey keeps them. */
const LIFE_MS = 60_000;
const ECHO_MS = 2_000;
const CHANNEL = "replicas";

export type ReplicaFactsDeps = {
  pool: Pick<Pool, "query" | "noteDefect">;
  notices: Pick<StoreNotices, "listen">;
  mode: StoreMode;
  time: Time;
  /** Of this replica, different in each, without a space. */
  id: string;
};

export class PostgresReplicaFacts implements ReplicaTexts {
  readonly #deps: ReplicaFactsDeps;
  readonly #others = new Map<string, { text: string; at_ms: number }>();
  #onEcho: () => void = () => undefined;

  constructor(deps: ReplicaFactsDeps) {
    this.#deps = deps;
    deps.notices.listen(CHANNEL, (payload) => {
      if (payload !== null) this.#take(payload);
    });
  }

  async report(text: string): Promise<OtherTexts | null> {
    const { time } = this.#deps;
    const { promise: echo, resolve } = Promise.withResolvers<boolean>();
    this.#onEcho = () => resolve(true);
    const cancel = time.schedule(time.now() + ECHO_MS, () => resolve(false));
    const isReceived = (await this.#say(text)) && (await echo);
    cancel();
    if (!isReceived) return null;
    const now_ms = time.now();
    for (const [id, { at_ms }] of this.#others)
      if (now_ms - at_ms > LIFE_MS) this.#others.delete(id);
    return new Map([...this.#others].map(([id, other]) => [id, other.text]));
  }

  /** Takes back what was said: a replica that has ended differs from nothing. */
  async withdraw(): Promise<void> {
    await this.#say("");
  }

  async #say(text: string): Promise<boolean> {
    const { pool, mode, id } = this.#deps;
    const channel = `${schemaOf(mode)}_${CHANNEL}`;
    const values = [channel, `${id} ${text}`];
    const reported = await attemptQuery(pool, () => pool.query("SELECT pg_notify($1, $2)", values));
    return reported !== null;
  }

  #take(payload: string): void {
    const { id: own_id, time } = this.#deps;
    const [, id = "", text = ""] = /^(\S+) (.*)$/s.exec(payload) ?? [];
    if (id === own_id) this.#onEcho();
    else if (text === "") this.#others.delete(id);
    else this.#others.set(id, { text, at_ms: time.now() });
  }
}
