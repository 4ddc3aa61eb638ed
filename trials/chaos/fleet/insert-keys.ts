/** Very many accounts and keys at once, put straight into the store: through the API it takes hours. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Client } from "pg";
import { newAccount, newKey, type NewAccount, type NewKeyRecord } from "#core/keys/issue.ts";
import { KEY_PREFIXES } from "#core/keys/key.ts";
import { DEFAULT_SCOPES } from "#core/keys/scopes.ts";
import { openDatabase, transact } from "#storage/embedded/database.ts";
import { MIGRATIONS } from "#storage/embedded/migrations.ts";
import { schemaOf } from "#storage/postgres/driver.ts";
import { type Stage, UNBOUND_PLAN } from "./stage.ts";

const KEYS_OF_ACCOUNT = 10;
const AT_ONCE = 5_000;

type Row = (string | number | Uint8Array | null)[];

/** The keys, in the order they were made. The schema is there already. */
export async function insertKeys({ store, replicas }: Stage, count: number): Promise<string[]> {
  const { accounts, keys, records } = invent(count);
  const rows = { account: accounts.map(toAccountRow), api_key: records.map(toKeyRow) };
  if (store) await insertPostgres(store.database_url, rows);
  else insertEmbedded(join(replicas[0]!.data_dir, "live", "vicinity.db"), rows);
  return keys;
}

function invent(count: number) {
  const issue = { now_ms: Date.now(), draw: (size: number) => randomBytes(size) };
  const prefix = KEY_PREFIXES.live;
  const accounts: NewAccount[] = [];
  const keys: string[] = [];
  const records: NewKeyRecord[] = [];
  for (let i = 0; i < count; i++) {
    if (i % KEYS_OF_ACCOUNT === 0)
      accounts.push(newAccount({ name: `soak ${i}`, plan: UNBOUND_PLAN }, issue));
    const account_id = accounts.at(-1)!.id;
    const terms = { account_id, name: null, scopes: DEFAULT_SCOPES, expires_at_ms: null };
    const { key, record } = newKey(terms, { ...issue, prefix });
    keys.push(key);
    records.push(record);
  }
  return { accounts, keys, records };
}

const COLUMNS = {
  account: ["id", "name", "plan", "standing", "created_at_ms"],
  api_key: ["id", "account_id", "name", "scopes", "hash", "hint", "created_at_ms"],
} as const;
type Rows = Record<keyof typeof COLUMNS, Row[]>;

const toAccountRow = (account: NewAccount): Row => COLUMNS.account.map((name) => account[name]);
const toKeyRow = (record: NewKeyRecord): Row =>
  COLUMNS.api_key.map((name) => (name === "scopes" ? record.scopes.join(",") : record[name]));

async function insertPostgres(url: string, rows: Rows): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  // Without triggers: no replica knows these keys yet, so that none has to be notified.
  await client.query(
    `SET session_replication_role = replica; SET search_path = ${schemaOf("live")}`,
  );
  for (const table of ["account", "api_key"] as const) {
    const columns = COLUMNS[table];
    const types = columns.map((name) => (name === "hash" ? "bytea" : (TYPES[name] ?? "text")));
    const arrays = types.map((type, i) => `$${i + 1}::${type}[]`).join(", ");
    const insert = `INSERT INTO ${table} (${columns.join(", ")}) SELECT * FROM unnest(${arrays})`;
    for (let from = 0; from < rows[table].length; from += AT_ONCE) {
      const some = rows[table].slice(from, from + AT_ONCE);
      await client.query(
        insert,
        columns.map((_, i) => some.map((row) => toValue(row[i]!))),
      );
    }
  }
  await client.end();
}

const TYPES: Record<string, string> = { created_at_ms: "bigint" };

const toValue = (value: Row[number]): unknown =>
  value instanceof Uint8Array ? Buffer.from(value) : value;

function insertEmbedded(file: string, rows: Rows): void {
  const database = openDatabase(file, MIGRATIONS);
  transact(database, () => {
    for (const table of ["account", "api_key"] as const) {
      const columns = COLUMNS[table];
      const marks = columns.map(() => "?").join(", ");
      const insert = database.prepare(
        `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${marks})`,
      );
      for (const row of rows[table]) insert.run(...row);
    }
  });
  database.close();
}
