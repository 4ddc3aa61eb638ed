/**
 * The answer of /v1/nearby as bytes (§2.9). Items are joined from pieces rendered at ingest; only
 * distances, ways on foot and the frame are written per question. The pieces of a station:
 *
 *     {"id":…,"distance_meters": │ 123.4 │ ,"rental_uris":{… │ ,"availability":{…},"provenance":[{… │ ,"license":…}],…,"network":…}
 *     prefix: its row of           written   repeats: shared   separator: its row of                suffix: by system and state,
 *     statics                      here      (repeats)         status                               world/tails
 *
 * The packs are those of packages/stations/shard. A vehicle has a prefix, into which the provenance of
 * other feeds is put, its distance, its repeats, the station where it is parked
 * and a suffix by state and type, and no separator. A station of
 * several observations has a prefix and a separator of its own, made of those of its members
 * (world/identity/case-view), and its suffix is taken from `"network"` on.
 *
 * The items, with commas between them, are put into the static parts of the answer:
 *
 *     {"status":…,"stations":[ │ item,item │ ],"vehicles":[ │ item,item │ ],"alerts":[…]},"available_actions":[…]}
 *     frame.before                            BETWEEN                      closing
 */
import type { MatchBody } from "#api/filter-match.ts";
import type { WalkBody } from "#api/walk.ts";
import { FIRST_TEXT_BIT, bitsText } from "#stations/shard/bits.ts";
import { type Blob, readText } from "#kit/bytes.ts";
import type { RepeatedTexts } from "#stations/shard/shard-repeats.ts";
import { middleOf, UNKNOWN_AVAILABILITY } from "#stations/shard/shard-status.ts";
import { BufferPool } from "#world/buffers.ts";
import type { FoundItem } from "#world/found.ts";
import { type CaseHit, isVehicle } from "#world/nearby-hits.ts";
import { actionsOf, type Tail } from "#world/tails.ts";
import type { Sighting } from "#world/vehicles/sightings.ts";

/** JSON texts around the two rendered arrays, in the order they are written. */
export type Frame = {
  /** From `{` to the stations' `[`. */
  before: string;
  /** JSON array of alerts. */
  alerts: string;
};

/**
 * Gets a rendered answer for the length of the call. Returns whether the bytes are done with (sent or copied): the next answer is then rendered
 * over them. Where something still reads them (a socket that has not taken everything) it returns
 * false, and the memory is never used again.
 */
export type UseBody = (body: Uint8Array | string) => boolean;

/** Copies what is rendered into a value of the caller's own that nothing else writes to. */
export function copyOf(render: (use: UseBody) => void): Buffer {
  let bytes = Buffer.alloc(0);
  render((body) => {
    if (typeof body === "string") bytes = Buffer.from(body);
    else {
      bytes = Buffer.allocUnsafeSlow(body.length);
      bytes.set(body);
    }
    return true;
  });
  return bytes;
}

/** Owns the memory that answers are rendered into, and shows it only to `use`. */
export class PageRenderer {
  readonly #pool = new BufferPool();
  /** JSON of the actions by their mask: a pure function's results, at most one for each mask. */
  readonly #actions = new Map<number, string>();

