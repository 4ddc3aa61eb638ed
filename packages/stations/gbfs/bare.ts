/**
 * Files without the envelope that GBFS asks for (mobility.md 1.2): the bare list or object that
 * `data` should hold, or its members next to `last_updated` and `ttl`. They are put into one, so
 * that the readers know one shape.
 */
import { toId, toRow, type Row } from "#kit/coerce.ts";
import { member } from "./gbfs-rows.ts";
import type { FeedFile } from "../feed.ts";

type Shape = {
  /** The member of `data` that holds the rows, as it is called since 3.0 and before. */
  lists: readonly string[];
  /** By one of these a row is known to be of this file. */
  marks: readonly string[];
};

const SHAPES: Readonly<Partial<Record<FeedFile, Shape>>> = {
  vehicle_types: { lists: ["vehicle_types"], marks: ["vehicle_type_id"] },
  station_information: { lists: ["stations"], marks: ["station_id"] },
  station_status: { lists: ["stations"], marks: ["station_id"] },
  vehicle_status: { lists: ["vehicles", "bikes"], marks: ["vehicle_id", "bike_id"] },
  system_hours: { lists: ["rental_hours"], marks: ["start_time"] },
  system_calendar: { lists: ["calendars"], marks: ["start_month"] },
  system_pricing_plans: { lists: ["plans"], marks: ["plan_id"] },
  system_alerts: { lists: ["alerts"], marks: ["alert_id", "summary"] },
};
const SYSTEM_MARKS = ["system_id", "timezone"] as const;

/** The document as it should have been; null: it has an envelope, or is nothing of the kind. */
export function wrapBare(file: FeedFile, wire: unknown): Row | null {
  const document = toRow(wire);
  if (document && toRow(document["data"])) return null;
  if (file === "system_information") {
    const system = document && SYSTEM_MARKS.every((mark) => mark in document);
    return system ? { ...document, data: document } : null;
  }
  if (file === "geofencing_zones") return wrapZones(document);
  const shape = SHAPES[file]!;
  const rows = listIn(wire, document, shape);
  return rows && { ...document, data: { [shape.lists[0]!]: rows } };
}

/**
 * The whole document, its `data`, or a member next to it. An empty list is taken where it has its
 * name: without one it is unknown what it is empty of.
 */
function listIn(
  wire: unknown,
  document: Row | null,
  { lists, marks }: Shape,
): readonly unknown[] | null {
  const match = document && member(document, lists);
  if (Array.isArray(match)) return match;
  const rows = document ? document["data"] : wire;
  return Array.isArray(rows) && isOf(rows, marks) ? rows : null;
}

function isOf(rows: readonly unknown[], marks: readonly string[]): boolean {
  return rows.some((row) => toId(member(toRow(row) ?? {}, marks)) !== null);
}

function wrapZones(document: Row | null): Row | null {
  const zones = toRow(document?.["geofencing_zones"]) ?? document;
  if (!zones || zones["type"] !== "FeatureCollection" || !Array.isArray(zones["features"]))
    return null;
  return { ...document, data: { ...document, geofencing_zones: zones } };
}
