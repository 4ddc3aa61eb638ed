/** Observations as columns: what comparing needs, worked out once per observation. */
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import { docksCoincide } from "./coincidence.ts";
import { DIFFERENT, isOneSystem, kinshipOf, prepareFeed, KINSHIP_UNKNOWN } from "./kinship.ts";
import type { Kinship, PreparedFeed } from "./kinship.ts";
import { Succession } from "./succession.ts";
import { createLexicon, prepareName } from "#kit/names/name.ts";
import type { Lexicon, Name } from "#kit/names/name.ts";
import { SOURCE_KINDS } from "./observed-station.ts";
import type { Feed, Observation } from "./observed-station.ts";
import { REASON_CODES, type Tuning } from "./weights.ts";

export type Prepared = {
  tuning: Tuning;
  feeds: readonly PreparedFeed[];
  observations: readonly Observation[];
  /** Rows of each feed. */
  rows: readonly (readonly number[])[];
  feed: Int32Array;
  lat: Float64Array;
  lon: Float64Array;
  /** Cosine of the latitude. */
  cos: Float64Array;
  precision: Float64Array;
  modes: Uint8Array;
  /** Docks; -1 unknown. */
  capacity: Int32Array;
  /** 1 virtual, -1 not, 0 unknown. */
  virtual: Int8Array;
  /** 1: the id may be CityBikes' key of coordinates. */
  has_coordinate_key: Uint8Array;
  lexicon: Lexicon;
  names: Name[];
  /** Scratch of a score: the weight of each finding, by its place in REASONS; NaN: not found. */
  found: Float64Array;
  /** Kinship of two feeds, by index, where their docks confirm it; worked out on first use. */
  kinship: (a: number, b: number) => Kinship;
  /** See succession.ts; remembers what it makes of two feeds. */
  succession: Succession;
};

export function prepare(
  feeds: readonly Feed[],
  observations: readonly Observation[],
  tuning: Tuning,
): Prepared {
  const n = observations.length;
  const rows: number[][] = feeds.map(() => []);
  observations.forEach(({ feed }, row) => rows[feed]!.push(row));
  const prepared: Prepared = {
    tuning,
    feeds: feeds.map(prepareFeed),
    observations,
    rows,
    feed: new Int32Array(n),
    lat: new Float64Array(n),
    lon: new Float64Array(n),
    cos: new Float64Array(n),
    precision: new Float64Array(n),
    modes: new Uint8Array(n),
    capacity: new Int32Array(n),
    virtual: new Int8Array(n),
    has_coordinate_key: new Uint8Array(n),
    lexicon: createLexicon(),
    names: [],
    found: new Float64Array(REASON_CODES.length),
    kinship: () => DIFFERENT,
    succession: new Succession(),
  };
  for (let i = 0; i < n; i++) prepareRow(prepared, i);
  prepared.kinship = rememberKinship(prepared);
  return prepared;
}

const RAD = Math.PI / 180;

function prepareRow(prepared: Prepared, i: number): void {
  const row = prepared.observations[i]!;
  const { feed, prefixes } = prepared.feeds[row.feed]!;
  prepared.feed[i] = row.feed;
  prepared.lat[i] = row.lat;
  prepared.lon[i] = row.lon;
  prepared.cos[i] = Math.cos(row.lat * RAD);
  prepared.precision[i] = SOURCE_KINDS[feed.kind].precision_m;
  prepared.modes[i] = row.modes;
  prepared.capacity[i] = row.capacity ?? -1;
  prepared.virtual[i] = row.virtual === null ? 0 : row.virtual ? 1 : -1;
  prepared.has_coordinate_key[i] = feed.kind === "citybikes" ? 1 : 0;
  prepared.names.push(prepareName(prepared.lexicon, row.name, prefixes));
}

const NOT_REQUESTED = 255;

function rememberKinship(prepared: Prepared): (a: number, b: number) => Kinship {
  const n = prepared.feeds.length;
  const entry = new Uint8Array(n * n).fill(NOT_REQUESTED);
  return (a, b) => {
    const at = a < b ? a * n + b : b * n + a;
    const value = entry[at]!;
    if (value !== NOT_REQUESTED) return value as Kinship;
    const made = establish(prepared, a, b);
    entry[at] = made;
    return made;
  };
}

/**
 * Where docks do not confirm what names claim, two feeds with counts are two networks: the counts of
 * one must not be shown for the other's. For a map, which has no counts, it stays open.
 */
function establish(prepared: Prepared, a: number, b: number): Kinship {
  const [one, other] = [prepared.feeds[a]!, prepared.feeds[b]!];
  const claimed = kinshipOf(one, other);
  if (claimed === DIFFERENT || isOneSystem(one, other)) return claimed;
  const [side, opposite] = [a, b].map((feed) => ({
    feed: prepared.feeds[feed]!.feed,
    docks: { lat: prepared.lat, lon: prepared.lon, rows: prepared.rows[feed]! },
  }));
  if (docksCoincide(side!, opposite!)) return claimed;
  const both = SOURCE_KINDS[one.feed.kind].counts && SOURCE_KINDS[other.feed.kind].counts;
  return both ? DIFFERENT : KINSHIP_UNKNOWN;
}

/** Metres between two observations; flat, since only a few hundred metres matter. Symmetrical. */
export function separation_m(prepared: Prepared, a: number, b: number): number {
  const dy = prepared.lat[a]! - prepared.lat[b]!;
  let dx = Math.abs(prepared.lon[a]! - prepared.lon[b]!);
  if (dx > 180) dx = 360 - dx;
  dx *= (prepared.cos[a]! + prepared.cos[b]!) / 2;
  return Math.sqrt(dx * dx + dy * dy) * METRES_PER_DEGREE;
}

/** Reports whether both say what they rent and have nothing in common. */
export function areModesApart(prepared: Prepared, a: number, b: number): boolean {
  const x = prepared.modes[a]!;
  const y = prepared.modes[b]!;
  return x !== 0 && y !== 0 && (x & y) === 0;
}

/** Best source first, then feed id, then the source's own key (R11): an order of its own, whatever the input's. */
export function compareObservations(prepared: Prepared, a: number, b: number): number {
  const x = prepared.observations[a]!;
  const y = prepared.observations[b]!;
  if (x.feed !== y.feed) {
    const fx = prepared.feeds[x.feed]!.feed;
    const fy = prepared.feeds[y.feed]!.feed;
    const byRank = SOURCE_KINDS[fx.kind].rank - SOURCE_KINDS[fy.kind].rank;
    if (byRank !== 0) return byRank;
    if (fx.id !== fy.id) return fx.id < fy.id ? -1 : 1;
  }
  if (x.id !== y.id) return x.id < y.id ? -1 : 1;
  return x.lat - y.lat || x.lon - y.lon || (x.name < y.name ? -1 : x.name > y.name ? 1 : 0);
}

/** One number for a pair, the same either way round. */
export function pairKey(prepared: Prepared, a: number, b: number): number {
  const n = prepared.observations.length;
  return a < b ? a * n + b : b * n + a;
}
