/**
 * The circle, answered: every entity within it, filtered by mode, with its state at this moment,
 * ordered by distance, then id (R12, R13). One list is reused for ever: a question is searched and
 * rendered in one go, so nothing is allocated per hit.
 */
import {
  CLASS,
  CLOSED_BIT,
  DATA_CLASS_SHIFT,
  EXPIRED_BIT,
  HIDDEN_BIT,
  MATCHED_SHIFT,
  MODES_MASK,
  NO_STATUS_BIT,
  UNKNOWN_BIT,
} from "#core/nearby/bits.ts";
import { createHitSink, searchBands } from "#core/shard/band-index.ts";
import type { LiveState, Part, Shard } from "#core/shard/shard.ts";
import { inForce } from "#world/closures.ts";
import type { Case } from "#world/identity/cases.ts";
import { DOCUMENT_OLD_S, findLive } from "#world/identity/live.ts";
import { FIRST_CASE, HIDDEN, PLAIN } from "#world/identity/identity.ts";
import type { Circle, SystemEntry } from "#world/world.ts";

export type Hits = {
  count: number;
  /** Sorted: position → index into the columns below. */
  order: Uint32Array;
  /** Distance in tenths of a metre, rounded half up: the value shown, and the one sorted by. */
  decimetres: Float64Array;
  /** Index into `systems`, row in its pack, state with the time-dependent fields set. */
  system: Uint16Array;
  row: Uint32Array;
  state: Uint32Array;
  /** 1 + place in `cases` of a station that is more than its row; 0: it is not. */
  case_at: Uint32Array;
  cases: CaseHit[];
  systems: SystemEntry[];
  /** Observations inside the circle before the filters, and after, per system. */
  raw: number[];
  matched: number[];
};

/** `live`: the member whose counts are shown; -1: none has any. */
export type CaseHit = { of: Case; live: number };

export type HitQuery = {
  circle: Circle;
  /** Mask of requested modes (core/nearby/bits). */
  modes: number;
  stations: boolean;
  vehicles: boolean;
  now_ms: number;
};

const sink = createHitSink();
let keys = new Float64Array(1024);
/** Keys are decimetres and hit number in one float: a numeric sort needs no comparator. */
const KEY_STEP = 2 ** 21;

/** `size`: how many hits fit before it grows. */
export function createHits(size = 1024): Hits {
  return {
    count: 0,
    order: new Uint32Array(size),
    decimetres: new Float64Array(size),
    system: new Uint16Array(size),
    row: new Uint32Array(size),
    state: new Uint32Array(size),
    case_at: new Uint32Array(size),
    cases: [],
    systems: [],
    raw: [],
    matched: [],
  };
}

/** Pages of usual size, reused: memory of six columns for every reply is more than what fills them. */
const PAGE_SIZE = 128;
const PAGES_MAX = 512;
const pages: Hits[] = [];

/**
 * A page of the hits for later, when the list is another question's and systems have moved on: the
 * rows hold for the shards they were found in. To be given back. null: stations of several
 * observations are among them, whose members move on, too.
 */
export function setAside(hits: Hits, { from, to }: { from: number; to: number }): Hits | null {
  if (hits.cases.length > 0) return null;
  const count = to - from;
  const page = count > PAGE_SIZE ? createHits(count) : (pages.pop() ?? createHits(PAGE_SIZE));
  for (let i = 0; i < count; i++) {
    const hit = hits.order[from + i]!;
    page.order[i] = i;
    page.decimetres[i] = hits.decimetres[hit]!;
    page.system[i] = hits.system[hit]!;
    page.row[i] = hits.row[hit]!;
    page.state[i] = hits.state[hit]!;
  }
  page.count = count;
  page.systems = hits.systems.map((entry) => ({ ...entry }));
  return page;
}

export function giveBack(page: Hits): void {
  page.systems = [];
  if (page.row.length === PAGE_SIZE && pages.length < PAGES_MAX) pages.push(page);
}

/** Fills `hits` with what the given systems have inside the circle. */
export function collectHits(hits: Hits, systems: SystemEntry[], query: HitQuery): void {
  hits.count = 0;
  hits.systems = systems;
  hits.cases = [];
  hits.raw = [];
  hits.matched = [];
  for (let i = 0; i < systems.length; i++) {
    const shard = systems[i]!.shard;
    const before = hits.count;
    let raw = 0;
    if (shard && query.stations) raw += collectStations(hits, i, shard, query);
    if (shard?.vehicles?.data && query.vehicles) raw += collectVehicles(hits, i, shard, query);
    hits.raw.push(raw);
    hits.matched.push(hits.count - before);
  }
  if (hits.cases.length > 0) countMembers(hits);
  sortHits(hits);
}

