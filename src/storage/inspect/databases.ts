/**
 * The databases of the data folder and the imports in it, read while a service may have them open:
 * through SQLite, read-only, so that nothing is migrated, and no lock of the service is touched.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { constants, inflateRawSync } from "node:zlib";
import { BASE_FORMAT } from "#osm/base/base-layout.ts";
import { PAGED_FORMAT } from "#osm/pages/paged-layout.ts";
import { attempt } from "#kit/guard.ts";
import type { PackFormat } from "#kit/pack.ts";
import { FEED_FORMAT } from "#transit/schedule/feed-layout.ts";
import { baseFolder } from "#storage/base-files.ts";
import { findDamageInUse } from "#storage/embedded/database.ts";
import { LAYOUTS } from "#storage/migrate-folder.ts";
import { DATABASES } from "#storage/embedded/private-files.ts";
import { LOCK_FILE } from "#storage/open-storage.ts";
import { type Check, toCheck } from "./inspection-check.ts";
import { type Import, readBases, readPrefix } from "./inspect-packs.ts";

const TIMEOUT_MS = 5_000;
const SQLITE_BUSY = 5;

/** Runs a task on a database that it cannot change. */
function readFrom<T>(path: string, task: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path, { readOnly: true, timeout: TIMEOUT_MS });
  using end = new DisposableStack();
  end.defer(() => database.close());
  return task(database);
}

/** Asks for the lock of the folder without taking it; null: the file cannot be read. */
export function isInUse(folder: string): boolean | null {
  const path = join(folder, LOCK_FILE);
  if (!existsSync(path)) return false;
  return attempt(
    () => {
      const lock = new DatabaseSync(path, { readOnly: true, timeout: 0 });
      using end = new DisposableStack();
      end.defer(() => lock.close());
      lock.prepare("SELECT count(*) FROM sqlite_schema").get();
      return false;
    },
    (error) =>
      (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) || null,
  );
}

/** Integrity and schema of each database. */
export function checkDatabases(folder: string): Check[] {
  return LAYOUTS.flatMap(([name, migrations]) => {
    const path = join(folder, name);
    if (!existsSync(path)) return [toCheck(`store ${name}`, "failing", "there is no such file")];
    const damage = findDamageInUse(path, migrations, "quick_check");
    if (damage !== null)
      return [
        toCheck(`store ${name}`, "failing", `${damage}: restore a backup`),
        ...checkVersion(name, path, migrations.length),
      ];
    return [
      toCheck(`store ${name}`, "ok", "whole"),
      ...checkVersion(name, path, migrations.length),
    ];
  });
}

/** None where the file cannot be read, or is empty. */
function checkVersion(name: string, path: string, known_count: number): Check[] {
  const version = attempt(
    () => readFrom(path, (database) => database.prepare("PRAGMA user_version").get()),
    () => undefined,
  )?.["user_version"];
  return Number(version ?? 0) === 0
    ? []
    : [toSchema(`schema ${name}`, Number(version), known_count)];
}

export function toSchema(check: string, version: number, known_count: number): Check {
  if (version === known_count) return toCheck(check, "ok", String(version));
  if (version > known_count)
    return toCheck(
      check,
      "failing",
      `${version}, made by a newer version: this one knows ${known_count}`,
    );
  return toCheck(check, "warning", `${version}: the next start migrates it to ${known_count}`);
}

/** Names of the plans that accounts are on, with the number of accounts; null: they cannot be read. */
export function listPlans(folder: string): Map<string, number> | null {
  const read = (database: DatabaseSync): Map<string, number> => {
    const rows = database.prepare("SELECT plan, count(*) AS accounts FROM account GROUP BY plan");
    return new Map(rows.all().map((row) => [String(row["plan"]), Number(row["accounts"])]));
  };
  return attempt(
    () => readFrom(join(folder, DATABASES.main), read),
    () => null,
  );
}

/** Timetables and bases that this version cannot open, by the first bytes of each. */
export function checkImports(folder: string): Check[] {
  const timetables = attempt(
    () => readFrom(join(folder, DATABASES.main), readTimetables),
    () => [],
  );
  return [
    toImports("timetables", timetables, [FEED_FORMAT]),
    toImports("bases", readBases(baseFolder(folder)), [BASE_FORMAT, PAGED_FORMAT]),
  ];
}

function readTimetables(database: DatabaseSync): Import[] {
  const rows = database.prepare("SELECT feed_id, substr(pack, 1, 512) AS pack FROM transit_feed");
  return rows.all().map((row) => {
    const begun = { finishFlush: constants.Z_SYNC_FLUSH };
    const bytes = inflateRawSync(row["pack"] as Uint8Array, begun);
    return { id: String(row["feed_id"]), ...readPrefix(bytes) };
  });
}

/** `formats`: of the kinds that these files may be. */
function toImports(
  check: string,
  all: readonly Import[],
  formats: readonly [PackFormat, ...PackFormat[]],
): Check {
  const formatOf = ({ magic }: Import): PackFormat | undefined =>
    formats.find((format) => format.magic === magic);
  const unread = all.filter((each) => formatOf(each)?.version !== each.version);
  if (unread.length === 0) return toCheck(check, "ok", `${all.length} of this version's format`);
  const lines = unread.map((each) => {
    const format = formatOf(each);
    if (format === undefined) return `${each.id} is damaged`;
    return `${each.id} is of ${each.version < format.version ? "an earlier" : "a later"} version`;
  });
  return toCheck(check, "failing", `${lines.join("; ")}: import again`);
}
