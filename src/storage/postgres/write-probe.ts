/**
 * Writes a row now and then: a server that answers and takes no writes, as after a failover or on a
 * full disk, is found also without traffic. Its outcome goes to the health by the pool.
 */
import type { StoreHealth } from "#storage/store-health.ts";
import type { Time } from "#storage/store-time.ts";
import { attemptQuery } from "./attempt.ts";
import type { Pool } from "./pool.ts";

const EVERY_MS = 15_000;
const AWAY_EVERY_MS = 2_000;

/** A claim that no search asks for: it has expired, and others remove it (claims.ts). */
const WRITE = `
  INSERT INTO work_claim (key, holder, expires_at)
    VALUES (decode('70726f6265', 'hex'), 'probe', clock_timestamp())
    ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at`;

export type WriteProbeDeps = {
  pool: Pick<Pool, "query" | "noteDefect">;
  health: Pick<StoreHealth, "isUp">;
  time: Time;
};

export class WriteProbe {
  readonly #deps: WriteProbeDeps;
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(deps: WriteProbeDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { time, health } = this.#deps;
    const wait_ms = health.isUp() ? EVERY_MS : AWAY_EVERY_MS;
    if (!this.#closed) this.#cancel = time.schedule(time.now() + wait_ms, () => this.#write());
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  async #write(): Promise<void> {
    const { pool } = this.#deps;
    await attemptQuery(pool, () => pool.query(WRITE, []));
    this.start();
  }
}
