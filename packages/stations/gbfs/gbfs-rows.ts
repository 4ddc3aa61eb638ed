/**
 * Common parts of the readers of row files: the rows of a document, one by one with id and trail,
 * and members read with their repairs noted. A null member counts as absent (mobility.md 1.12 #16).
 */
import type { Location } from "#kit/geo.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { appSchemeOf, cleanDeepLink } from "#kit/uris.ts";
import type { RentalUris } from "../entities.ts";
import { MAX_COUNT, toBool, toCount, toId, toNumber, toRow, toTime_s } from "#kit/coerce.ts";
import type { Row } from "#kit/coerce.ts";
import { readEnvelope } from "./envelope.ts";
import type { GbfsReason } from "./gbfs-reasons.ts";

/** One row on its way: `id` is good, and repairs go to `trail` under it. */
export type Item = { row: Row; id: string; trail: TrailRecorder };

/** |lat| and |lon| up to this are Null Island (0,0 and 0.0001,0.0001 occur). */
const NULL_ISLAND_DEGREES = 0.001;
const URI_KINDS = ["android", "ios", "web"] as const;

/** The first of the named lists in `data`; null when there is none: the file has another shape. */
export function listRows(wire: unknown, names: readonly string[]): unknown[] | null {
  const data = readEnvelope(wire)?.data;
  for (const name of names) {
    const rows = data?.[name];
    if (Array.isArray(rows)) return rows;
  }
  return null;
}

/** Rows that are objects with an id not seen before; the rest goes to the trail (#9, #10). */
export function toItems(rows: readonly unknown[], ids: readonly string[], trail: TrailRecorder) {
  const items = new Map<string, Item>();
  rows.forEach((value, index) => {
    const row = toRow(value);
    if (!row) return trail.drop("row_malformed" satisfies GbfsReason, `#${index}`);
    const raw = member(row, ids);
    const id = toId(raw);
    if (id === null) return trail.drop("id_missing" satisfies GbfsReason, `#${index}`);
    if (items.has(id)) return trail.drop("id_duplicate" satisfies GbfsReason, id);
    if (typeof raw === "number") trail.repair("id_not_text" satisfies GbfsReason, id);
    items.set(id, { row, id, trail });
  });
  return items;
}

/** The first named member that is neither absent nor null. */
export function member(row: Row, names: readonly string[]): unknown {
  for (const name of names) if (row[name] !== undefined && row[name] !== null) return row[name];
  return undefined;
}

export function drop(item: Item, reason: GbfsReason): void {
  item.trail.drop(reason, item.id);
}

export function repair(item: Item, reason: GbfsReason): void {
  item.trail.repair(reason, item.id);
}

export function readCount(item: Item, ...names: string[]): number | null {
  return noteCount(item, member(item.row, names));
}

/** A count with what had to be done to it (#1, #4, R4). */
export function noteCount(item: Item, raw: unknown): number | null {
  if (raw === undefined || raw === null) return null;
  const number = toNumber(raw);
  if (number === null) repair(item, "count_unusable");
  else if (number < 0) repair(item, "count_negative");
  else if (number > MAX_COUNT) repair(item, "count_absurd");
  else if (typeof raw === "string") repair(item, "value_not_native");
  return toCount(raw);
}

export function readFlag(item: Item, ...names: string[]): boolean | null {
  const raw = member(item.row, names);
  const flag = toBool(raw);
  if (flag !== null && typeof raw === "string") repair(item, "value_not_native");
  return flag;
}

export function readTime_s(item: Item, name: string, now_s: number | null): number | null {
  const raw = member(item.row, [name]);
  const time_s = toTime_s(raw, now_s);
  if (time_s === null && raw !== undefined) repair(item, "time_absurd");
  return time_s;
}

/** A place on the globe, or why there is none (#2, #14). */
export function readLocation(row: Row): Location | GbfsReason {
  const lat = toNumber(member(row, ["lat", "latitude"]));
  const lon = toNumber(member(row, ["lon", "lng", "longitude"]));
  if (lat === null || lon === null) return "coordinates_missing";
  if (Math.abs(lat) <= NULL_ISLAND_DEGREES && Math.abs(lon) <= NULL_ISLAND_DEGREES) {
    return "coordinates_zero";
  }
  if (Math.abs(lat) <= 90 && Math.abs(lon) <= 180) return { lat, lon };
  return Math.abs(lon) <= 90 && Math.abs(lat) <= 180
    ? "coordinates_swapped"
    : "coordinates_out_of_range";
}

/**
 * The links that may be shown; null when none remains (reliability 4.9). Of links to an app those are
 * left whose scheme is among `schemes`, which the system registers.
 */
export function readRentalUris(item: Item, schemes: readonly string[]): RentalUris | null {
  const raw = toRow(item.row["rental_uris"]);
  const uris: RentalUris = {};
  for (const kind of raw ? URI_KINDS : []) {
    const value = raw?.[kind];
    if (value === undefined || value === null || value === "") continue;
    const link = cleanDeepLink(kind, value);
    const scheme = appSchemeOf(link);
    if (link === null) repair(item, "deep_link_refused");
    else if (scheme !== null && !schemes.includes(scheme)) repair(item, "deep_link_unregistered");
    else uris[kind] = link;
  }
  return Object.keys(uris).length > 0 ? uris : null;
}
