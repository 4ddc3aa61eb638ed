/**
 * Streets of an extract: the ways of one name in one municipality that are near one another are one
 * street, with a point on it and the lines it is made of.
 */
import { clusterBoxes, type Box7, unionOf } from "./clusters.ts";
import { wordsOf } from "./fold.ts";
import type { Intake } from "./intake.ts";
import { footOn, type Foot, metresBetween, type Point7 } from "./metres.ts";
import type { Name } from "./names.ts";
import { mergeNames } from "./places.ts";

export type Street = {
  osm: number;
  lat7: number;
  lon7: number;
  box: Box7;
  names: readonly Name[];
  /** Main tag, as `highway=residential`. */
  kind: string;
  /** Folded name, which addresses give. */
  key: string;
  /** Place of the municipality; -1: none. */
  municipality: number;
  /** Ways, by row of the intake. */
  ways: readonly number[];
};

/** Ways of one name further apart are two streets; without a municipality they are sooner. */
const GAP_M = { inside: 2_000, outside: 1_000 } as const;

export function* makeStreets(
  intake: Intake,
  municipalityAt: (lat7: number, lon7: number) => number,
): Generator<void, Street[]> {
  const { streets, sets } = intake;
  const rows = Uint32Array.from({ length: streets.osm.length }, (_, row) => row);
  rows.sort((a, b) => streets.osm.at(a) - streets.osm.at(b) || a - b);
  const groups = new Map<string, { key: string; municipality: number; ways: number[] }>();
  for (const row of rows) {
    const middle = middleOf(intake, row);
    const municipality = municipalityAt(middle.lat7, middle.lon7);
    const key = wordsOf(sets.get(streets.names.at(row))[0]!.text).join(" ");
    const id = `${key}|${municipality}`;
    const group = groups.get(id);
    if (group) group.ways.push(row);
    else groups.set(id, { key, municipality, ways: [row] });
  }
  yield;
  const made: Street[] = [];
  for (const { key, municipality, ways } of groups.values()) {
    const boxes = ways.map((row) => boxOf(intake, row));
    const parts = clusterBoxes(boxes, municipality < 0 ? GAP_M.outside : GAP_M.inside);
    const count = Math.max(...parts) + 1;
    for (let part = 0; part < count; part++) {
      const own = ways.filter((_, i) => parts[i] === part);
      made.push({ ...joinWays(intake, own), key, municipality });
    }
    if (made.length % 1024 === 0) yield;
  }
  return made;
}

/** Points of a way, in pairs. */
export function pointsOf({ streets }: Intake, row: number): Int32Array {
  return streets.points.view().subarray(streets.starts.at(row), streets.starts.at(row + 1));
}

/** The point of the street's lines nearest to a point. */
export function footOnWays(
  intake: Intake,
  ways: readonly number[],
  point: Point7,
): Foot & { way: number } {
  let best: (Foot & { way: number }) | null = null;
  for (const way of ways) {
    const points = pointsOf(intake, way);
    for (let i = 0; i < points.length; i += 2) {
      const next = Math.min(i + 2, points.length - 2);
      const foot = footOn(point, at(points, i), at(points, next));
      if (best === null || foot.metres < best.metres) best = { ...foot, way };
    }
  }
  return best!;
}

function joinWays(intake: Intake, ways: readonly number[]): Omit<Street, "key" | "municipality"> {
  const { streets, sets } = intake;
  const box = unionOf(ways.map((row) => boxOf(intake, row)));
  const centre = {
    lat7: Math.round((box[0] + box[2]) / 2),
    lon7: Math.round((box[1] + box[3]) / 2),
  };
  const { lat7, lon7, way } = footOnWays(intake, ways, centre);
  const first = [way, ...ways.filter((each) => each !== way)];
  return {
    osm: streets.osm.at(way),
    lat7,
    lon7,
    box,
    names: mergeNames(first.flatMap((row) => [...sets.get(streets.names.at(row))])),
    kind: intake.texts.get(streets.kind.at(way)),
    ways,
  };
}

function at(points: Int32Array, i: number): Point7 {
  return { lat7: points[i]!, lon7: points[i + 1]! };
}

function middleOf(intake: Intake, row: number): Point7 {
  const points = pointsOf(intake, row);
  return at(points, Math.floor(points.length / 4) * 2);
}

function boxOf(intake: Intake, row: number): Box7 {
  const points = pointsOf(intake, row);
  let [south, west, north, east] = [points[0]!, points[1]!, points[0]!, points[1]!];
  for (let i = 2; i < points.length; i += 2) {
    south = Math.min(south, points[i]!);
    north = Math.max(north, points[i]!);
    west = Math.min(west, points[i + 1]!);
    east = Math.max(east, points[i + 1]!);
  }
  return [south, west, north, east];
}

/** Length of a line in metres, from its beginning to each of its points. */
export function lengthsOf(points: Int32Array): Float64Array {
  const lengths = new Float64Array(points.length / 2);
  for (let i = 1; i < lengths.length; i++)
    lengths[i] = lengths[i - 1]! + metresBetween(at(points, i * 2 - 2), at(points, i * 2));
  return lengths;
}
