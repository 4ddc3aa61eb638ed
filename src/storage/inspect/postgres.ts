/** PostgreSQL as `vicinity doctor --node` sees it: read by single statements, and never migrated. */
import { guard } from "#kit/guard.ts";
import { toLine } from "#storage/error-line.ts";
import { loadDriver, type StoreMode } from "#storage/postgres/driver.ts";
import { listMissingTables } from "#storage/postgres/dump.ts";
import { readSchemas } from "#storage/postgres/migrate.ts";
import { POSTGRES_MIGRATIONS } from "#storage/postgres/migrations.ts";
import { createPool, type Pool } from "#storage/postgres/pool.ts";
import { type Check, toCheck } from "./inspection-check.ts";
import { toSchema } from "./databases.ts";

export type PostgresFindings = {
  checks: Check[];
  /** Plans of accounts with their number; null: they cannot be read. */
  plans: Map<string, number> | null;
  /** Its time minus that of this machine, as far as a round trip shows; null: unknown. */
  ahead_ms: number | null;
};

const NOTHING: Omit<PostgresFindings, "checks"> = { plans: null, ahead_ms: null };

export async function inspectPostgres(address: {
  url: string;
  mode: StoreMode;
}): Promise<PostgresFindings> {
  const driver = await loadDriver();
  if ("problem" in driver)
    return { ...NOTHING, checks: [toCheck("store postgres", "failing", driver.problem)] };
  const nothing = (): void => undefined;
  const pool = createPool(driver, address, { onFault: nothing, onDefect: nothing });
  const match = await guard(
    () => read(pool, address.mode),
    (error) => ({ ...NOTHING, checks: [toCheck("store postgres", "failing", toLine(error))] }),
  );
  await pool.close();
  return match;
}

async function read(pool: Pick<Pool, "query">, mode: StoreMode): Promise<PostgresFindings> {
  const before_ms = Date.now();
  const [server] = await pool.query<Server>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8 AS now_ms,
       current_setting('transaction_read_only') = 'on' AS read_only,
       has_database_privilege(current_database(), 'CREATE') AS may_make`,
    [],
  );
  const ahead_ms = server!.now_ms - (before_ms + Date.now()) / 2;
  const applied = await readSchemas(pool.query, mode);
  if (applied === null) return { checks: [checkEmpty(server!)], plans: null, ahead_ms };
  const missing = await listMissingTables(pool.query, mode, applied);
  if (missing.length > 0) {
    const text = `it has no table ${missing.join(", ")}: restore a backup`;
    return { checks: [toCheck("store postgres", "failing", text)], plans: null, ahead_ms };
  }
  const rows = applied.has("accounts")
    ? await pool.query<{ plan: string; accounts: number }>(
        "SELECT plan, count(*) AS accounts FROM account GROUP BY plan",
        [],
      )
    : [];
  const writes = server!.read_only
    ? toCheck("store postgres", "failing", "it answers, and takes no writes (read-only)")
    : toCheck("store postgres", "ok", "answers and takes writes");
  const schemas = Object.entries(POSTGRES_MIGRATIONS).map(([module, statements]) =>
    toSchema(`schema postgres.${module}`, applied.get(module) ?? 0, statements.length),
  );
  return {
    checks: [writes, ...schemas],
    plans: new Map(rows.map(({ plan, accounts }) => [plan, accounts])),
    ahead_ms,
  };
}

type Server = { now_ms: number; read_only: boolean; may_make: boolean };

/** Before the first start; a service that has run on it has lost its tables. */
function checkEmpty({ read_only, may_make }: Server): Check {
  const name = "store postgres";
  const text = "it answers and is empty";
  if (read_only)
    return toCheck(
      name,
      "failing",
      `${text}, but takes no writes (read-only): no start can make the tables`,
    );
  if (!may_make)
    return toCheck(
      name,
      "failing",
      `${text}, but this login may not make a schema (GRANT CREATE ON DATABASE)`,
    );
  return toCheck(name, "warning", `${text}: the first start makes the tables`);
}
