/**
 * PostgreSQL behind the ports (operation, VICINITY_STORE_URL): connected, brought to this version,
 * and followed. A problem is one line, which never holds the URL: it may hold a password.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { NoteFault } from "#core/guard.ts";
import type { Accounts, Clock, Datasets } from "#ports.ts";
import type { Claims } from "#ports/claims.ts";
import type { Reservations } from "#ports/reservations.ts";
import { createPostgresAccounts } from "./accounts.ts";
import { createAccountVersion } from "./account-version.ts";
import { createPostgresBridges, type PostgresBridges } from "./bridges.ts";
import { createPostgresClaims } from "./claims.ts";
import { createPostgresDatasets, provideDatasetSecret } from "./datasets.ts";
import { loadDriver, type StoreAddress } from "./driver.ts";
import { createPostgresLedger, type PostgresLedger } from "./ledger.ts";
import { migrate } from "./migrate.ts";
import { createNotices } from "./notices.ts";
import { createPool, type Pool } from "./pool.ts";
import { createPostgresReservations } from "./reservations.ts";
import { toLine } from "#storage/error-line.ts";
import type { NoteMigration } from "#storage/schema.ts";
import { type Time, timeOf } from "#storage/time.ts";

/** The ports over one server; the user of a port closes it before the whole store is closed. */
export type PostgresStore = {
  accounts: Accounts;
  ledger: PostgresLedger;
  datasets: Datasets;
  bridges: PostgresBridges;
  reservations: Reservations;
  claims: Claims;
  /** Whether the store has answered lately. */
  isUp(): boolean;
  close(): Promise<void>;
};

export type PostgresOptions = StoreAddress & {
  /** The service's clock, by which months end. */
  clock: Clock;
  /** Called for each connection that breaks while it runs; it is made again. */
  onFault: (error: unknown) => void;
  /** Receives what our own code throws, with its stack. */
  onDefect: NoteFault;
  /** Called with what the opening has migrated. */
  onMigrated?: NoteMigration;
  time?: Time;
  /** Time to wait for a server that cannot be reached yet. */
  connect_wait_ms?: number;
};

const RETRY_MS = 500;

/** Connects and migrates; `problem` is one line. */
export async function openPostgres(
  options: PostgresOptions,
): Promise<PostgresStore | { problem: string }> {
  const { onFault, clock, ...address } = options;
  const onDefect = (error: unknown): void => options.onDefect("store", error);
  const time = options.time ?? timeOf((_, error) => onFault(error));
  const driver = await loadDriver();
  if ("problem" in driver) return driver;
  const pool = createPool(driver, address, { onFault, onDefect });
  const prepared = await prepare(pool, { ...options, time });
  if ("problem" in prepared) {
    await pool.close();
    return { problem: `the store of VICINITY_STORE_URL cannot be used: ${prepared.problem}` };
  }
  // What the other ports need as well: statements, and what other replicas write.
  const notices = createNotices(driver, address, { time, onFault });
  const version = createAccountVersion(pool, { time, onFault });
  notices.listen("accounts", version.onNotice);
  const bridges = createPostgresBridges(pool, { notices, time, clock });
  await version.look();
  version.start();
  notices.start();
  return {
    accounts: createPostgresAccounts(pool, version),
    ledger: createPostgresLedger(pool, { clock, time }),
    datasets: createPostgresDatasets(pool, prepared.secret, onFault),
    bridges,
    reservations: createPostgresReservations(pool, { newEventId: randomUUID }),
    claims: createPostgresClaims(pool),
    isUp: () => !version.isLost(),
    async close() {
      version.close();
      notices.close();
      await pool.close();
    },
  };
}

/** Brings it to this version; tries again for `connect_wait_ms` while it cannot be reached. */
async function prepare(
  pool: Pool,
  { mode, time, connect_wait_ms = 0, onMigrated }: PostgresOptions & { time: Time },
): Promise<{ secret: Uint8Array } | { problem: string }> {
  const until_ms = time.now() + connect_wait_ms;
  const isFinal = (error: unknown): boolean => pool.isRefusal(error) || isTurnedAway(error);
  for (;;) {
    try {
      const problem = await migrate(pool, { mode, ...(onMigrated && { onMigrated }) });
      return problem === null ? { secret: await provideDatasetSecret(pool) } : { problem };
    } catch (error) {
      if (isFinal(error) || time.now() >= until_ms) return { problem: toLine(error) };
    }
    await sleep(RETRY_MS);
  }
}

/** Wrong password, no such user, no such database (SQLSTATE): waiting makes none of them right. */
function isTurnedAway(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(28|3D)/.test(String(error.code));
}
