/**
 * Published hours of the stations of a shard (R9): their own, else those of
 * their system, by the clocks that the system states and the holidays of where each station is.
 */
import { createHoursMemory, evaluateHours, parseHours } from "#hours/hours.ts";
import type { Hours, HoursMemory, HoursPlace } from "#hours/hours.ts";
import { CLOSED_BIT, getField, HOURS_CONFLICT_BIT, TRI } from "#stations/shard/bits.ts";
import { readText } from "#kit/bytes.ts";
import { repeatsText } from "#stations/shard/shard-repeats.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { Statics } from "#stations/shard/shard-statics.ts";

/** A system has few texts, and they are short; of others nothing is concluded. */
const MOST_TEXTS = 64;
const MOST_CHARACTERS = 256;
/** Degrees. The sun is that of the middle of a system: it is within minutes all over a town. */
const WIDEST = 1;
/** What a publisher says of the station now goes before its hours while it is younger. */
const YOUNG_S = 15 * 60;

/** Whose holidays a place keeps, by codes of ISO 3166. */
type Territory = Pick<HoursPlace, "country"> & { region: string | null };

/** Where stations are. `at`: null while that is not known yet; what it says changes with `version`. */
export type Territories = {
  version(): number;
  at(lat: number, lon: number): Territory | null;
};

/** Where nothing but the country of a system is known. */
export const NO_TERRITORIES: Territories = {
  version: () => 0,
  at: () => ({ country: null, region: null }),
};

/** Hours that are evaluated at a place, and the span in which the last state holds. */
type Course = {
  hours: Hours;
  place: HoursPlace;
  isClosed: boolean;
  from_ms: number;
  until_ms: number;
};

/** Returns the hours of a shard's stations; null where none is published, or it states no zone. */
export function stationHoursOf(
  { statics }: Shard,
  country: string | null,
  territories: Territories,
): StationHours | null {
  const { has_hours, system, box } = statics.meta;
  const time_zone = system?.timezone ?? null;
  if (has_hours !== true || time_zone === null || box === null) return null;
  // A box over the antimeridian ends beyond it.
  const east = box.east < box.west ? box.east + 360 : box.east;
  const isWide = box.north - box.south > WIDEST || east - box.west > WIDEST;
  const middle = { lat: (box.south + box.north) / 2, lon: (box.west + east) / 2 };
  const place = { ...middle, time_zone, country };
  return new StationHours(statics, { place, isWide, territories });
}

/** Of members as JSON, each with a comma before it; null: there are none. */
function readHours(members: string): string | null {
  const match = OPENING.exec(members)?.[1];
  return match === undefined ? null : (JSON.parse(`"${match}"`) as string);
}

/** They come first, as packages/stations/shard/shard-statics writes them. */
const OPENING = /^,"opening_hours":"((?:[^"\\]|\\.)*)"/;

type HoursContext = { place: HoursPlace; isWide: boolean; territories: Territories };

export class StationHours {
  readonly #statics: Statics;
  readonly #given: HoursContext;
  readonly #memory: HoursMemory = createHoursMemory();
  /** By row: 1 + its course, 0 while it was not needed; NO_COURSE: it has none. */
  readonly #of: Uint8Array;
  readonly #courses: Course[] = [];
  /** Numbers of courses by hours and territory. */
  readonly #known = new Map<string, number>();
  readonly #hours = new Map<string, Hours | null>();
  #version: number;

  constructor(statics: Statics, input: HoursContext) {
    this.#statics = statics;
    this.#given = input;
    this.#of = new Uint8Array(statics.count);
    this.#version = input.territories.version();
  }

  /** Reports whether a station is closed for certain. */
  isClosed(row: number, now_ms: number): boolean {
    this.#renew();
    let at = this.#of[row]!;
    if (at === 0) at = this.#open(row);
    if (at === NO_COURSE) return false;
    const course = this.#courses[at - 1]!;
    if (now_ms < course.from_ms || now_ms >= course.until_ms) this.#move(course, now_ms);
    return course.isClosed;
  }

  /** Forgets where stations are once other boundaries are known. */
  #renew(): void {
    const version = this.#given.territories.version();
    if (version === this.#version) return;
    this.#version = version;
    this.#of.fill(0);
    this.#courses.length = 0;
    this.#known.clear();
  }

  /** The text is that of the row: texts that are kept once have gaps where an id occurs by chance. */
  #open(row: number): number {
    const { repeats, ids } = this.#statics;
    const text = readHours(repeatsText(repeats, row, readText(ids, row)));
    const hours = text === null ? null : this.#parse(text);
    if (text === null || hours === null) return (this.#of[row] = NO_COURSE);
    const territory = hours.holidays ? this.#territoryOf(row) : null;
    const { country, region } = territory ?? { ...this.#given.place, region: null };
    const at = this.#courseOf(JSON.stringify([text, country, region]), hours, { country, region });
    // Until it is known where the station is, its holidays are not known for good.
    if (territory !== null || !hours.holidays) this.#of[row] = at;
    return at;
  }

  #territoryOf(row: number): Territory | null {
    const { lat, lon } = this.#statics.index;
    const match = this.#given.territories.at(lat[row]!, lon[row]!);
    return match && { ...match, country: match.country ?? this.#given.place.country };
  }

  #courseOf(key: string, hours: Hours, territory: Territory): number {
    const entry = this.#known.get(key);
    if (entry !== undefined) return entry;
    if (this.#courses.length >= MOST_COURSES) return NO_COURSE;
    const place = { ...this.#given.place, ...territory };
    this.#courses.push({ hours, place, isClosed: false, from_ms: 0, until_ms: 0 });
    this.#known.set(key, this.#courses.length);
    return this.#courses.length;
  }

  /** null: they cannot be read, or nothing is concluded of them. */
  #parse(text: string): Hours | null {
    if (text.length > MOST_CHARACTERS) return null;
    const known_hour = this.#hours.get(text);
    if (known_hour !== undefined) return known_hour;
    if (this.#hours.size >= MOST_TEXTS) return null;
    const hours = parseHours(text);
    const used = hours !== null && !(hours.sun && this.#given.isWide) ? hours : null;
    this.#hours.set(text, used);
    return used;
  }

  #move(course: Course, now_ms: number): void {
    const { state, until_ms } = evaluateHours(course.hours, now_ms, course.place, this.#memory);
    course.isClosed = state === "closed";
    course.from_ms = now_ms;
    course.until_ms = until_ms ?? now_ms + HOUR_MS;
  }
}

/** Of a system over many countries and regions; fewer than NO_COURSE. */
const MOST_COURSES = 254;
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
