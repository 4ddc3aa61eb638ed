/**
 * Streets of an extract: the ways of one name in one municipality that are near one another are one
 * street, with a point on it and the lines it is made of.
 */
import { bucketsOf, rowsOf } from "./buckets.ts";
import { clusterBox, type Boxes, clusterBoxes, unionOf } from "./clusters.ts";
import type { Forms } from "./forms.ts";
import { createTable, type GrowingTable, pushRow } from "#kit/growing.ts";
import type { Intake } from "./intake.ts";
import { Lists } from "./number-lists.ts";
import { footOn, type Foot, metresBetween, type Point7 } from "./metres.ts";
import { mergeNames } from "./place-table.ts";

/** Streets by column. */
const COLUMNS = {
  osm: Float64Array,
  lat7: Int32Array,
  lon7: Int32Array,
  boxes: Int32Array,
  /** Set of names. */
  names: Uint32Array,
  /** Main tag, as `highway=residential`, by number of its text. */
  kind: Uint32Array,
  /** Place of the municipality; -1: none. */
  municipality: Int32Array,
  /** Ways of street i, rows of the intake, are ways[starts[i]] .. ways[starts[i + 1]]. */
  ways: Uint32Array,
  starts: Uint32Array,
};
export type Streets = GrowingTable<typeof COLUMNS>;

export type Street = {
  osm: number;
  lat7: number;
  lon7: number;
  box: Boxes;
  names: number;
  kind: number;
  ways: Uint32Array;
};

/** An address further from a street than this is not on it. */
export const FAR_M = 3_000;
/** Ways of one name further apart are two streets: a square or a river between them is less. */
export const GAP_M = 250;

export function* makeStreets(
  intake: Intake,
  municipalityAt: (lat7: number, lon7: number) => number,
  { exact }: Forms,
): Generator<void, Streets> {
  const { names } = intake.streets;
  const osm = intake.streets.osm.view();
  const rows = Uint32Array.from(osm, (_, row) => row);
  rows.sort((a, b) => osm[a]! - osm[b]! || a - b);
  const groups = new Lists();
  const group_of = rows.map((row) => {
    const { lat7, lon7 } = middleOf(pointsOf(intake, row));
    const key = exact.of(intake.sets.firstText(names.at(row)));
    return groups.add([key, municipalityAt(lat7, lon7)]);
  });
  const ways_of = bucketsOf(group_of, groups.count);
  yield;
  const streets = createTable(COLUMNS);
  streets.starts.push(0);
  for (let group = 1; group < groups.count; group++) {
    const municipality = groups.get(group)[1]!;
    const ways = rowsOf(ways_of, group).map((i) => rows[i]!);
    const parts = clusterBoxes(boxesOf(intake, ways), GAP_M);
    for (let part = 0; part + 1 < parts.starts.length; part++) {
      const own = rowsOf(parts, part).map((i) => ways[i]!);
      pushStreet(streets, joinWays(intake, own), municipality);
    }
    if (group % 1024 === 0) yield;
  }
  return streets;
}

/** Number of the new street. */
export function pushStreet(
  streets: Streets,
  { box, ways, ...street }: Street,
  municipality: number,
): number {
  streets.boxes.pushAll(box);
  streets.ways.pushAll(ways);
  pushRow<Exclude<keyof Streets, "boxes" | "ways">>(streets, {
    ...{ ...street, municipality },
    starts: streets.ways.length,
  });
  return streets.osm.length - 1;
}

/** Ways of a street, by row of the intake. */
export function waysOf({ ways, starts }: Streets, street: number): Uint32Array {
  return ways.part(starts.at(street), starts.at(street + 1));
}

/** Points of a way, in pairs. */
export function pointsOf({ streets }: Intake, row: number): Int32Array {
  return streets.points.part(streets.starts.at(row), streets.starts.at(row + 1));
}

/** The point of the street's lines nearest to a point. */
export function footOnWays(
  intake: Intake,
  ways: Uint32Array,
  point: Point7,
): Foot & { way: number } {
  let best: Foot | null = null;
  let best_way = -1;
  for (const way of ways) {
    const points = pointsOf(intake, way);
    for (let i = 0; i < points.length; i += 2) {
      const next = Math.min(i + 2, points.length - 2);
      const foot = footOn(point, at(points, i), at(points, next));
      if (best !== null && foot.metres >= best.metres) continue;
      best = foot;
      best_way = way;
    }
  }
  return { ...best!, way: best_way };
}

function joinWays(intake: Intake, ways: Uint32Array): Street {
  const { streets } = intake;
  const box = unionOf(boxesOf(intake, ways));
  const centre = {
    lat7: Math.round((box[0]! + box[2]!) / 2),
    lon7: Math.round((box[1]! + box[3]!) / 2),
  };
  const { lat7, lon7, way } = footOnWays(intake, ways, centre);
  const names = namesOf(intake, way, ways);
  return { osm: streets.osm.at(way), lat7, lon7, box, names, kind: streets.kind.at(way), ways };
}

/** Names of all the ways, those of the given one first. */
function namesOf({ streets, sets }: Intake, first: number, ways: Uint32Array): number {
  const own_name = streets.names.at(first);
  const all = new Set([own_name, ...Array.from(ways, (way) => streets.names.at(way))]);
  return all.size === 1 ? own_name : sets.add(mergeNames([...all].flatMap((set) => sets.get(set))));
}

function at(points: Int32Array, i: number): Point7 {
  return { lat7: points[i]!, lon7: points[i + 1]! };
}

export function middleOf(points: Int32Array): Point7 {
  return at(points, Math.floor(points.length / 4) * 2);
}

function boxesOf(intake: Intake, ways: Uint32Array): Boxes {
  const boxes = new Int32Array(ways.length * 4);
  ways.forEach((way, i) => boxes.set(clusterBox(pointsOf(intake, way)), i * 4));
  return boxes;
}

/** Length of a line in metres, from its beginning to each of its points. */
export function lengthsOf(points: Int32Array): Float64Array {
  const lengths = new Float64Array(points.length / 2);
  for (let i = 1; i < lengths.length; i++)
    lengths[i] = lengths[i - 1]! + metresBetween(at(points, i * 2 - 2), at(points, i * 2));
  return lengths;
}