  /** Renders sorted items within their frame and passes the answer to `use`, once. */
  render(items: readonly FoundItem[], frame: Frame, use: UseBody): void {
    // Without items a text from end to end: taking a buffer, writing into it and reading it back
    // would cost more than the answer.
    if (items.length === 0) {
      use(`${frame.before}${BETWEEN}${this.#closing(frame, 0)}`);
      return;
    }
    const out: Output = { pool: this.#pool, buffer: this.#pool.acquire(), length: 0 };
    writeText(out, frame.before);
    let actions = renderItems(out, items, false);
    writeText(out, BETWEEN);
    actions |= renderItems(out, items, true);
    writeText(out, this.#closing(frame, actions));
    const isDone = use(out.buffer.subarray(0, out.length));
    if (isDone) this.#pool.release(out.buffer);
  }

  #closing({ alerts }: Frame, mask: number): string {
    let actions = this.#actions.get(mask);
    if (actions === undefined) this.#actions.set(mask, (actions = JSON.stringify(actionsOf(mask))));
    return `],"alerts":${alerts}},"available_actions":${actions}}`;
  }
}

/** From the end of the stations to the start of the vehicles. */
const BETWEEN = `],"vehicles":[`;

/** The answer is the first `length` bytes of the buffer. */
type Output = { readonly pool: BufferPool; buffer: Buffer; length: number };

/** Bytes beyond an item's pieces: commas, digits of its distance, its way on foot, its filters. */
const SLACK = 384;

/** Appends the stations of the items, or the vehicles, in order; returns the union of their actions. */
function renderItems(out: Output, items: readonly FoundItem[], vehicles: boolean): number {
  let actions = 0;
  let first = true;
  for (const item of items) {
    if (isVehicle(item.state) !== vehicles) continue;
    if (!first) out.buffer[out.length++] = COMMA;
    first = false;
    actions |= vehicles ? renderVehicle(out, item) : renderStation(out, item);
  }
  return actions;
}

function renderStation(out: Output, item: FoundItem): number {
  if (item.merged) return renderCase(out, item, item.merged);
  const { shard, row, state } = item;
  const { head, repeats, ids } = shard.statics;
  const tail = item.tails.of(state);
  const hasOwn = bitsText(state) === -1 && repeats.of.length > 0;
  const headStart = head.offsets[row]!;
  const headEnd = head.offsets[row + 1]!;
  const middle = shard.status?.data?.middle;
  const middleStart = middle ? middle.offsets[row]! : 0;
  const middleEnd = middle ? middle.offsets[row + 1]! : 0;
  reserve(out, headEnd - headStart + middleEnd - middleStart + tail.bytes.length + SLACK);
  copy(out, head.bytes, headStart, headEnd);
  writeDistance(out, item.decimetres);
  if (item.walk !== undefined) writeWalk(out, item.walk);
  if (item.match !== undefined) writeMatch(out, item.match);
  if (hasOwn) {
    writeOwn(out, repeats, repeats.of[row]!, { bytes: ids.bytes, start: ids.offsets[row]! });
    reserve(out, middleEnd - middleStart + tail.bytes.length + SLACK);
  }
  if (middleEnd > middleStart) copy(out, middle!.bytes, middleStart, middleEnd);
  else
    writeUnknown(
      out,
      readText(shard.statics.ids, row),
      shard.statics.meta.system_id,
      tail.bytes.length,
    );
  out.buffer.set(tail.bytes, out.length);
  if (tail.gaps.length > 0) fill(out, tail, ids.bytes, ids.offsets[row]!);
  out.length += tail.bytes.length;
  return tail.actions;
}

/** A station of several observations, or with near misses: its state holds it rendered. */
function renderCase(out: Output, item: FoundItem, { view, place }: CaseHit): number {
  const tail = item.tails.of(item.state & ~FIRST_TEXT_BIT);
  // A character is at most three bytes.
  const bytes = view.sizeOf(place) + 3 * item.conflict.length;
  reserve(out, bytes + tail.bytes.length + SLACK);
  out.length = view.copyHead(place, out.buffer, out.length);
  writeDistance(out, item.decimetres);
  if (item.walk !== undefined) writeWalk(out, item.walk);
  if (item.match !== undefined) writeMatch(out, item.match);
  out.length = view.copyRest(place, out.buffer, out.length, item.conflict);
  copy(out, tail.bytes, tail.after_resolution, tail.bytes.length);
  return tail.actions;
}

function renderVehicle(out: Output, item: FoundItem): number {
  const { shard, tails, row, state, decimetres, station_id, sightings, conflict } = item;
  const { head, meta, repeats } = shard.vehicles!.data!;
  const tail = tails.of(state);
  const hasOwn = bitsText(state) === -1;
  const start = head.offsets[row]!;
  const end = head.offsets[row + 1]!;
  reserve(out, end - start + tail.bytes.length + SLACK);
  if (sightings.length === 0) copy(out, head.bytes, start, end);
  else {
    const joint = endOfProvenance(head, row);
    copy(out, head.bytes, start, joint);
    for (const sighting of sightings) writeProvenance(out, sighting);
    reserve(out, end - joint + tail.bytes.length + SLACK);
    copy(out, head.bytes, joint, end);
  }
  writeDistance(out, decimetres);
  if (item.walk !== undefined) writeWalk(out, item.walk);
  if (item.match !== undefined) writeMatch(out, item.match);
  if (hasOwn)
    writeOwn(out, repeats, repeats.of[row]!, { bytes: head.bytes, start: start + meta.id_at });
  if (station_id !== null) writeText(out, `,"station_id":"${station_id}"`);
  if (hasOwn || station_id !== null) reserve(out, tail.bytes.length + SLACK);
  out.buffer.set(tail.bytes, out.length);
  if (tail.gaps.length > 0) fill(out, tail, head.bytes, start + meta.id_at);
  out.length += tail.bytes.length;
  if (conflict !== "") writeConflict(out, conflict);
  return tail.actions;
}

/** The end of a vehicle (world/tails): its conflicts come last, and none is of its kind alone. */
const CONFLICTS_END = `]}`;

function writeConflict(out: Output, conflict: string): void {
  out.length -= CONFLICTS_END.length;
  writeText(out, conflict + CONFLICTS_END);
}

/** Bare in the start of a vehicle (packages/stations/shard/shard-vehicles): within a text the quotes are escaped. */
const PROVENANCE = Buffer.from(`"provenance":[`);
const PROVENANCE_END = Buffer.from(`],"source":{`);

/** What another feed says of the same vehicle, as one more item of its provenance. */
function writeProvenance(out: Output, { shard, row }: Sighting): void {
  const { head } = shard.vehicles!.data!;
  const start = indexIn(head, row, PROVENANCE) + PROVENANCE.length;
  const end = endOfProvenance(head, row);
  reserve(out, end - start + SLACK);
  out.buffer[out.length++] = COMMA;
  copy(out, head.bytes, start, end);
}

function endOfProvenance(head: Blob, row: number): number {
  return indexIn(head, row, PROVENANCE_END);
}

function indexIn({ bytes, offsets }: Blob, row: number, text: Buffer): number {
  const { buffer, byteOffset } = bytes;
  return Buffer.from(buffer, byteOffset, bytes.length).indexOf(text, offsets[row]);
}

/** Members of a row that few others have. `id`: where the publisher's id begins. */
function writeOwn(
  out: Output,
  { texts, gaps, first, id_bytes }: RepeatedTexts,
  text: number,
  id: { bytes: Uint8Array; start: number },
): void {
  const start = texts.offsets[text]!;
  const end = texts.offsets[text + 1]!;
  reserve(out, end - start);
  const at = out.length;
  copy(out, texts.bytes, start, end);
  const own = id.bytes.subarray(id.start, id.start + id_bytes[text]!);
  for (let gap = first[text]!; gap < first[text + 1]!; gap++) out.buffer.set(own, at + gaps[gap]!);
}

/** Puts the id that begins at `start` of `ids` into the gaps of an end that was just copied. */
function fill({ buffer, length }: Output, tail: Tail, ids: Uint8Array, start: number): void {
  const { gaps, id_bytes } = tail;
  for (let gap = 0; gap < gaps.length; gap++) {
    const to = length + gaps[gap]!;
    for (let i = 0; i < id_bytes; i++) buffer[to + i] = ids[start + i]!;
  }
}

/** Separator of a station that no source reports counts of: rare, and rendered here. */
function writeUnknown(out: Output, id: string, system_id: string, then: number): void {
  const text = middleOf(JSON.stringify(UNKNOWN_AVAILABILITY), id, system_id);
  reserve(out, text.length * 3 + then + SLACK);
  out.length += out.buffer.write(text, out.length);
}

function reserve(out: Output, bytes: number): void {
  out.buffer = out.pool.ensureRoom(out.buffer, out.length, bytes);
}

/** Node's copy without a `subarray` in between; it takes any bytes as its source. */
const copyBytes = Buffer.prototype.copy as (
  this: Uint8Array,
  target: Uint8Array,
  at: number,
  start: number,
  end: number,
) => number;

function copy(out: Output, bytes: Uint8Array, start: number, end: number): void {
  copyBytes.call(bytes, out.buffer, out.length, start, end);
  out.length += end - start;
}

function writeText(out: Output, text: string): void {
  reserve(out, text.length * 3 + SLACK);
  out.length += out.buffer.write(text, out.length);
}

const COMMA = 0x2c;
const POINT = 0x2e;
const ZERO = 0x30;

/** Tenths of a metre as a JSON number: 1234 → 123.4, 1230 → 123. */
function writeDistance(out: Output, decimetres: number): void {
  const whole = Math.floor(decimetres / 10);
  const tenth = decimetres - whole * 10;
  let digits = 1;
  for (let rest = whole; rest >= 10; rest = Math.floor(rest / 10)) digits++;
  let at = out.length + digits;
  out.length = at;
  let rest = whole;
  do {
    const next = Math.floor(rest / 10);
    out.buffer[--at] = ZERO + rest - next * 10;
    rest = next;
  } while (rest > 0);
  if (tenth === 0) return;
  out.buffer[out.length++] = POINT;
  out.buffer[out.length++] = ZERO + tenth;
}

/** A member of an item whose question asked for ways on foot: at most 70 bytes, which `SLACK` has. */
function writeWalk(out: Output, walk: WalkBody | null): void {
  out.length += out.buffer.write(`,"walk":${JSON.stringify(walk)}`, out.length);
}

/** Members of an item whose question has filters: at most 210 bytes with all of their names. */
function writeMatch(out: Output, { match, unknown }: MatchBody): void {
  const text = `,"match":"${match}","unknown":${JSON.stringify(unknown)}`;
  out.length += out.buffer.write(text, out.length);
}
