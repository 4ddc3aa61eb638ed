/** Folders of labelled pairs: two captures and truth.csv, or negatives.csv next to a gbfs folder. */
import { existsSync, globSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "csv-parse/sync";
import { distance_m } from "#kit/geo.ts";
import type { Feed, Observation } from "#stations/index.ts";
import { TUNING } from "#stations/resolution.ts";
import { fromGbfs, readCapture, readText } from "./captures.ts";
import type { Capture } from "./captures.ts";

export const LABELS = ["same", "different", "same_key_far", "ambiguous", "neighbours"] as const;
export type Label = (typeof LABELS)[number];

/**
 * A row of the labels: one observation on each side. `drawings`: all pairs that the row may mean,
 * where the map draws a dock several times under its number.
 */
type LabelledPair = {
  a: number;
  b: number;
  label: Label;
  drawings: readonly (readonly [number, number])[];
};

export type LabelledSet = {
  name: string;
  feeds: Feed[];
  observations: Observation[];
  /** What the labels call each observation. */
  ids: string[];
  pairs: LabelledPair[];
  /** Rows whose station is in no capture. */
  unplaced: number;
};

/** Where the neighbours' stations are when there are no captures next to DIR. */
const SHARED_GBFS = "../shared/data/gbfs";

type Csv = Record<string, string>;

/** A folder that is no set of labelled pairs, though it holds labels. */
export type Skipped = { name: string; reason: string };

/** Every folder below that holds labels, by name. Those that cannot be read are reported and left out. */
export function readSets(
  dir: string,
  onSkipped: (skipped: Skipped) => void = () => undefined,
): LabelledSet[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => {
      try {
        return readSet(join(dir, name), dir) ?? [];
      } catch (error) {
        const [reason = ""] = String(error instanceof Error ? error.message : error).split("\n");
        onSkipped({ name, reason });
        return [];
      }
    });
}

/** Reports it in one line. */
export function printSkipped({ name, reason }: Skipped): void {
  process.stderr.write(`!!! NOT JUDGED: ${name}: ${reason}\n`);
}

function readSet(folder: string, dir: string): LabelledSet | null {
  const truth = findFile(folder, "truth.csv");
  if (truth) return readTruth(folder, readCsv(truth));
  const negatives = findFile(folder, "negatives.csv");
  return negatives ? readNegatives(folder, dir, readCsv(negatives)) : null;
}

function findFile(folder: string, name: string): string | null {
  return [join(folder, name), join(folder, `${name}.gz`)].find((path) => existsSync(path)) ?? null;
}

function readCsv(path: string): Csv[] {
  return parse<Csv>(readText(path), { columns: true });
}

function readTruth(folder: string, rows: readonly Csv[]): LabelledSet {
  const title = readTitle(folder);
  const read = (side: "a" | "b"): Capture => {
    const path = readdirSync(folder).find((name) => name.startsWith(`${side}.`));
    if (path === undefined) throw new Error(`no capture ${side}.*`);
    return readCapture(join(folder, path), { system_id: basename(folder), title, side });
  };
  const sides = nameAlike([read("a"), read("b")]);
  const set = joinCaptures(basename(folder), sides);
  const [a, b] = [indexIds(sides[0]!, 0), indexIds(sides[1]!, sides[0]!.ids.length)];
  for (const row of rows) {
    const label = row.label as Label;
    if (!LABELS.includes(label)) throw new Error(`unknown label ${row.label}`);
    const pair = choosePair(
      set,
      a.get(row.a_id!) ?? [],
      b.get(row.b_id!) ?? [],
      Number(row.distance_m),
    );
    if (pair) set.pairs.push({ ...pair, label, drawings: drawingsOf(set, pair, a, b) });
    else set.unplaced++;
  }
  return set;
}

/**
 * station_information has no name; the service knows it from the catalogue and from
 * system_information. The folder says that both captures show one system, so a GBFS capture is
 * known by the other's names and addresses, too.
 */
function nameAlike(sides: readonly Capture[]): Capture[] {
  const all = sides.flatMap(({ feeds }) => feeds);
  const names = [...new Set(all.flatMap((feed) => feed.names))];
  const urls = [...new Set(all.flatMap((feed) => feed.urls))];
  return sides.map((side) => ({
    ...side,
    feeds: side.feeds.map((feed) => (feed.kind === "gbfs" ? { ...feed, names, urls } : feed)),
  }));
}

