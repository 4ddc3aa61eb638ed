/**
 * PostgreSQL for a command: connected once, without following what replicas write. A command never
 * migrates a store, and what only reads does not make one.
 */
import { guard } from "#kit/guard.ts";
import type { Accounts } from "#ports.ts";
import { toLine } from "#storage/error-line.ts";
import { NO_STORE, type NoteMigration } from "#storage/store-schema.ts";
import { timeOf } from "#storage/store-time.ts";
import { createPostgresAccounts } from "./accounts.ts";
import { AccountVersion } from "./account-version.ts";
import { loadDriver, type StoreAddress } from "./driver.ts";
import { listMissingTables } from "./dump.ts";
import { PostgresLedger } from "./ledger.ts";
import { findOther, migrate, readSchemas } from "./migrate.ts";
import type { StoreClock } from "./open-postgres.ts";
import { createPool, type Pool } from "./pool.ts";

export type PostgresForCommand = {
  pool: Pool;
  accounts: Accounts;
  ledger: PostgresLedger;
  close(): Promise<void>;
};

type Problem = { problem: string };
/** How a command opens the store: `command` makes it where there is none. */
type Opening = "command" | "read";

const CANNOT = "the store of VICINITY_STORE_URL cannot be used";

/** Connects. What the server refuses or does not answer is one line, which never holds the URL. */
async function connect(address: StoreAddress): Promise<Pool | Problem> {
  const driver = await loadDriver();
  if ("problem" in driver) return driver;
  // What fails while the command runs is thrown by the statement.
  const events = { onFault: () => undefined, onDefect: () => undefined };
  const pool = createPool(driver, address, events);
  const problem = await guard(
    () => pool.query("SELECT 1", []).then(() => null),
    (error) => toLine(error),
  );
  if (problem === null) return pool;
  await pool.close();
  return { problem: `${CANNOT}: ${problem}` };
}

/** Opens a pool for the task, and closes it whatever becomes of it. */
export async function withPool<T>(
  address: StoreAddress,
  task: (pool: Pool) => Promise<T>,
): Promise<T | Problem> {
  const pool = await connect(address);
  if ("problem" in pool) return pool;
  try {
    return await task(pool);
  } finally {
    await pool.close();
  }
}

/** Connects; `problem` is one line. */
export async function openPostgresForCommand(
  address: StoreAddress,
  { clock, opening }: { clock: StoreClock; opening: Opening },
): Promise<PostgresForCommand | Problem> {
  const pool = await connect(address);
  if ("problem" in pool) return pool;
  const problem = await guard(
    () => prepare(pool, address, opening),
    (error) => toLine(error),
  );
  if (problem !== null) {
    await pool.close();
    return { problem: `${CANNOT}: ${problem}` };
  }
  const time = timeOf(() => undefined);
  const version = new AccountVersion(pool, { time, onFault: () => undefined });
  await version.look();
  version.start();
  return {
    pool,
    accounts: createPostgresAccounts(pool, version),
    ledger: new PostgresLedger(pool, { clock: { now: clock.wall ?? clock.now }, time }),
    async close() {
      version.close();
      await pool.close();
    },
  };
}

async function prepare(pool: Pool, { mode }: StoreAddress, opening: Opening) {
  const applied = await readSchemas(pool.query, mode);
  if (applied !== null) return findOther(applied);
  return opening === "read" ? NO_STORE : await migrate(pool, { mode });
}

/** Brings a store to this version; null: it is. */
export async function migratePostgres(
  address: StoreAddress,
  onMigrated: NoteMigration,
): Promise<Problem | null> {
  const { mode } = address;
  const migrateIt = async (pool: Pool): Promise<string | null> => {
    const applied = await readSchemas(pool.query, mode);
    if (applied === null) return NO_STORE;
    const missing = await listMissingTables(pool.query, mode, applied);
    if (missing.length === 0) return await migrate(pool, { mode, onMigrated });
    return `it is damaged, and nothing was changed: it has no table ${missing.join(", ")}: restore a backup`;
  };
  return await withPool(address, async (pool) => {
    const problem = await guard(
      () => migrateIt(pool),
      (error) => toLine(error),
    );
    return problem === null ? null : { problem: `${CANNOT}: ${problem}` };
  });
}