function collectStations(hits: Hits, system: number, shard: Shard, query: HitQuery): number {
  const { statics } = shard;
  const status = shard.status?.data ?? null;
  sink.count = 0;
  searchBands(statics.index, query.circle, query.circle.radius_m, sink);
  const now_s = query.now_ms / 1000;
  const time = stationTime(shard.status, now_s);
  const closures = hits.systems[system]!.closures;
  const systemClosed = closures?.system.some((alert) => inForce(alert, now_s)) ? CLOSED_BIT : 0;
  const states = status ? status.state : statics.state;
  const { roles } = hits.systems[system]!;
  for (let i = 0; i < sink.count; i++) {
    const row = sink.rows[i]!;
    if (roles !== null && roles.of[row] !== PLAIN) {
      if (roles.of[row] !== HIDDEN)
        collectCase(hits, roles.cases[roles.of[row]! - FIRST_CASE]!, query, [
          system,
          sink.metres[i]!,
        ]);
      continue;
    }
    const base = states[row]!;
    const matched = base & MODES_MASK & query.modes;
    if (matched === 0 || base & HIDDEN_BIT) continue;
    let state = base | (matched << MATCHED_SHIFT) | systemClosed;
    if (!(base & NO_STATUS_BIT)) {
      state |= time;
      if (isSilent(status!.last_reported[row]!, now_s)) state |= UNKNOWN_BIT;
    }
    if (closures?.stations.get(row)?.some((alert) => inForce(alert, now_s))) state |= CLOSED_BIT;
    push(hits, system, row, state, sink.metres[i]!);
  }
  return sink.count;
}

/** A station of several observations: the best source says where it is, the freshest what it holds. */
function collectCase(
  hits: Hits,
  of: Case,
  query: HitQuery,
  [system, metres]: readonly [number, number],
): void {
  const now_s = query.now_ms / 1000;
  const [lead] = of.members;
  const live = findLive(of, now_s);
  const told = of.members[live] ?? lead!;
  const { status, statics } = told.entry.shard!;
  const base = (live === -1 ? statics.state : status!.data!.state)[told.row]!;
  const modes = (base | lead!.statics.state[lead!.row]!) & MODES_MASK;
  const matched = modes & query.modes;
  if (matched === 0 || base & HIDDEN_BIT) return;
  let state = base | modes | (matched << MATCHED_SHIFT);
  if (live !== -1) {
    state |= stationTime(status, now_s);
    if (isSilent(status!.data!.last_reported[told.row]!, now_s)) state |= UNKNOWN_BIT;
  }
  if (of.members.some(({ entry, row }) => isClosed(entry, row, now_s))) state |= CLOSED_BIT;
  push(hits, system, lead!.row, state, metres);
  hits.case_at[hits.count - 1] = hits.cases.push({ of, live });
}

function isSilent(reported_s: number, now_s: number): boolean {
  return reported_s !== 0 && reported_s < now_s - SILENT_S;
}

function isClosed({ closures }: SystemEntry, row: number, now_s: number): boolean {
  if (!closures) return false;
  const own = closures.stations.get(row) ?? [];
  return [...closures.system, ...own].some((alert) => inForce(alert, now_s));
}

/** Each source that observes a listed station has matched, though one row tells of it. */
function countMembers(hits: Hits): void {
  for (const { of } of hits.cases)
    for (const { entry } of of.members.slice(1)) {
      const system = hits.systems.indexOf(entry);
      if (system !== -1) hits.matched[system]!++;
    }
}

/** R7: a station that has not spoken for a day is unknown. */
const SILENT_S = 24 * 3600;
/** R6, R7 for vehicles: unknown after 15 minutes, gone after an hour. */
const VEHICLE_UNKNOWN_S = 900;
const VEHICLE_GONE_S = 3600;

function stationTime(part: Part<unknown> | null, now_s: number): number {
  if (!part?.live) return CLASS.static << DATA_CLASS_SHIFT;
  const age_s = now_s - part.live.doc_s;
  return (
    (dataClass(age_s, part.live.ttl_s) << DATA_CLASS_SHIFT) |
    (age_s > DOCUMENT_OLD_S ? UNKNOWN_BIT : 0)
  );
}

/** R6: realtime while the document is younger than max(300 s, 2 × ttl). */
function dataClass(age_s: number, ttl_s: number): number {
  return age_s <= Math.max(300, 2 * ttl_s) ? CLASS.realtime : CLASS.semi_static;
}

/** R6: vehicles of a document that is older than an hour are left out. */
export function areVehiclesGone(live: LiveState, now_ms: number): boolean {
  return now_ms / 1000 - live.doc_s > VEHICLE_GONE_S;
}

