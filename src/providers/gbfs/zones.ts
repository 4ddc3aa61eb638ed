/** geofencing_zones: where riding, parking and speed are restricted (mobility.md 1.9, 1.12 #22). */
import type { GeofencingZones, ZoneRule } from "#core/entities.ts";
import { type BeyondBounds, FEED_BOUNDS } from "#core/feed-bounds.ts";
import {
  toBool,
  toIds,
  toList,
  toLocalisedName,
  toMeasure,
  toNumber,
  toRow,
} from "#providers/coerce.ts";
import type { Row } from "#providers/coerce.ts";
import { readEnvelope } from "#providers/gbfs/envelope.ts";
import { member } from "#providers/gbfs/rows.ts";

type Position = number[];
type Ring = Position[];
type Polygon = Ring[];

const TYPE_NAMES = ["vehicle_type_ids", "vehicle_type_id"];
/** A ring of three corners, closed. */
const MIN_RING_LENGTH = 4;

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
  const coordinates = geometry["coordinates"];
  const polygons = geometry["type"] === "Polygon" ? [coordinates] : toList(coordinates);
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

/** One bad ring spoils its polygon: a hole lost would forbid what is allowed. */
function toPolygon(value: unknown): Polygon | null {
  const rings = toList(value).map(toRing);
  return rings.length > 0 && rings.every((ring) => ring !== null) ? rings : null;
}

function toRing(value: unknown): Ring | null {
  const positions = toList(value).map(toPosition);
  if (positions.length === 0 || !positions.every((position) => position !== null)) return null;
  const first = positions[0]!;
  const last = positions.at(-1)!;
  const closed = first[0] === last[0] && first[1] === last[1];
  const ring = closed ? positions : [...positions, [...first]];
  return ring.length >= MIN_RING_LENGTH ? ring : null;
}

/** [lon, lat], as GeoJSON has it; a height is left out. */
function toPosition(value: unknown): Position | null {
  const [lon, lat] = toList(value).slice(0, 2).map(toNumber);
  if (typeof lon !== "number" || typeof lat !== "number") return null;
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? [lon, lat] : null;
}
