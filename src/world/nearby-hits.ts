/**
 * The list that a search fills (R12), in columns, with the scratch of the search. One search runs at a
 * time, in one synchronous call, so a list is reused and nothing is allocated per hit. What leaves the
 * call are values (world/found).
 */
import { VEHICLE_BIT } from "#stations/shard/bits.ts";
import { createHitSink, type HitSink } from "#stations/shard/band-index.ts";
import type { Blob } from "#kit/bytes.ts";
import { readId, startOfId } from "#world/head-id.ts";
import type { CaseView } from "#world/identity/case-view.ts";
import type { SystemEntry } from "#world/system-entry.ts";

/** Positions in the order of R13, `to` not included. */
export type Page = { from: number; to: number };

export type Hits = {
  count: number;
  /** Of a search for one item: whether it is there, 1 or 0; Infinity: of any other search. */
  listed: number;
  /** Sorted, as far as was wanted: position → index into the columns below. */
  order: Uint32Array;
  /** Distance in tenths of a metre, rounded half up: the value shown, and the one sorted by. */
  decimetres: Float64Array;
  /** Index into `systems`, row in its pack, state with the time-dependent fields set. */
  system: Uint16Array;
  row: Uint32Array;
  state: Uint32Array;
  /** 1 + place of the case of a station that is more than its row; 0: it is not. */
  case_at: Uint32Array;
  /** Of a question with filters: those that do not know of it, as `judgeFits` has them. */
  doubts: Uint8Array;
  /** By place in `systems`: the state of its cases; null: each of its stations is itself. */
  views: (CaseView | null)[];
  /** Of a question with filters; null: it has none. */
  unknown: UnknownHits | null;
  systems: readonly SystemEntry[];
  /** The moment of the question, and the systems it looks at at all; absent: all. */
  now_ms: number;
  takes: ((system: Pick<SystemEntry, "source_id">) => boolean) | undefined;
  /** Observations inside the circle before the filters, and after, per system: of a case, the first one. */
  raw: number[];
  matched: number[];
  /** Scratch: the rows of one pack that lie in the circle. */
  sink: HitSink;
  /** Scratch: what is sorted (world/order-hits). */
  keys: Float64Array;
};

/** How many of what is left are not known to fit; a filter that is not set has no member. */
export type UnknownHits = {
  unknown_vehicles?: number;
  unknown_docks?: number;
  unknown_propulsion?: number;
  unknown_form_factors?: number;
  /** How many a strict question leaves out. */
  unknown_left_out?: number;
};

/** A case that was hit, in the state in which it was. */
export type CaseHit = { view: CaseView; place: number };

/** Makes an empty list; `size`: how many hits fit before it grows. */
export function createHits(size = 1024): Hits {
  return {
    count: 0,
    listed: Infinity,
    order: new Uint32Array(size),
    decimetres: new Float64Array(size),
    system: new Uint16Array(size),
    row: new Uint32Array(size),
    state: new Uint32Array(size),
    case_at: new Uint32Array(size),
    doubts: new Uint8Array(size),
    views: [],
    unknown: null,
    systems: [],
    now_ms: 0,
    takes: undefined,
    raw: [],
    matched: [],
    sink: createHitSink(),
    keys: new Float64Array(size),
  };
}

// oxlint-disable-next-line max-params -- once per hit: no options object here
export function pushHit(
  hits: Hits,
  system: number,
  row: number,
  state: number,
  metres: number,
): void {
  if (hits.count === hits.row.length) grow(hits);
  const i = hits.count++;
  hits.system[i] = system;
  hits.row[i] = row;
  hits.state[i] = state;
  hits.case_at[i] = 0;
  hits.decimetres[i] = Math.floor(metres * 10 + 0.5);
}

function grow(hits: Hits): void {
  const length = hits.row.length * 2;
  hits.order = new Uint32Array(length);
  hits.decimetres = copied(new Float64Array(length), hits.decimetres);
  hits.system = copied(new Uint16Array(length), hits.system);
  hits.row = copied(new Uint32Array(length), hits.row);
  hits.state = copied(new Uint32Array(length), hits.state);
  hits.case_at = copied(new Uint32Array(length), hits.case_at);
  hits.doubts = new Uint8Array(length);
}

function copied<T extends Float64Array | Uint16Array | Uint32Array>(to: T, from: T): T {
  to.set(from);
  return to;
}

/** A station that is more than its row; null: it is not, or it is a vehicle. */
export function caseOf(hits: Hits, hit: number): CaseHit | null {
  const at = hits.case_at[hit]!;
  return at === 0 ? null : { view: hits.views[hits.system[hit]!]!, place: at - 1 };
}

/** Compares by the bytes of their ids, below 0: `a` is first. Mostly read where they lie. */
export function compareIds(hits: Hits, a: number, b: number): number {
  if (hits.case_at[a] === 0 && hits.case_at[b] === 0) {
    if (isSamePack(hits, a, b)) {
      const rank = ranksOf(hits, a);
      return rank[hits.row[a]!]! - rank[hits.row[b]!]!;
    }
    const one = headOf(hits, a);
    const other = headOf(hits, b);
    let i = startOfId(one, hits.row[a]!);
    let j = startOfId(other, hits.row[b]!);
    for (; ; i++, j++) {
      const left = one.bytes[i]!;
      const right = other.bytes[j]!;
      if (left === BACKSLASH || right === BACKSLASH) break;
      if (left !== right) return left === QUOTE ? -1 : right === QUOTE ? 1 : left - right;
      if (left === QUOTE) return 0;
    }
  }
  return Buffer.compare(idOf(hits, a), idOf(hits, b));
}

/** Their order by id is that of their ranks. */
function isSamePack(hits: Hits, a: number, b: number): boolean {
  return (
    hits.system[a] === hits.system[b] && isVehicle(hits.state[a]!) === isVehicle(hits.state[b]!)
  );
}

/** Returns by row the order of the ids of a hit's pack; not for a station of several observations. */
export function ranksOf(hits: Hits, hit: number): Uint32Array {
  const shard = hits.systems[hits.system[hit]!]!.shard!;
  return (isVehicle(hits.state[hit]!) ? shard.vehicles!.data! : shard.statics).rank;
}

/** The id a hit is ordered by, in bytes: a station's `id`, a vehicle's `source_id`. */
function idOf(hits: Hits, hit: number): Buffer {
  const entry = caseOf(hits, hit);
  return entry
    ? Buffer.from(entry.view.caseAt(entry.place).id)
    : readId(headOf(hits, hit), hits.row[hit]!);
}

/** Rendered starts of the pack that a hit is of; not for a station of several observations. */
export function headOf(hits: Hits, hit: number): Blob {
  const shard = hits.systems[hits.system[hit]!]!.shard!;
  return isVehicle(hits.state[hit]!) ? shard.vehicles!.data!.head : shard.statics.head;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function isVehicle(state: number): boolean {
  return (state & VEHICLE_BIT) !== 0;
}