function collectVehicles(hits: Hits, system: number, shard: Shard, query: HitQuery): number {
  const vehicles = shard.vehicles!.data!;
  const live = shard.vehicles!.live;
  const now_s = query.now_ms / 1000;
  const age_s = live ? now_s - live.doc_s : Number.POSITIVE_INFINITY;
  sink.count = 0;
  searchBands(vehicles.index, query.circle, query.circle.radius_m, sink);
  if (!live || areVehiclesGone(live, query.now_ms)) return sink.count;
  const closures = hits.systems[system]!.closures;
  const time =
    (dataClass(age_s, live.ttl_s) << DATA_CLASS_SHIFT) |
    (age_s > VEHICLE_UNKNOWN_S ? UNKNOWN_BIT : 0) |
    (closures?.system.some((alert) => inForce(alert, now_s)) ? CLOSED_BIT : 0);
  const expires = vehicles.meta.has_expiry;
  for (let i = 0; i < sink.count; i++) {
    const row = sink.rows[i]!;
    const base = vehicles.state[row]!;
    const matched = base & MODES_MASK & query.modes;
    if (matched === 0) continue;
    let state = base | (matched << MATCHED_SHIFT) | time;
    if (expires) {
      const until = vehicles.until[row]!;
      if (until !== 0 && until <= now_s) state |= EXPIRED_BIT;
    }
    push(hits, system, row, state, sink.metres[i]!);
  }
  return sink.count;
}

// oxlint-disable-next-line max-params -- once per hit: no options object here
function push(hits: Hits, system: number, row: number, state: number, metres: number): void {
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
}

function copied<T extends Float64Array | Uint16Array | Uint32Array>(to: T, from: T): T {
  to.set(from);
  return to;
}

function sortHits(hits: Hits): void {
  const { count, decimetres, order } = hits;
  if (keys.length < count) keys = new Float64Array(hits.row.length);
  for (let i = 0; i < count; i++) keys[i] = decimetres[i]! * KEY_STEP + i;
  if (count <= FEW) sortFew(keys, count);
  else keys.subarray(0, count).sort();
  for (let i = 0; i < count; i++) order[i] = keys[i]! % KEY_STEP;
  orderTies(hits);
}

/** Up to here insertion beats the call out of JavaScript that the built-in sort is. */
const FEW = 32;

function sortFew(values: Float64Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const value = values[i]!;
    let at = i;
    while (at > 0 && values[at - 1]! > value) {
      values[at] = values[at - 1]!;
      at--;
    }
    values[at] = value;
  }
}

/** Hits at one stated distance are ordered by id. A run may be long: a depot, a virtual station. */
function orderTies(hits: Hits): void {
  const { count, decimetres, order } = hits;
  let start = 0;
  for (let end = 1; end <= count; end++) {
    if (end < count && decimetres[order[end]!] === decimetres[order[start]!]) continue;
    if (end - start > 1) orderRun(hits, order.subarray(start, end));
    start = end;
  }
}

function orderRun(hits: Hits, run: Uint32Array): void {
  const named = Array.from(run, (hit) => ({ hit, id: idOf(hits, hit) }));
  named.sort((a, b) => Buffer.compare(a.id, b.id));
  run.set(named.map(({ hit }) => hit));
}

/** The id a hit is known by: a station's `id`, a vehicle's `source_id`. */
export function hitId(hits: Hits, hit: number): string {
  return idOf(hits, hit).toString();
}

/** A station that is more than its row; null: it is not, or it is a vehicle. */
export function caseOf(hits: Hits, hit: number): CaseHit | null {
  const at = hits.case_at[hit]!;
  return at === 0 ? null : hits.cases[at - 1]!;
}

/** The id a hit is ordered by, in bytes: a station's `id`, a vehicle's `source_id`. */
function idOf(hits: Hits, i: number): Buffer {
  const known = caseOf(hits, i);
  if (known) return Buffer.from(known.of.id);
  const shard = hits.systems[hits.system[i]!]!.shard!;
  const head = isVehicle(hits.state[i]!) ? shard.vehicles!.data!.head : shard.statics.head;
  const row = hits.row[i]!;
  const start = head.offsets[row]!;
  const bytes = Buffer.from(
    head.bytes.buffer,
    head.bytes.byteOffset + start,
    head.offsets[row + 1]! - start,
  );
  // The first member of either head is the id, as a JSON string.
  const open = bytes.indexOf(COLON) + 1;
  let close = open + 1;
  while (bytes[close] !== QUOTE) close += bytes[close] === BACKSLASH ? 2 : 1;
  const quoted = bytes.subarray(open, close + 1);
  const plain = !quoted.includes(BACKSLASH);
  return plain ? quoted.subarray(1, -1) : Buffer.from(JSON.parse(quoted.toString()) as string);
}

const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function isVehicle(state: number): boolean {
  return (state & VEHICLE_BIT) !== 0;
}
const VEHICLE_BIT = 1 << 26;
