/**
 * The databases of the data folder and the imports in it, read while a service may have them open:
 * through SQLite, read-only, so that nothing is migrated, and no lock of the service is touched.
 */
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { constants, inflateRawSync } from "node:zlib";
import { BASE_FORMAT } from "#core/base/layout.ts";
import { attempt } from "#core/guard.ts";
import type { PackFormat } from "#core/pack.ts";
import { FORMAT } from "#core/transit/feed-layout.ts";
import { baseFolder } from "#storage/bases.ts";
import { toLine } from "#storage/error-line.ts";
import { EMBEDDED_SCHEMAS } from "#storage/schema-versions.ts";
import { type Check, toCheck } from "./check.ts";

const TIMEOUT_MS = 5_000;

/** Runs a task on a database that it cannot change. */
function readFrom<T>(path: string, task: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path, { readOnly: true, timeout: TIMEOUT_MS });
  using end = new DisposableStack();
  end.defer(() => database.close());
  return task(database);
}

/** Integrity and schema of each database. */
export function checkDatabases(folder: string): Check[] {
  return Object.entries(EMBEDDED_SCHEMAS).flatMap(([name, known]) => {
    const path = join(folder, name);
    if (!existsSync(path)) return [toCheck(`store ${name}`, "failing", "there is no such file")];
    return attempt(
      () => readFrom(path, (database) => checkDatabase(database, name, known)),
      (error) => [toCheck(`store ${name}`, "failing", toLine(error))],
    );
  });
}

function checkDatabase(database: DatabaseSync, name: string, known: number): Check[] {
  const found = database.prepare("PRAGMA quick_check(3)").all();
  const lines = found.map((row) => String(Object.values(row)[0]));
  const isWhole = lines.length === 1 && lines[0] === "ok";
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  return [
    toCheck(`store ${name}`, isWhole ? "ok" : "failing", isWhole ? "whole" : lines.join("; ")),
    toSchema(`schema ${name}`, version, known),
  ];
}

export function toSchema(check: string, version: number, known: number): Check {
  if (version === known) return toCheck(check, "ok", String(version));
  if (version > known)
    return toCheck(
      check,
      "failing",
      `${version}, made by a newer version: this one knows ${known}`,
    );
  return toCheck(check, "warning", `${version}: the next start migrates it to ${known}`);
}

/** Names of the plans that accounts are on, with the number of accounts; null: they cannot be read. */
export function listPlans(folder: string): Map<string, number> | null {
  const read = (database: DatabaseSync): Map<string, number> => {
    const rows = database.prepare("SELECT plan, count(*) AS accounts FROM account GROUP BY plan");
    return new Map(rows.all().map((row) => [String(row["plan"]), Number(row["accounts"])]));
  };
  return attempt(
    () => readFrom(join(folder, "vicinity.db"), read),
    () => null,
  );
}

/** Timetables and bases that this version cannot open, by the first bytes of each. */
export function checkImports(folder: string): Check[] {
  const timetables = attempt(
    () => readFrom(join(folder, "vicinity.db"), readTimetables),
    () => [],
  );
  return [
    toImports("timetables", timetables, FORMAT),
    toImports("bases", readBases(baseFolder(folder)), BASE_FORMAT),
  ];
}

type Import = { id: string; magic: number; version: number };

function readTimetables(database: DatabaseSync): Import[] {
  const rows = database.prepare("SELECT feed_id, substr(pack, 1, 512) AS pack FROM transit_feed");
  return rows.all().map((row) => {
    const begun = { finishFlush: constants.Z_SYNC_FLUSH };
    const bytes = inflateRawSync(row["pack"] as Uint8Array, begun);
    return { id: String(row["feed_id"]), ...readPrefix(bytes) };
  });
}

function readBases(folder: string): Import[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.endsWith(".vbase") && !name.startsWith("."))
    .map((name) => {
      const file = openSync(join(folder, name), "r");
      using end = new DisposableStack();
      end.defer(() => closeSync(file));
      const bytes = Buffer.alloc(8);
      readSync(file, bytes, 0, bytes.length, 0);
      return { id: name.slice(0, -".vbase".length), ...readPrefix(bytes) };
    });
}

/** As core/pack writes it, in the order of this machine. */
function readPrefix(bytes: Buffer): Omit<Import, "id"> {
  if (bytes.length < 8) return { magic: 0, version: 0 };
  return { magic: bytes.readUInt32LE(0), version: bytes.readUInt32LE(4) };
}

function toImports(check: string, all: readonly Import[], { magic, version }: PackFormat): Check {
  const unread = all.filter((each) => each.magic !== magic || each.version !== version);
  if (unread.length === 0) return toCheck(check, "ok", `${all.length} of this version's format`);
  const lines = unread.map(({ id, ...each }) =>
    each.magic === magic
      ? `${id} is of ${each.version < version ? "an earlier" : "a later"} version`
      : `${id} is damaged`,
  );
  return toCheck(check, "failing", `${lines.join("; ")}: import again`);
}
