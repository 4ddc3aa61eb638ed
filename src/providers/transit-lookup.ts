/**
 * What the sources of public transport stations around a point have in common (§4.7a; mobility.md 4,
 * 11.2): the question, the answer page by page, the boxes around a circle and how rows are opened.
 */
import type { Box, Location } from "#kit/geo.ts";
import { reachOf } from "#kit/geo.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { orderModes } from "#transit/schedule/schedule-modes.ts";
import type { TransitOperator, TransitRoute, TransitStation } from "#transit/schedule/station.ts";
import { wheelchairOf } from "#transit/schedule/schedule-stations.ts";
import { type Row, toId, toRow, toText } from "#kit/coerce.ts";

/** A question; `page`: null for the first, then what the page before named as `next`. */
export type TransitQuery = Location & {
  radius_m: number;
  language: string | null;
  page: string | null;
};

/**
 * Stations of one page; the caller goes on at `next` until it is null, and joins all pages with
 * `joinStations`. What is asked in boxes may bring stations beyond the circle.
 *
 * Adapters have no clock: `fetched_at_ms` is 0 where the answer itself does not say when its data
 * were fetched, and the caller fills in when it received the answer.
 */
export type TransitPage = {
  stations: TransitStation[];
  next: string | null;
  /** false: the source says that it knows nothing of this part of the world. */
  covered?: false;
};

/** Makes the key of a question whose answer does not depend on a language. */
export function transitKey({ lat, lon, radius_m, page }: TransitQuery): string {
  return JSON.stringify([lat, lon, radius_m, page]);
}

const MILLIONTH = 1e6;

/**
 * One or two boxes that hold a circle, none of which crosses the antimeridian; all longitudes where
 * a pole is near. In millionths of a degree, rounded outwards, so that no text has an exponent.
 */
export function boxesOfCircle({ lat, lon, radius_m }: Location & { radius_m: number }): Box[] {
  const { dlat, dlon } = reachOf(lat, radius_m);
  const lats = { south: Math.max(-90, floor(lat - dlat)), north: Math.min(90, ceil(lat + dlat)) };
  const [west, east] = [floor(lon - dlon), ceil(lon + dlon)];
  if (dlon >= 180 || east - west >= 360) return [{ ...lats, west: -180, east: 180 }];
  if (west < -180)
    return [
      { ...lats, west: -180, east },
      { ...lats, west: floor(west + 360), east: 180 },
    ];
  if (east > 180)
    return [
      { ...lats, west, east: 180 },
      { ...lats, west: -180, east: ceil(east - 360) },
    ];
  return [{ ...lats, west, east }];
}

// "+ 0" makes 0 of -0.
function floor(degrees: number): number {
  return Math.floor(degrees * MILLIONTH) / MILLIONTH + 0;
}

function ceil(degrees: number): number {
  return Math.ceil(degrees * MILLIONTH) / MILLIONTH + 0;
}

export type OpenRow = { row: Row; id: string };

/**
 * The rows of a list that have an id, each once. null: no list, or one in which nothing is a row of
 * this source, which is another protocol and no empty answer.
 */
export function openRows(list: unknown, id_member: string, trail: TrailRecorder): OpenRow[] | null {
  if (!Array.isArray(list)) return null;
  const rows = list.map(toRow);
  if (rows.length > 0 && !rows.some((row) => row && Object.hasOwn(row, id_member))) return null;
  const matches = new Map<string, OpenRow>();
  rows.forEach((row, index) => {
    const id = toId(row?.[id_member]);
    if (!row || id === null) trail.drop(row ? "id_missing" : "row_malformed", `#${index}`);
    else if (matches.has(id)) trail.drop("id_duplicate", id);
    else matches.set(id, { row, id });
  });
  return [...matches.values()];
}

/** The colours that are six hexadecimal digits, with or without a `#`; others are unknown. */
export function toColors(
  color_wire: unknown,
  text_color_wire: unknown,
): Pick<TransitRoute, "color" | "text_color"> {
  const [color, text_color] = [toColor(color_wire), toColor(text_color_wire)];
  return { ...(color && { color }), ...(text_color && { text_color }) };
}

function toColor(wire: unknown): string | undefined {
  return /^#?([0-9a-f]{6})$/i.exec(toText(wire) ?? "")?.[1]?.toUpperCase();
}

/** The first of each id. */
export function uniqueById<T extends TransitOperator | TransitRoute>(items: readonly T[]): T[] {
  const matches = new Map<string, T>();
  for (const item of items) if (!matches.has(item.id)) matches.set(item.id, item);
  return [...matches.values()];
}

/** Stations of all pages: what a page break or two boxes tore apart is one again. */
export function joinStations(stations: readonly TransitStation[]): TransitStation[] {
  const matches = new Map<string, TransitStation>();
  for (const station of stations) {
    const { provider, feed_id, source_id } = station.source;
    const key = JSON.stringify([provider, feed_id, source_id]);
    const entry = matches.get(key);
    matches.set(key, entry ? join(entry, station) : station);
  }
  return [...matches.values()];
}

function join(one: TransitStation, other: TransitStation): TransitStation {
  return {
    ...one,
    modes: orderModes([...one.modes, ...other.modes]),
    operators: uniqueById([...one.operators, ...other.operators]),
    routes: uniqueById([...one.routes, ...other.routes]),
    wheelchair: wheelchairOf("unknown", [one.wheelchair, other.wheelchair]),
  };
}
