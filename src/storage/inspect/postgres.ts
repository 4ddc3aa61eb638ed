/** PostgreSQL as `vicinity doctor --node` sees it: read by single statements, and never migrated. */
import { guard } from "#core/guard.ts";
import { toLine } from "#storage/error-line.ts";
import { loadDriver, type StoreMode } from "#storage/postgres/driver.ts";
import { POSTGRES_MIGRATIONS } from "#storage/postgres/migrations.ts";
import { createPool, type Pool } from "#storage/postgres/pool.ts";
import { type Check, toCheck } from "./check.ts";
import { toSchema } from "./databases.ts";

export type PostgresFound = {
  checks: Check[];
  /** Plans of accounts with their number; null: they cannot be read. */
  plans: Map<string, number> | null;
  /** Its time minus that of this machine, as far as a round trip shows; null: unknown. */
  ahead_ms: number | null;
};

const NOTHING: Omit<PostgresFound, "checks"> = { plans: null, ahead_ms: null };

export async function inspectPostgres(address: {
  url: string;
  mode: StoreMode;
}): Promise<PostgresFound> {
  const driver = await loadDriver();
  if ("problem" in driver)
    return { ...NOTHING, checks: [toCheck("store postgres", "failing", driver.problem)] };
  const nothing = (): void => undefined;
  const pool = createPool(driver, address, { onFault: nothing, onDefect: nothing });
  const found = await guard(
    () => read(pool),
    (error) => ({ ...NOTHING, checks: [toCheck("store postgres", "failing", toLine(error))] }),
  );
  await pool.close();
  return found;
}

async function read(pool: Pick<Pool, "query">): Promise<PostgresFound> {
  const before_ms = Date.now();
  const [server] = await pool.query<{ now_ms: number; read_only: boolean }>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8 AS now_ms,
       current_setting('transaction_read_only') = 'on' AS read_only`,
    [],
  );
  const ahead_ms = server!.now_ms - (before_ms + Date.now()) / 2;
  const applied = await pool.query<{ module: string; version: number }>(
    "SELECT module, version FROM migration",
    [],
  );
  const rows = await pool.query<{ plan: string; accounts: number }>(
    "SELECT plan, count(*) AS accounts FROM account GROUP BY plan",
    [],
  );
  const writes = server!.read_only
    ? toCheck("store postgres", "failing", "it answers, and takes no writes (read-only)")
    : toCheck("store postgres", "ok", "answers and takes writes");
  const schemas = Object.entries(POSTGRES_MIGRATIONS).map(([module, statements]) => {
    const version = applied.find((row) => row.module === module)?.version ?? 0;
    return toSchema(`schema postgres.${module}`, version, statements.length);
  });
  return {
    checks: [writes, ...schemas],
    plans: new Map(rows.map(({ plan, accounts }) => [plan, accounts])),
    ahead_ms,
  };
}
