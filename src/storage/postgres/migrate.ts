/** Brings a database to this version of the schema (migrations.ts). */
import { type Migration, type NoteMigration, schemaProblem } from "#storage/store-schema.ts";
import { type StoreMode, schemaOf } from "./driver.ts";
import { type Modules, POSTGRES_MIGRATIONS } from "./migrations.ts";
import type { Pool, Query } from "./pool.ts";

/** One transaction at a time in the whole fleet: replicas that start together take turns. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";

/** An index over a big table, or the wait for another replica that builds it. */
const TIMEOUT_MS = 60_000;

/** PostgreSQL 15. */
const VERSION_MIN = 150_000;

type How = {
  mode: StoreMode;
  modules?: Modules;
  /** Called with each module of a store with data that was migrated. */
  onMigrated?: NoteMigration;
  /** Called when a database that had no store has one. */
  onMade?: () => void;
};

/**
 * Brings the database to this version: all of it, or nothing. null: it is; otherwise one line.
 * Rejects when the database cannot be reached, or refuses a statement.
 */
export async function migrate(
  pool: Pick<Pool, "query" | "transact">,
  { mode, modules = POSTGRES_MIGRATIONS, onMigrated = () => undefined, onMade }: How,
): Promise<string | null> {
  const schema = schemaOf(mode);
  // A server that takes no writes now, as after a failover, may have what is needed.
  if (await isCurrent(pool, schema, modules)) return null;
  let migrated: Migration[] = [];
  let isMade = false;
  const task = async (query: Query): Promise<string | null> => {
    const server = await query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
      [],
    );
    if (server[0]!.version < VERSION_MIN) return "it is older than PostgreSQL 15";
    await query(LOCK, [schema]);
    const applied = await readApplied(query, schema);
    const newer = findNewer(applied, modules);
    if (newer !== null) return newer;
    migrated = [];
    isMade = applied.size === 0;
    for (const [module, statements] of Object.entries(modules)) {
      const from = applied.get(module) ?? 0;
      const begun_ms = performance.now();
      await bring(query, { module, statements, from });
      if (applied.size === 0 || from === statements.length) continue;
      const took_ms = Math.round(performance.now() - begun_ms);
      migrated.push({ store: `postgres ${module}`, from, to: statements.length, took_ms });
    }
    return null;
  };
  const problem = await pool.transact(task, { timeout_ms: TIMEOUT_MS });
  for (const each of migrated) onMigrated(each);
  if (problem === null && isMade) onMade?.();
  return problem;
}

/** Versions of the modules in a database; null: there is no store in it. Writes nothing. */
export async function readSchemas(
  query: Query,
  mode: StoreMode,
): Promise<ReadonlyMap<string, number> | null> {
  const match = await query(
    "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'migration'",
    [schemaOf(mode)],
  );
  return match.length === 0 ? null : await listApplied(query);
}

/** Says why a store with these versions is not opened as it is, in one line; null: it is of this version. */
export function findOther(
  applied: ReadonlyMap<string, number>,
  modules: Modules = POSTGRES_MIGRATIONS,
): string | null {
  const newer = findNewer(applied, modules);
  if (newer !== null) return newer;
  for (const [module, { length: known }] of Object.entries(modules)) {
    const problem = schemaProblem({ version: applied.get(module) ?? 0, known });
    if (problem !== null) return `its ${module} were ${problem}`;
  }
  return null;
}

/** Reports whether the database has just this version; it is only read. */
async function isCurrent(
  { query }: Pick<Pool, "query">,
  schema: string,
  modules: Modules,
): Promise<boolean> {
  const [match] = await query<{ is_made: boolean }>(
    "SELECT to_regclass($1) IS NOT NULL AS is_made",
    [`${schema}.migration`],
  );
  if (match?.is_made !== true) return false;
  const applied = await listApplied(query);
  return (
    applied.size === Object.keys(modules).length &&
    Object.entries(modules).every(([module, all]) => applied.get(module) === all.length)
  );
}

/** How many entries of each module the database has; the tables of this count are made first. */
async function readApplied(query: Query, schema: string): Promise<Map<string, number>> {
  // CREATE SCHEMA IF NOT EXISTS would want the right to create one even where there is one.
  const match = await query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  if (match.length === 0) await query(`CREATE SCHEMA ${schema}`);
  await query(
    `CREATE TABLE IF NOT EXISTS migration (
       module  text COLLATE "C" PRIMARY KEY,
       version integer NOT NULL
     )`,
  );
  return await listApplied(query);
}

async function listApplied(query: Query): Promise<Map<string, number>> {
  const rows = await query<{ module: string; version: number }>(
    "SELECT module, version FROM migration",
    [],
  );
  return new Map(rows.map(({ module, version }) => [module, version]));
}

function findNewer(applied: ReadonlyMap<string, number>, modules: Modules): string | null {
  for (const [module, version] of applied) {
    const known_count = modules[module]?.length ?? 0;
    if (version > known_count)
      return `it was made by a newer version (${module} ${version}, this one knows ${known_count})`;
  }
  return null;
}

async function bring(
  query: Query,
  { module, statements, from }: { module: string; statements: readonly string[]; from: number },
): Promise<void> {
  if (from === statements.length) return;
  for (const each of statements.slice(from)) await query(each);
  await query(
    `INSERT INTO migration (module, version) VALUES ($1, $2)
     ON CONFLICT (module) DO UPDATE SET version = excluded.version`,
    [module, statements.length],
  );
}
