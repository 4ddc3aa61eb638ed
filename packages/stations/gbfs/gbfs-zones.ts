/** geofencing_zones: where riding, parking and speed are restricted (mobility.md 1.9, 1.12 #22). */
import type { GeofencingZones, ZoneRule } from "../entities.ts";
import { type BeyondBounds, FEED_BOUNDS } from "#kit/feed-bounds.ts";
import { toBool, toIds, toList, toLocalisedName, toMeasure, toRow } from "#kit/coerce.ts";
import type { Row } from "#kit/coerce.ts";
import { readEnvelope } from "./envelope.ts";
import { listPolygons, toPolygon } from "./gbfs-rings.ts";
import { member } from "./gbfs-rows.ts";

const TYPE_NAMES = ["vehicle_type_ids", "vehicle_type_id"];

/**
 * Reads zones; null: no feature collection. Polygons written lat,lon cannot be distinguished from
 * others and stay.
 */
export function readZones(
  wire: unknown,
  options: { languages: readonly string[] },
): GeofencingZones | null {
  const data = readEnvelope(wire)?.data;
  const features = toRow(data?.["geofencing_zones"])?.["features"];
  if (!data || !Array.isArray(features)) return null;
  return {
    zones: features.map(toRow).flatMap((row) => (row ? [toZone(row, options.languages)] : [])),
    global_rules: toRules(data["global_rules"]),
  };
}

/** Returns the bound that zones exceed; null: none. */
export function exceededZones({ zones, global_rules }: GeofencingZones): BeyondBounds | null {
  const rules = [...zones.flatMap((zone) => zone.rules), ...global_rules];
  const corners = zones
    .flatMap(({ polygons }) => polygons.flat())
    .reduce((sum, ring) => sum + ring.length, 0);
  const types = rules.reduce((sum, { type_ids }) => sum + type_ids.length, 0);
  const within =
    zones.length <= FEED_BOUNDS.zones &&
    corners <= FEED_BOUNDS.zone_corners &&
    rules.length <= FEED_BOUNDS.zone_rules &&
    types <= FEED_BOUNDS.zone_types;
  return within ? null : "too_many_zones";
}

function toZone(feature: Row, languages: readonly string[]): GeofencingZones["zones"][number] {
  const properties = toRow(feature["properties"]) ?? {};
  const geometry = toRow(feature["geometry"]) ?? {};
  const polygons = listPolygons(geometry["type"], geometry["coordinates"]);
  return {
    name: toLocalisedName(properties["name"], languages),
    rules: toRules(properties["rules"]),
    polygons: polygons.map(toPolygon).filter((polygon) => polygon !== null),
  };
}

/** `global_rules: null` occurs and means none. */
function toRules(value: unknown): ZoneRule[] {
  return toList(value).flatMap((entry) => {
    const row = toRow(entry);
    return row ? [toRule(row)] : [];
  });
}

/** `ride_allowed` of 2.x speaks of both ends of a ride. */
function toRule(row: Row): ZoneRule {
  return {
    type_ids: toIds(member(row, TYPE_NAMES)),
    ride_start_allowed: toBool(member(row, ["ride_start_allowed", "ride_allowed"])),
    ride_end_allowed: toBool(member(row, ["ride_end_allowed", "ride_allowed"])),
    ride_through_allowed: toBool(row["ride_through_allowed"]),
    maximum_speed_kph: toMeasure(row["maximum_speed_kph"]),
    station_parking: toBool(row["station_parking"]),
  };
}
