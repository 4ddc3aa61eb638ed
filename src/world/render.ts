/**
 * The answer of /v1/nearby as bytes (§2.9). Items are joined from pieces rendered at ingest; only
 * distances and the frame are written per question, into one pooled buffer.
 */
import { readText } from "#core/shard/bytes.ts";
import { middleOf, UNKNOWN_AVAILABILITY } from "#core/shard/status.ts";
import { ensureRoom, HEADROOM, returnBuffer, takeBuffer } from "#world/buffers.ts";
import { type CaseHit, caseOf, type Hits, isVehicle } from "#world/hits.ts";
import type { Case } from "#world/identity/cases.ts";
import { countConflict, hasCountConflict } from "#world/identity/live.ts";
import { actionsOf } from "#world/tails.ts";

export type Page = { from: number; to: number };

/** JSON texts around the two rendered arrays, in the order they are written. */
export type Frame = {
  /** From `{` to before the stations' `[`. */
  before: string;
  /** JSON array of alerts. */
  alerts: string;
};

/**
 * Gets a rendered answer for the length of the call; before it lie `room` bytes that may be written
 * to. Returns whether the bytes are done with (sent or copied): the next answer is then rendered
 * over them. Where something still reads them (a socket that has not taken everything) it returns
 * false, and the buffer is never used again.
 */
export type UseBody = (body: Uint8Array | string, room: number) => boolean;

/** What is rendered, as a value of the caller's own that nothing else writes to, with `room` before it. */
export function copyOf(render: (use: UseBody) => void, room = 0): Buffer {
  let bytes = Buffer.alloc(0);
  render((body) => {
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    bytes = Buffer.allocUnsafeSlow(room + length);
    if (typeof body === "string") bytes.write(body, room);
    else bytes.set(body, room);
    return true;
  });
  return bytes.subarray(room);
}

/** The answer lies between HEADROOM and `length`. */
type Rendered = { buffer: Buffer; length: number };

/** Bytes beyond an item's pieces: commas, digits of its distance. */
const SLACK = 32;

/** Renders one page of sorted hits and passes it to `use`. */
export function renderPage(
  hits: Hits,
  { page, frame }: { page: Page; frame: Frame },
  use: UseBody,
): void {
  const out = renderParts(hits, page, frame);
  const isDone = use(out.buffer.subarray(HEADROOM, out.length), HEADROOM);
  if (isDone) returnBuffer(out.buffer);
}

function renderParts(hits: Hits, page: Page, frame: Frame): Rendered {
  let out: Rendered = { buffer: takeBuffer(), length: HEADROOM };
  out = writeText(out, frame.before);
  let actions = renderItems(out, hits, page, false);
  out = writeText(out, BETWEEN);
  actions |= renderItems(out, hits, page, true);
  return writeText(out, closing(frame, actions));
}

/**
 * An answer without items: a text from end to end, since taking a buffer, writing into it and
 * reading it back would cost more than the answer.
 */
export function renderNothing(frame: Frame): string {
  return `${frame.before}${BETWEEN}${closing(frame, 0)}`;
}

/** From the end of the stations to the start of the vehicles. */
const BETWEEN = `],"vehicles":[`;

function closing(frame: Frame, actions: number): string {
  return `],"alerts":${frame.alerts}},"available_actions":${actionsJson(actions)}}`;
}

/** Appends the page's stations, or its vehicles, in order; gives the union of their actions. */
function renderItems(out: Rendered, hits: Hits, page: Page, vehicles: boolean): number {
  let actions = 0;
  let first = true;
  for (let position = page.from; position < page.to; position++) {
    const hit = hits.order[position]!;
    if (isVehicle(hits.state[hit]!) !== vehicles) continue;
    if (!first) out.buffer[out.length++] = COMMA;
    first = false;
    actions |= vehicles ? renderVehicle(out, hits, hit) : renderStation(out, hits, hit);
  }
  return actions;
}

function renderStation(out: Rendered, hits: Hits, hit: number): number {
  const known = caseOf(hits, hit);
  if (known) return renderCase(out, hits, hit, known);
  const entry = hits.systems[hits.system[hit]!]!;
  const shard = entry.shard!;
  const { head } = shard.statics;
  const row = hits.row[hit]!;
  const tail = entry.tails!.of(hits.state[hit]!);
  const headStart = head.offsets[row]!;
  const headEnd = head.offsets[row + 1]!;
  const middle = shard.status?.data?.middle;
  const middleStart = middle ? middle.offsets[row]! : 0;
  const middleEnd = middle ? middle.offsets[row + 1]! : 0;
  reserve(out, headEnd - headStart + middleEnd - middleStart + tail.bytes.length + SLACK);
  copy(out, head.bytes, headStart, headEnd);
  writeDistance(out, hits.decimetres[hit]!);
  if (middleEnd > middleStart) copy(out, middle!.bytes, middleStart, middleEnd);
  else
    writeUnknown(
      out,
      readText(shard.statics.ids, row),
      shard.statics.meta.system_id,
      tail.bytes.length,
    );
  out.buffer.set(tail.bytes, out.length);
  out.length += tail.bytes.length;
  return tail.actions;
}

