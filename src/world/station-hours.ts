/**
 * Published hours of the stations of a shard (R9): their own, else those of
 * their system, by the clocks that the system states.
 */
import { createHoursMemory, evaluateHours, parseHours } from "#core/hours/hours.ts";
import type { Hours, HoursMemory, HoursPlace } from "#core/hours/hours.ts";
import { CLOSED_BIT, getField, HOURS_CONFLICT_BIT, TRI } from "#core/nearby/bits.ts";
import { readText } from "#core/shard/bytes.ts";
import { repeatsText } from "#core/shard/repeats.ts";
import type { Shard } from "#core/shard/shard.ts";
import type { Statics } from "#core/shard/statics.ts";

/** A system has few texts, and they are short; of others nothing is concluded. */
const MOST_TEXTS = 64;
const MOST_CHARACTERS = 256;
/** Degrees. The sun is that of the middle of a system: it is within minutes all over a town. */
const WIDEST = 1;
/** What a publisher says of the station now goes before its hours while it is younger. */
const YOUNG_S = 15 * 60;

/** Hours that are evaluated, and the span in which the last state holds. */
type Course = { hours: Hours; isClosed: boolean; from_ms: number; until_ms: number };

/** Returns the hours of a shard's stations; null where none is published, or it states no zone. */
export function stationHoursOf({ statics }: Shard, country: string | null): StationHours | null {
  const { has_hours, system, box } = statics.meta;
  const time_zone = system?.timezone ?? null;
  if (has_hours !== true || time_zone === null || box === null) return null;
  // A box over the antimeridian ends beyond it.
  const east = box.east < box.west ? box.east + 360 : box.east;
  const isWide = box.north - box.south > WIDEST || east - box.west > WIDEST;
  const middle = { lat: (box.south + box.north) / 2, lon: (box.west + east) / 2 };
  return new StationHours(statics, { ...middle, time_zone, country }, isWide);
}

/** Of members as JSON, each with a comma before it; null: there are none. */
function readHours(members: string): string | null {
  const found = OPENING.exec(members)?.[1];
  return found === undefined ? null : (JSON.parse(`"${found}"`) as string);
}

/** They come first, as core/shard/statics writes them. */
const OPENING = /^,"opening_hours":"((?:[^"\\]|\\.)*)"/;

export class StationHours {
  readonly #statics: Statics;
  readonly #place: HoursPlace;
  readonly #is_wide: boolean;
  readonly #memory: HoursMemory = createHoursMemory();
  /** By row: 1 + its course, 0 while it was not needed; NO_COURSE: it has none. */
  readonly #of: Uint8Array;
  readonly #courses: Course[] = [];
  readonly #known = new Map<string, number>();

  constructor(statics: Statics, place: HoursPlace, is_wide: boolean) {
    this.#statics = statics;
    this.#place = place;
    this.#is_wide = is_wide;
    this.#of = new Uint8Array(statics.count);
  }

  /** Reports whether a station is closed for certain. */
  isClosed(row: number, now_ms: number): boolean {
    let at = this.#of[row]!;
    if (at === 0) this.#of[row] = at = this.#open(row);
    if (at === NO_COURSE) return false;
    const course = this.#courses[at - 1]!;
    if (now_ms < course.from_ms || now_ms >= course.until_ms) this.#move(course, now_ms);
    return course.isClosed;
  }

  /** The text is that of the row: texts that are kept once have gaps where an id occurs by chance. */
  #open(row: number): number {
    const { repeats, ids } = this.#statics;
    const text = readHours(repeatsText(repeats, row, readText(ids, row)));
    if (text === null || text.length > MOST_CHARACTERS) return NO_COURSE;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_TEXTS) return NO_COURSE;
    const hours = parseHours(text);
    const isUsed = hours !== null && !(hours.sun && this.#is_wide);
    if (isUsed) this.#courses.push({ hours, isClosed: false, from_ms: 0, until_ms: 0 });
    const at = isUsed ? this.#courses.length : NO_COURSE;
    this.#known.set(text, at);
    return at;
  }

  #move(course: Course, now_ms: number): void {
    const { state, until_ms } = evaluateHours(course.hours, now_ms, this.#place, this.#memory);
    course.isClosed = state === "closed";
    course.from_ms = now_ms;
    course.until_ms = until_ms ?? now_ms + HOUR_MS;
  }
}

/** More than MOST_TEXTS. */
const NO_COURSE = 255;
const HOUR_MS = 3_600_000;

/**
 * Bits of a station that is closed by its hours: closed, or in conflict with a young report that it
 * rents. `reported_s`: when the publisher last spoke of it; null: never.
 */
export function closedByHours(state: number, reported_s: number | null, now_s: number): number {
  const isYoung = reported_s !== null && now_s - reported_s < YOUNG_S;
  return isYoung && getField(state, "renting") === TRI.yes ? HOURS_CONFLICT_BIT : CLOSED_BIT;
}
