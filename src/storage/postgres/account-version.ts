/**
 * The version of accounts and keys, at hand without a wait: kept by notices, and by asking once a
 * second in case they are lost. So a write of another replica is known within milliseconds, and
 * within `POLL_MS` and the answer's own time when no notice comes.
 */
import type { Pool } from "./pool.ts";
import type { Time } from "#storage/time.ts";

export type AccountVersion = {
  /** Throws once the store has not been heard of for `SILENCE_MS`. */
  get(): number;
  isLost(): boolean;
  /** By notice; null: ask. */
  hear(payload: string | null): void;
  /** Asks now. false: the store did not answer. */
  look(): Promise<boolean>;
  /** Asks every `POLL_MS` from now on. */
  start(): void;
  close(): void;
};

const POLL_MS = 1_000;
const SILENCE_MS = 2_000;

const ASK = "SELECT version FROM account_version";

/** `onFault` hears once of each silence. */
export function createAccountVersion(
  pool: Pick<Pool, "query">,
  { time, onFault }: { time: Time; onFault: (error: unknown) => void },
): AccountVersion {
  let version: number | null = null;
  let heard_ms = Number.NEGATIVE_INFINITY;
  let notices = 0;
  let failing = false;
  let closed = false;
  let cancel = (): void => undefined;

  const isLost = (): boolean => time.now() - heard_ms > SILENCE_MS;

  async function look(): Promise<boolean> {
    const begun = { at_ms: time.now(), notices };
    try {
      const [row] = await pool.query<{ version: number }>(ASK, []);
      // An answer on its way while a notice came may be of before it.
      if (notices === begun.notices) version = row!.version;
    } catch (error) {
      if (!failing && !closed) onFault(error);
      failing = true;
      return false;
    }
    // What it tells was so when it was asked, and not when it came.
    heard_ms = Math.max(heard_ms, begun.at_ms);
    failing = false;
    return true;
  }
  async function poll(): Promise<void> {
    await look();
    if (!closed) cancel = time.schedule(time.now() + POLL_MS, poll);
  }
  return {
    isLost,
    look,
    get() {
      if (version === null || isLost()) throw new Error("nothing is heard of the key store");
      return version;
    },
    hear(payload) {
      if (payload === null) return void look();
      notices += 1;
      version = Number(payload);
      heard_ms = time.now();
    },
    start() {
      cancel = time.schedule(time.now() + POLL_MS, poll);
    },
    close() {
      closed = true;
      cancel();
    },
  };
}
