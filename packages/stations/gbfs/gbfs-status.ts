/** station_status: what is at a station now (mobility.md 1.7, R4). */
import type { StationStatus } from "../entities.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toList, toNumber, toRow } from "#kit/coerce.ts";
import { majorOf, readEnvelope } from "./envelope.ts";
import { ABSURD_DOCKS, asPlaceholder, isFakeCity } from "./fake-city.ts";
import {
  listRows,
  member,
  noteCount,
  readCount,
  readFlag,
  readLocation,
  readTime_s,
  repair,
  toItems,
} from "./gbfs-rows.ts";
import type { Item } from "./gbfs-rows.ts";
import { readTypedCounts, sumOf } from "./typed-counts.ts";
import type { TypedCount } from "./typed-counts.ts";

export type StatusOptions = {
  /** null: as the document itself says. */
  version: string | null;
  /** When the document was written or fetched: times beyond the day after it are absurd. */
  doc_time_s: number;
};

const FLAGS = ["is_installed", "is_renting", "is_returning"];
const DOCKS = "num_docks_available";

/** Reads counts; null: no list of stations. The first row of an id wins. */
export function readStatus(
  wire: unknown,
  options: StatusOptions,
  trail: TrailRecorder,
): Map<string, StationStatus> | null {
  const rows = listRows(wire, ["stations"]);
  if (!rows) return null;
  const items = toItems(rows, ["station_id"], trail);
  const version = options.version ?? readEnvelope(wire)?.version ?? null;
  const optionalDocks = areDocksOptional(version, items);
  const statuses = new Map<string, StationStatus>();
  for (const item of items.values()) {
    statuses.set(item.id, toStatus(item, { optionalDocks, siblings: items.size, ...options }));
  }
  return statuses;
}

/** From 2.0 on; without a (true) version the shape decides (mobility.md 1.12 #3). */
function areDocksOptional(version: string | null, items: Map<string, Item>): boolean {
  const major = majorOf(version);
  if (major !== null && major >= 2) return true;
  for (const { row } of items.values()) {
    if (Array.isArray(row["vehicle_types_available"])) return true;
    if (row["num_vehicles_available"] !== undefined) return true;
    // 1.0 allows real booleans, 1.1 does not: they only count where no version is given.
    if (major === null && FLAGS.some((flag) => typeof row[flag] === "boolean")) return true;
  }
  return false;
}

type Context = StatusOptions & { optionalDocks: boolean; siblings: number };

function toStatus(item: Item, context: Context): StationStatus {
  const { row, id } = item;
  const types = readTypedCounts(item, "vehicle_types_available");
  const location = readLocation(row);
  const status: StationStatus = {
    id,
    vehicles: readVehicles(item, types),
    disabled_vehicles: readCount(item, "num_vehicles_disabled", "num_bikes_disabled"),
    ...readDocks(item, context.optionalDocks),
    disabled_docks: readCount(item, "num_docks_disabled"),
    by_type: toByType(types),
    ...toUncounted(types),
    electric: readElectric(item),
    is_installed: readFlag(item, "is_installed", "installed"),
    is_renting: readFlag(item, "is_renting", "renting"),
    is_returning: readFlag(item, "is_returning", "returning"),
    last_reported_s: readTime_s(item, "last_reported", context.doc_time_s),
    location: typeof location === "string" ? null : location,
  };
  if ((toNumber(row[DOCKS]) ?? 0) < ABSURD_DOCKS && !isFakeCity(status, context.siblings))
    return status;
  repair(item, "stand_in_hidden");
  return asPlaceholder(status);
}

/** R4: the larger of total and sum by type (#6); all types at 0 do not disprove a total (#7). */
function readVehicles(item: Item, types: readonly TypedCount[]): number | null {
  const total = readCount(item, "num_vehicles_available", "num_bikes_available");
  const sum = sumOf(types);
  if (sum === null) return total;
  if (total === null) repair(item, "total_from_types");
  else if (sum > total) repair(item, "total_below_types");
  else if (sum === 0 && total > 0) repair(item, "types_below_total");
  return Math.max(total ?? 0, sum);
}

/** Absent docks are "unlimited" from 2.0 on, unknown before (mobility.md 1.7). */
function readDocks(
  item: Item,
  optional: boolean,
): Pick<StationStatus, "docks" | "docks_unlimited" | "dock_type_ids"> {
  const types = readTypedCounts(item, "vehicle_docks_available");
  const dock_type_ids = [...new Set(types.flatMap(({ type_ids }) => type_ids))];
  if (member(item.row, [DOCKS]) !== undefined) {
    return { docks: readCount(item, DOCKS), docks_unlimited: false, dock_type_ids };
  }
  const docks = sumOf(types);
  if (docks !== null) repair(item, "docks_from_types");
  return { docks, docks_unlimited: optional && types.length === 0, dock_type_ids };
}

function toUncounted(types: readonly TypedCount[]): Pick<StationStatus, "uncounted_type_ids"> {
  const ids = types.flatMap(({ type_ids, count }) => (count === null ? type_ids : []));
  return ids.length > 0 ? { uncounted_type_ids: [...new Set(ids)] } : {};
}

/** Known counts, each type once. */
function toByType(types: readonly TypedCount[]): StationStatus["by_type"] {
  const counts = new Map<string, number>();
  for (const { type_ids, count } of types) {
    const type_id = type_ids[0];
    if (type_id === undefined || count === null) continue;
    counts.set(type_id, (counts.get(type_id) ?? 0) + count);
  }
  return [...counts].map(([type_id, count]) => ({ type_id, count }));
}

/** Lyft's `num_ebikes_available`, Vélib's `num_bikes_available_types` (mobility.md 1.12 #23). */
function readElectric(item: Item): number | null {
  const { row } = item;
  const kinds = row["num_bikes_available_types"];
  const kind = [kinds, ...toList(kinds)].map((entry) => toRow(entry)?.["ebike"]);
  const nested = kind.find((count) => count !== undefined && count !== null);
  return noteCount(item, member(row, ["num_ebikes_available"]) ?? nested);
}
