/**
 * The time zone of a coordinate, offline (decisions, Clocks and holidays): the zone of the
 * map where it is one of the point's country, else the nearest zone of that country. Where the map is
 * known to be wrong, the nearest known place goes before it. The maps are loaded with the first question
 * that needs them.
 */
import { LRUCache } from "lru-cache";
import type { Location } from "#kit/geo.ts";
import { unlessFailed } from "#kit/guard.ts";
import type { Borders } from "#ports/borders.ts";
import { countryAt, type FindCountries, loadCountries, NO_BORDERS } from "./country.ts";
import { ringsAround } from "#kit/rings-around.ts";
import { zoneOfPlace } from "./zone-places.ts";

export type FindTimezone = (lat: number, lon: number) => string;

/** By the maps alone. Names of IANA; at sea `Etc/GMT+…`. @public */
export const loadTimezones: () => Promise<FindTimezone> = createTimezoneLoader();

/** Loads the maps with the first question; `borders` decide the country where they know it. */
export function createTimezoneLoader(borders: Borders = NO_BORDERS): () => Promise<FindTimezone> {
  /** An import that is repeated costs as much as the answer to a small question. */
  let zones: Promise<FindTimezone> | null = null;
  return () => (zones ??= unlessFailed(open(borders), () => (zones = null)));
}

async function open(borders: Borders): Promise<FindTimezone> {
  const [{ default: lookUp }, countries] = await Promise.all([
    import("@photostructure/tz-lookup"),
    loadCountries(borders),
  ]);
  return createTimezones(lookUp, countries, borders);
}

/** Points and cells of which the zone is remembered. */
const MOST_POINTS = 20_000;
const MOST_CELLS = 20_000;
const CELLS_PER_DEGREE = 10;
/** More than there are, so that each cell has a number of its own. */
const COLUMNS = 1_000 * CELLS_PER_DEGREE;
/** Points of a cell that are looked at: its corners, the middles of its sides, and its middle. */
const SAMPLES = [0, 0.5, 1] as const;
const MIXED = "";

/**
 * Makes the look-up from a map of zones, whose borders are coarse, and a map of countries. A point is
 * looked up alone only where its cell, a tenth of a degree wide, is not of one zone, or a boundary of a
 * base runs through it: that takes ten microseconds, and answers have hundreds of points.
 */
export function createTimezones(
  lookUp: FindTimezone,
  countries: FindCountries,
  borders: Borders = NO_BORDERS,
): FindTimezone {
  let version = borders.version();
  const points = new LRUCache<string, string>({ max: MOST_POINTS });
  const cells = new Map<number, string>();
  const zonesOf = createZonesOf();
  const find = (lat: number, lon: number): string => {
    const zone = zoneOfPlace(lat, lon) ?? lookUp(lat, lon);
    const country = countryAt(countries, lat, lon);
    const own = country === null ? null : zonesOf(country);
    if (own === null || own.has(canonical(zone))) return zone;
    return nearestOf(own, lookUp, { lat, lon });
  };
  const ofCell = (row: number, column: number): string => {
    const [south, west] = [row / CELLS_PER_DEGREE, column / CELLS_PER_DEGREE];
    const [north, east] = [(row + 1) / CELLS_PER_DEGREE, (column + 1) / CELLS_PER_DEGREE];
    if (borders.crosses([south, west, north, east])) return MIXED;
    const matches = SAMPLES.flatMap((up) =>
      SAMPLES.map((right) => {
        const lat = Math.min(90, (row + up) / CELLS_PER_DEGREE);
        return find(lat, Math.min(180, (column + right) / CELLS_PER_DEGREE));
      }),
    );
    return matches.every((zone) => zone === matches[0]) ? matches[0]! : MIXED;
  };
  return (lat, lon) => {
    if (version !== borders.version()) {
      version = borders.version();
      points.clear();
      cells.clear();
    }
    const [row, column] = [Math.floor(lat * CELLS_PER_DEGREE), Math.floor(lon * CELLS_PER_DEGREE)];
    const cell = row * COLUMNS + column;
    let zone = cells.get(cell);
    if (zone === undefined) {
      if (cells.size >= MOST_CELLS) cells.clear();
      cells.set(cell, (zone = ofCell(row, column)));
    }
    return zone === MIXED ? recall(points, `${lat} ${lon}`, () => find(lat, lon)) : zone;
  };
}