/** `# Boston Hubway: CityBikes against …`: how the page names the system whose capture has no name. */
function readTitle(folder: string): string | null {
  const page = findFile(folder, "SOURCE.md");
  return (page && /^#\s*([^:\n]+):/.exec(readText(page))?.[1]?.trim()) || null;
}

function joinCaptures(name: string, captures: readonly Capture[]): LabelledSet {
  const set: LabelledSet = { name, feeds: [], observations: [], ids: [], pairs: [], unplaced: 0 };
  for (const capture of captures) {
    const first = set.feeds.length;
    set.feeds.push(...capture.feeds);
    set.ids.push(...capture.ids);
    for (const row of capture.observations)
      set.observations.push({ ...row, feed: row.feed + first });
  }
  return set;
}

function indexIds(capture: Capture, offset: number): Map<string, number[]> {
  const index = new Map<string, number[]>();
  capture.ids.forEach((id, i) => index.set(id, [...(index.get(id) ?? []), i + offset]));
  return index;
}

/** Ids repeat on the map's side: the label means the objects at its distance. */
function choosePair(
  { observations }: LabelledSet,
  as: readonly number[],
  bs: readonly number[],
  stated_m: number,
): { a: number; b: number } | null {
  let best: { a: number; b: number; error: number } | null = null;
  for (const a of as)
    for (const b of bs) {
      const x = observations[a]!;
      const y = observations[b]!;
      const error = Math.abs(distance_m(x.lat, x.lon, y.lat, y.lon) - stated_m);
      if (!best || error < best.error) best = { a, b, error };
    }
  return best;
}

/** Drawings of one dock are as near to one another as two pins of one station may. */
function drawingsOf(
  { ids, observations }: LabelledSet,
  pair: { a: number; b: number },
  a: ReadonlyMap<string, number[]>,
  b: ReadonlyMap<string, number[]>,
): [number, number][] {
  const near = (one: number, all: readonly number[]): number[] =>
    all.filter((other) => {
      const [x, y] = [observations[one]!, observations[other]!];
      return distance_m(x.lat, x.lon, y.lat, y.lon) <= TUNING.diameter_m;
    });
  const as = near(pair.a, a.get(ids[pair.a]!)!);
  const bs = near(pair.b, b.get(ids[pair.b]!)!);
  return as.flatMap((x) => bs.map((y): [number, number] => [x, y]));
}

function readNegatives(folder: string, dir: string, rows: readonly Csv[]): LabelledSet {
  const names = [...new Set(rows.flatMap((row) => [row.a_system!, row.b_system!]))];
  const captures = names.map((system_id) => readSystem(folder, dir, system_id));
  const set = joinCaptures(basename(folder), captures);
  const places = new Map<string, number>();
  set.ids.forEach((id, i) => {
    const key = `${set.feeds[set.observations[i]!.feed]!.system_id} ${id}`;
    if (!places.has(key)) places.set(key, i);
  });
  for (const row of rows) {
    const a = places.get(`${row.a_system} ${row.a_id}`);
    const b = places.get(`${row.b_system} ${row.b_id}`);
    if (a === undefined || b === undefined) set.unplaced++;
    else set.pairs.push({ a, b, label: "neighbours", drawings: [[a, b]] });
  }
  return set;
}

/** station_information of a system, named as the catalogue next to it names it. */
function readSystem(folder: string, dir: string, system_id: string): Capture {
  const below = [folder, dir, join(dir, "..", "gbfs"), SHARED_GBFS];
  const path = below
    .flatMap((root) => globSync([`${root}/${system_id}.json*`, `${root}/*/${system_id}.json*`]))
    .find((match) => /\.json(\.gz)?$/.test(match));
  if (path === undefined) throw new Error(`no capture of ${system_id} in ${below.join(", ")}`);
  const catalogue = findFile(join(path, ".."), "systems.csv");
  const row = catalogue
    ? readCsv(catalogue).find((entry) => entry.system_id === system_id)
    : undefined;
  return fromGbfs(JSON.parse(readText(path)), {
    id: `gbfs:${system_id}`,
    kind: "gbfs",
    system_id,
    names: row?.title ? [row.title] : [],
    urls: row?.gbfs_url ? [row.gbfs_url] : [],
    places: row?.city ? [row.city] : [],
  });
}
