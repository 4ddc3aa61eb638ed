/**
 * A SQLite file: WAL and FULL, so that what is acknowledged is durable (performance 6), and
 * migrations counted by `user_version`.
 */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "#storage/embedded/migrations.ts";
import { closeToOthers } from "#storage/embedded/private-files.ts";
import { toLine } from "#storage/error-line.ts";
import { type NoteMigration, NO_STORE, schemaProblem } from "#storage/store-schema.ts";

export type { DatabaseSync };

const BUSY_TIMEOUT_MS = 5_000;

/**
 * `service`: brought to this version, as the service does. `command`: made where there is none, but
 * never migrated: other programs may be running on it. `read`: neither.
 */
export type DatabaseOpening = "service" | "command" | "read";

type How = {
  opening?: DatabaseOpening;
  /** Called with what was migrated. */
  onMigrated?: NoteMigration;
};

/** Throws when the file is no database, or was made by another version that it may not migrate. */
export function openDatabase(
  path: string,
  migrations = MIGRATIONS,
  { opening = "service", onMigrated = () => undefined }: How = {},
): DatabaseSync {
  // SQLite would make it.
  if (opening === "read" && !statSync(path, { throwIfNoEntry: false })) throw noStore(path);
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    if (path !== ":memory:") closeToOthers(path);
    database.enableDefensive(true);
    const version = readVersion(database);
    const isNew = version === 0 && isEmpty(database);
    if (isNew && opening === "read") throw noStore(path);
    const problem = schemaProblem({ version, known: migrations.length });
    // Ahead of the mode of its log, which would be a write.
    if (opening !== "service" && !isNew && problem !== null) throw new Error(problem);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    migrate(database, migrations, onMigrated);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** It has a code, as what is no defect has. */
function noStore(path: string): Error {
  return Object.assign(new Error(`${basename(path)}: ${NO_STORE}`), { code: "NO_STORE" });
}

/** One transaction: a crash leaves the old version or the new one, and two openers take turns. */
function migrate(
  database: DatabaseSync,
  migrations: readonly string[],
  onMigrated: NoteMigration,
): void {
  // Nothing is written where nothing is to be changed: the disk may be full.
  if (readVersion(database) === migrations.length) return;
  const begun_ms = performance.now();
  database.exec("BEGIN IMMEDIATE");
  const version = readVersion(database);
  if (version > migrations.length) {
    database.exec("ROLLBACK");
    throw new Error(schemaProblem({ version, known: migrations.length })!);
  }
  for (const statements of migrations.slice(version)) database.exec(statements);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
  database.exec("COMMIT");
  if (version === 0 || version === migrations.length) return;
  onMigrated({
    store: basename(database.location() ?? ""),
    from: version,
    to: migrations.length,
    took_ms: Math.round(performance.now() - begun_ms),
  });
}

/** The number of migrations that it has had. */
export function readVersion(database: DatabaseSync): number {
  const row = database.prepare("PRAGMA user_version").get();
  return Number(row?.["user_version"]);
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
}

/** A state of a database that stays as it is while others write, until it is closed. */
export type Snapshot = {
  schema: number;
  bytes: number;
  /** Writes it to a file that is not there; `onPages` is called with the pages copied and in all. */
  copyTo(path: string, onPages: (copied: number, total: number) => void): Promise<void>;
  close(): void;
};

/** Pages of one step of a copy, between which progress is reported: 16 MB. */
const PAGES_A_STEP = 4096;

/**
 * Holds the present state of a database, with or without a service on it: for a process that has not
 * opened it in another way. Nothing is written to it.
 */
export function openSnapshot(path: string): Snapshot {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    // The copy reads by this transaction, so that no write of another process makes it begin again.
    database.exec("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1");
    const pages = database
      .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
      .get();
    return {
      schema: readVersion(database),
      bytes: Number(pages?.["bytes"]),
      async copyTo(to, onPages) {
        const progress = ({ totalPages, remainingPages }: Pages): void =>
          onPages(totalPages - remainingPages, totalPages);
        await backup(database, to, { rate: PAGES_A_STEP, progress });
      },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

type Pages = { totalPages: number; remainingPages: number };

/** Says what is wrong with a copy that no service has open; null: it is whole. */
export function findDamage(path: string): string | null {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path);
    const rows = database.prepare("PRAGMA integrity_check(1)").all();
    const match = String(rows[0]?.["integrity_check"] ?? "it says nothing");
    return match === "ok" ? null : match;
  } catch (error) {
    return toLine(error);
  } finally {
    database?.close();
  }
}

/**
 * Says what is wrong with a database that a service may have open: it is read alone, and by SQLite. A
 * table that its schema has and that is not there is damage as well, and so is a database without any.
 * null: it is whole.
 */
export function findDamageInUse(
  path: string,
  migrations: readonly string[],
  check: "integrity_check" | "quick_check" = "integrity_check",
): string | null {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const matches = database.prepare(`PRAGMA ${check}(3)`).all();
    const lines = matches.map((row) => String(Object.values(row)[0]).replaceAll(/\s+/g, " "));
    if (lines.join() !== "ok") return lines.join("; ");
    const version = readVersion(database);
    // A start would make a new store of it, without keys and usage.
    if (version === 0) return "it is empty";
    const missing = listMissing(database, migrations.slice(0, version));
    return missing.length === 0 ? null : `it has no ${missing.join(", ")}`;
  } catch (error) {
    return toLine(error);
  } finally {
    database?.close();
  }
}

/** Tables that these migrations make and that the database lacks. */
function listMissing(database: DatabaseSync, migrations: readonly string[]): string[] {
  const made = new DatabaseSync(":memory:");
  for (const statements of migrations) made.exec(statements);
  const [wanted, other] = [listTables(made), new Set(listTables(database))];
  made.close();
  return wanted.filter((name) => !other.has(name));
}

function listTables(database: DatabaseSync): string[] {
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return rows.map((row) => `table ${String(row["name"])}`);
}

/**
 * Runs a write that is not worth a wait for the disk: a process that is killed loses nothing, and a
 * power failure loses at most the latest of them, which are found out again.
 */
export function writeUnsynced(database: DatabaseSync, write: () => void): void {
  database.exec("PRAGMA synchronous = NORMAL");
  try {
    write();
  } finally {
    database.exec("PRAGMA synchronous = FULL");
  }
}

/** Runs the task in one transaction: all of what it writes, or nothing. */
export function transact(database: DatabaseSync, task: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    task();
    database.exec("COMMIT");
  } catch (error) {
    // A disk that is full ends a transaction by itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
