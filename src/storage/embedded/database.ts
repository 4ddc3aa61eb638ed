/**
 * A SQLite file: WAL and FULL, so that what is acknowledged is durable (performance 6), and
 * migrations counted by `user_version`.
 */
import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "#storage/embedded/migrations.ts";
import { closeToOthers } from "#storage/embedded/private-files.ts";

export type { DatabaseSync };

const BUSY_TIMEOUT_MS = 5_000;

/** Throws when the file is no database, or was made by a newer version. */
export function openDatabase(path: string, migrations = MIGRATIONS): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  if (path !== ":memory:") closeToOthers(path);
  database.enableDefensive(true);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  migrate(database, migrations);
  return database;
}

/** One transaction: a crash leaves the old version or the new one, and two openers take turns. */
function migrate(database: DatabaseSync, migrations: readonly string[]): void {
  // Nothing is written where nothing is to be changed: the disk may be full.
  if (readVersion(database) === migrations.length) return;
  database.exec("BEGIN IMMEDIATE");
  const version = readVersion(database);
  if (version > migrations.length) {
    database.exec("ROLLBACK");
    throw new Error(
      `made by a newer version (schema ${version}, this one knows ${migrations.length})`,
    );
  }
  for (const statements of migrations.slice(version)) database.exec(statements);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
  database.exec("COMMIT");
}

function readVersion(database: DatabaseSync): number {
  const row = database.prepare("PRAGMA user_version").get();
  return Number(row?.["user_version"]);
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