/** A station of several observations, or with near misses: its parts were rendered with its case. */
function renderCase(out: Rendered, hits: Hits, hit: number, { of, live }: CaseHit): number {
  const tail = hits.systems[hits.system[hit]!]!.tails!.of(hits.state[hit]!);
  const text = of.text();
  const after = text.after(live);
  const conflict = hasCountConflict(of, live) ? countConflict(of, live) : "";
  reserve(out, text.head.length + NOTHING.length + SLACK);
  copy(out, text.head, 0, text.head.length);
  writeDistance(out, hits.decimetres[hit]!);
  writeCounts(out, of, live);
  reserve(out, after.bytes.length + conflict.length * 3 + tail.bytes.length + SLACK);
  copy(out, after.bytes, 0, after.conflict_at);
  if (conflict !== "") {
    if (after.follows) out.buffer[out.length++] = COMMA;
    out.length += out.buffer.write(conflict, out.length);
  }
  copy(out, after.bytes, after.conflict_at, after.bytes.length);
  copy(out, tail.bytes, tail.after_resolution, tail.bytes.length);
  return tail.actions;
}

const NOTHING = Buffer.from(`,"availability":${JSON.stringify(UNKNOWN_AVAILABILITY)}`);

/** `,"availability":{…}` of the member that tells it; where nobody does, all of it is unknown. */
function writeCounts(out: Rendered, of: Case, live: number): void {
  const member = of.members[live];
  if (!member) return copy(out, NOTHING, 0, NOTHING.length);
  const { bytes, offsets } = member.entry.shard!.status!.data!.middle;
  const start = offsets[member.row]!;
  const end = offsets[member.row + 1]! - of.text().suffix[live]!;
  reserve(out, end - start + SLACK);
  copy(out, bytes, start, end);
}

function renderVehicle(out: Rendered, hits: Hits, hit: number): number {
  const entry = hits.systems[hits.system[hit]!]!;
  const { head } = entry.shard!.vehicles!.data!;
  const row = hits.row[hit]!;
  const tail = entry.tails!.of(hits.state[hit]!);
  const start = head.offsets[row]!;
  const end = head.offsets[row + 1]!;
  reserve(out, end - start + tail.bytes.length + SLACK);
  copy(out, head.bytes, start, end);
  writeDistance(out, hits.decimetres[hit]!);
  out.buffer.set(tail.bytes, out.length);
  out.length += tail.bytes.length;
  return tail.actions;
}

/** A station whose counts nobody reports: rendered here, since it is rare and holds no state. */
function writeUnknown(out: Rendered, id: string, system_id: string, then: number): void {
  const text = middleOf(JSON.stringify(UNKNOWN_AVAILABILITY), id, system_id);
  reserve(out, text.length * 3 + then + SLACK);
  out.length += out.buffer.write(text, out.length);
}

function reserve(out: Rendered, bytes: number): void {
  out.buffer = ensureRoom(out.buffer, out.length, bytes);
}

/** Node's copy without a `subarray` in between; it takes any bytes as its source. */
const copyBytes = Buffer.prototype.copy as (
  this: Uint8Array,
  target: Uint8Array,
  at: number,
  start: number,
  end: number,
) => number;

function copy(out: Rendered, bytes: Uint8Array, start: number, end: number): void {
  copyBytes.call(bytes, out.buffer, out.length, start, end);
  out.length += end - start;
}

function writeText(out: Rendered, text: string): Rendered {
  reserve(out, text.length * 3 + SLACK);
  out.length += out.buffer.write(text, out.length);
  return out;
}

const COMMA = 0x2c;
const POINT = 0x2e;
const ZERO = 0x30;

/** Tenths of a metre as a JSON number: 1234 → 123.4, 1230 → 123. */
function writeDistance(out: Rendered, decimetres: number): void {
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

const actionTexts = new Map<number, string>();

function actionsJson(mask: number): string {
  const known = actionTexts.get(mask);
  if (known !== undefined) return known;
  const text = JSON.stringify(actionsOf(mask));
  actionTexts.set(mask, text);
  return text;
}
