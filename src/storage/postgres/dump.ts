/**
 * The tables of a store as lines of JSON, all of one moment, and back into an empty database. What
 * lives for seconds only (claims, reservations) is left out, and so is what triggers and the server
 * make by themselves: versions, counts, numbers of transactions.
 */
import { schemaOf, type StoreMode } from "./driver.ts";
import { migrate } from "./migrate.ts";
import { type Modules, POSTGRES_MIGRATIONS } from "./migrations.ts";
import type { Pool, Query } from "./pool.ts";

export type DumpedTable = { name: string; rows: AsyncIterable<readonly string[]> };

type Table = {
  /** By which module of the schema it is made, and from which version on. */
  module: string;
  since: number;
  /** Left to its default. */
  without?: string;
  /** Rows that are read and written at once. */
  batch: number;
};

const SMALL = 2_000;
/** With contents of up to megabytes. */
const LARGE = 20;

/** In the order in which rows refer to one another. */
const TABLES: Readonly<Record<string, Table>> = {
  account: { module: "accounts", since: 1, batch: SMALL },
  api_key: { module: "accounts", since: 1, batch: SMALL },
  usage_event: { module: "usage", since: 1, batch: SMALL },
  usage_day: { module: "usage", since: 1, batch: SMALL },
  usage_month: { module: "usage", since: 1, without: "changed", batch: SMALL },
  usage_account_day: { module: "usage", since: 2, without: "changed", batch: SMALL },
  dataset_secret: { module: "datasets", since: 1, batch: 1 },
  dataset_content: { module: "datasets", since: 1, batch: LARGE },
  dataset: { module: "datasets", since: 1, batch: LARGE },
  dataset_repeat: { module: "datasets", since: 3, batch: SMALL },
  identity_source: { module: "bridges", since: 1, without: "changed", batch: LARGE },
  bridge: { module: "bridges", since: 1, batch: SMALL },
};

/** No batch of a copy takes longer, on a server that is busy otherwise. */
const TIMEOUT_MS = 120_000;

type Schemas = ReadonlyMap<string, number>;

/** Names the tables that a store of these versions has and that are not there. */
export async function listMissingTables(
  query: Query,
  mode: StoreMode,
  schemas: Schemas,
): Promise<string[]> {
  const match = await query<{ name: string }>(
    "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = $1",
    [schemaOf(mode)],
  );
  const names = new Set(match.map(({ name }) => name));
  return listTables(schemas)
    .map(([name]) => name)
    .filter((name) => !names.has(name));
}

/** A row in JSON takes more than in a table: names of its columns, bytes in hexadecimal. */
const JSON_FACTOR = 2;

/** Estimates what the lines of each table take, bytes: more often too much than too little. */
export async function sizesOfTables(query: Query, schemas: Schemas): Promise<number[]> {
  const rows = await query<{ bytes: number }>(
    `SELECT pg_total_relation_size(name::regclass)::bigint AS bytes FROM unnest($1::text[]) AS _(name)`,
    [listTables(schemas).map(([name]) => name)],
  );
  return rows.map(({ bytes }) => bytes * JSON_FACTOR);
}

/**
 * Reads all tables in one transaction, which sees what was committed when it began and nothing later.
 * `take` reads the rows of one table to the end before the next one comes.
 */
export function dump(
  pool: Pick<Pool, "transact">,
  schemas: Schemas,
  take: (table: DumpedTable) => Promise<void>,
): Promise<void> {
  const task = async (query: Query): Promise<void> => {
    await query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    await query(`SET LOCAL idle_in_transaction_session_timeout = ${TIMEOUT_MS}`);
    for (const [name, table] of listTables(schemas))
      await take({ name, rows: readRows(query, name, table) });
  };
  return pool.transact(task, { timeout_ms: TIMEOUT_MS });
}

async function* readRows(
  query: Query,
  name: string,
  { without, batch }: Table,
): AsyncGenerator<string[]> {
  const columns = (await listColumns(query, name)).filter((column) => column !== without);
  const select = `SELECT row_to_json(kept)::text AS line FROM (SELECT ${columns.join()} FROM ${name}) AS kept`;
  await query(`DECLARE lines NO SCROLL CURSOR FOR ${select}`);
  for (;;) {
    const rows = await query<{ line: string }>(`FETCH ${batch} FROM lines`);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < batch) break;
  }
  await query("CLOSE lines");
}

async function listColumns(query: Query, name: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT attname::text AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [name],
  );
  return rows.map((row) => row.name);
}

function listTables(schemas: Schemas): [string, Table][] {
  return Object.entries(TABLES).filter(
    ([, { module, since }]) => (schemas.get(module) ?? 0) >= since,
  );
}

/** Reads the rows of a table of a dump, in batches of at most this number of lines. */
type RowsOf = (name: string, batch: number) => AsyncIterable<readonly string[]>;

type Restoring = { mode: StoreMode; schemas: Schemas; rowsOf: RowsOf };

/**
 * Writes the tables of a dump into a database without them: in one transaction, at the versions of the
 * dump, and then brings it to those of this program. null: it is done; otherwise one line.
 */
export async function restoreTables(
  pool: Pick<Pool, "query" | "transact">,
  { mode, schemas, rowsOf }: Restoring,
): Promise<string | null> {
  const modules: Modules = Object.fromEntries(
    Object.entries(POSTGRES_MIGRATIONS).map(([name, all]) => [
      name,
      all.slice(0, schemas.get(name) ?? 0),
    ]),
  );
  const task = async (query: Query): Promise<string | null> => {
    await query(`SET LOCAL idle_in_transaction_session_timeout = ${TIMEOUT_MS}`);
    // Within this transaction: until its end there is no store at all.
    const within = {
      query,
      transact: <T>(run: (inner: Query) => Promise<T>): Promise<T> => run(query),
    };
    const problem = await migrate(within, { mode, modules });
    if (problem !== null) return problem;
    // A key may come before the one that it replaces.
    await query("ALTER TABLE api_key DROP CONSTRAINT api_key_rotated_from_fkey");
    for (const [name, table] of listTables(schemas))
      for await (const lines of rowsOf(name, table.batch)) await insert(query, name, lines);
    await query(
      `ALTER TABLE api_key ADD CONSTRAINT api_key_rotated_from_fkey
         FOREIGN KEY (rotated_from) REFERENCES api_key`,
    );
    return null;
  };
  const problem = await pool.transact(task, { timeout_ms: TIMEOUT_MS });
  return problem ?? (await migrate(pool, { mode }));
}

async function insert(query: Query, name: string, lines: readonly string[]): Promise<void> {
  const columns = Object.keys(JSON.parse(lines[0]!) as object).join();
  await query(
    `INSERT INTO ${name} (${columns})
       SELECT ${columns} FROM json_populate_recordset(NULL::${name}, $1::json)`,
    [`[${lines.join()}]`],
  );
}

/** Whether a database has nothing of a store: no schema, or one without a table. */
export async function isEmptyStore(query: Query, mode: StoreMode): Promise<boolean> {
  const rows = await query("SELECT 1 FROM pg_tables WHERE schemaname = $1 LIMIT 1", [
    schemaOf(mode),
  ]);
  return rows.length === 0;
}