function recall(entry: LRUCache<string, string>, key: string, make: () => string): string {
  let match = entry.get(key);
  if (match === undefined) entry.set(key, (match = make()));
  return match;
}

/** The zones of a country by their canonical names; null: the runtime knows none. */
function createZonesOf(): (country: string) => ReadonlySet<string> | null {
  const cache = new Map<string, ReadonlySet<string> | null>();
  return (country) => {
    let match = cache.get(country);
    if (match === undefined) {
      const listed = new Intl.Locale(`und-${country}`).getTimeZones?.() ?? [];
      match = listed.length === 0 ? null : new Set(listed.map(canonical));
      cache.set(country, match);
    }
    return match;
  };
}

/** Kilometres of the rings around a point in which a zone of its country is looked for. */
const RADII_KM = [2, 4, 8, 15, 30, 60, 120, 250, 500, 1_000];

/** The nearest of these zones as the map has them; the first by name where none is near. */
function nearestOf(own: ReadonlySet<string>, lookUp: FindTimezone, at: Location): string {
  for (const { lat, lon } of ringsAround(at, RADII_KM)) {
    const zone = lookUp(lat, lon);
    if (own.has(canonical(zone))) return zone;
  }
  return [...own].toSorted()[0]!;
}

const canonicals = new Map<string, string>();

/** One name for the zones that are links to each other (Asia/Kolkata, Asia/Calcutta). */
function canonical(zone: string): string {
  let name = canonicals.get(zone);
  if (name === undefined) {
    name = new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone;
    canonicals.set(zone, name);
  }
  return name;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Offsets by zone and minute: what is asked now is of this minute. */
const offsets_s = new Map<string, number>();
const MOST_OFFSETS = 5_000;
/** Earlier, clocks were changed within a minute, too. */
const WHOLE_MINUTES_MS = Date.UTC(1973, 0, 1);

/** Seconds east of Greenwich that clocks of the zone are at this moment, summer time included. */
export function offsetOf_s(zone: string, at_ms: number): number {
  if (!(at_ms >= WHOLE_MINUTES_MS)) return readOffset_s(zone, at_ms);
  const key = `${Math.floor(at_ms / 60_000)} ${zone}`;
  const entry = offsets_s.get(key);
  if (entry !== undefined) return entry;
  const offset_s = readOffset_s(zone, at_ms);
  if (offsets_s.size >= MOST_OFFSETS) offsets_s.clear();
  offsets_s.set(key, offset_s);
  return offset_s;
}

function readOffset_s(zone: string, at_ms: number): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formats.set(zone, format);
  }
  const name = format.formatToParts(at_ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
  // "GMT", "GMT+05:30", and for times long past "GMT-00:44:30".
  const [, sign, hours, minutes, seconds] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  const offset_s = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0);
  return sign === "-" ? -offset_s : offset_s;
}

/** RFC 3339 with the offset of the zone: `2026-11-23T10:00:00+01:00`; fractions are cut. */
export function toLocalTime(zone: string, at_ms: number): string {
  // Offsets of times long past have seconds, which RFC 3339 cannot say.
  const offset_min = Math.round(offsetOf_s(zone, at_ms) / 60);
  const local = new Date(Math.floor(at_ms / 1000) * 1000 + offset_min * 60_000);
  const two = (number: number): string => String(number).padStart(2, "0");
  const minutes = Math.abs(offset_min);
  const offset = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${local.toISOString().slice(0, -5)}${offset_min < 0 ? "-" : "+"}${offset}`;
}
