/**
 * Joins a store that may be away: connects, brings it to this version, and learns the secret of its
 * dataset ids. Until then no statement of the others is sent, since the tables may be missing. What a
 * wait does not mend (a password, a right, a newer schema) is a problem, in one line.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { toLine } from "#storage/error-line.ts";
import type { Reason } from "#storage/store-health.ts";
import { postgresFailure } from "#storage/store-reasons.ts";
import type { NoteMigration } from "#storage/store-schema.ts";
import type { Time } from "#storage/store-time.ts";
import { unavailable } from "#storage/unavailable.ts";
import { provideDatasetSecret } from "./datasets.ts";
import type { StoreMode } from "./driver.ts";
import { migrate, readSchemas } from "./migrate.ts";
import type { Pool } from "./pool.ts";

const RETRY_MS = 500;

/** `versions`: of its modules, as they are now. */
export type Joined = { kind: "joined"; secret: Uint8Array; versions: ReadonlyMap<string, number> };

export type JoinOutcome =
  | Joined
  /** It may come; `problem`: what was wrong now. */
  | { kind: "away"; reason: Reason; problem: string }
  | { kind: "problem"; problem: string };

/** `onMigrated`: called with what was migrated; `onMade`: when an empty database got its tables. */
type How = { mode: StoreMode; onMigrated?: NoteMigration; onMade?: () => void };

/** A pool that sends nothing before it is opened. */
export type Entrance = { pool: Pool; open(): void };

export function createEntrance(pool: Pool): Entrance {
  let isOpen = false;
  const refuse = (): Promise<never> =>
    Promise.reject(unavailable("the store has not been reached yet"));
  return {
    pool: {
      ...pool,
      query: (text, values) => (isOpen ? pool.query(text, values) : refuse()),
      transact: (task, options) => (isOpen ? pool.transact(task, options) : refuse()),
    },
    open() {
      isOpen = true;
    },
  };
}

/** Tries once. */
export async function tryToJoin(pool: Pool, how: How): Promise<JoinOutcome> {
  try {
    const problem = await migrate(pool, how);
    if (problem !== null) return { kind: "problem", problem };
    const versions = (await readSchemas(pool.query, how.mode)) ?? new Map<string, number>();
    return { kind: "joined", secret: await provideDatasetSecret(pool), versions };
  } catch (error) {
    const problem = toLine(error);
    if (isSettled(error)) return { kind: "problem", problem };
    return { kind: "away", reason: postgresFailure(error)?.reason ?? "unreachable", problem };
  }
}

/** Tries for a while; `problem` at once. */
export async function joinStore(
  pool: Pool,
  how: How,
  { time, wait_ms }: { time: Pick<Time, "now">; wait_ms: number },
): Promise<JoinOutcome> {
  const until_ms = time.now() + wait_ms;
  for (;;) {
    const outcome = await tryToJoin(pool, how);
    if (outcome.kind !== "away" || time.now() >= until_ms) return outcome;
    await sleep(RETRY_MS);
  }
}

/** Of a network, or of a server that is on its way or no longer the first: it passes. */
const PASSING: ReadonlySet<Reason> = new Set(["unreachable", "late", "read_only", "full"]);
/** SQLSTATE: no connection left, cannot connect now, shutting down. */
const PASSING_CODES = /^(53|57P)/;

/** Reports whether waiting makes it right: otherwise the operator has to act. */
function isSettled(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === "string" && PASSING_CODES.test(code)) return false;
  const failing = postgresFailure(error);
  return failing === null || !PASSING.has(failing.reason);
}
