/** geofencing_zones of a system in GBFS 3.0 and 2.3, a piece at a time. */
import type { ZoneRule } from "../entities.ts";
import { readZoneFacts, type Zones } from "../shard/shard-zones.ts";
import type { OutRow, OutVersion, ToText } from "./out-envelope.ts";

/** Corners in one piece of text. */
const CORNERS_MAX = 1_000;

export type ZoneOptions = {
  version: OutVersion;
  toText: ToText;
  /** Ids of the types that the system lists. */
  type_ids: ReadonlySet<string>;
};

/** Rules that a file cannot have, since what they allow is not stated, or of which type they are. */
export type ZonesLeftOut = { unknown_rules: number };

/** Yields the data of the file. */
export function* zonesText(zones: Zones, options: ZoneOptions): Generator<string, ZonesLeftOut> {
  const left_out: ZonesLeftOut = { unknown_rules: 0 };
  yield `{"geofencing_zones":{"type":"FeatureCollection","features":[`;
  for (let zone = 0; zone < zones.count; zone++) {
    yield `${zone === 0 ? "" : ","}${startOf(zones, zone, { ...options, left_out })}`;
    yield* outlineText(zones, zone);
    yield "}}";
  }
  const rules =
    options.version === "3.0" ? toRules(zones.global_rules, { ...options, left_out }) : null;
  yield rules === null ? "]}}" : `]},"global_rules":${JSON.stringify(rules)}}`;
  return left_out;
}

type RuleOptions = ZoneOptions & { left_out: ZonesLeftOut };

/** A feature, up to the polygons of its geometry. */
function startOf(zones: Zones, zone: number, options: RuleOptions): string {
  const facts = readZoneFacts(zones, zone);
  const rules = toRules(facts.rules, options);
  const properties = {
    ...(facts.name === null ? {} : { name: options.toText(facts.name) }),
    ...(rules.length === 0 ? {} : { rules }),
  };
  return `{"type":"Feature","properties":${JSON.stringify(properties)},"geometry":{"type":"MultiPolygon","coordinates":`;
}

function* outlineText(
  { rings_at, polygon, corners_at, lat, lon }: Zones,
  zone: number,
): Generator<string, void> {
  const first = rings_at[zone]!;
  let text = "[";
  for (let ring = first; ring < rings_at[zone + 1]!; ring++) {
    const isNew = ring === first || polygon[ring] !== polygon[ring - 1];
    text += ring === first ? "[[" : isNew ? "]],[[" : "],[";
    for (let corner = corners_at[ring]!; corner < corners_at[ring + 1]!; corner++) {
      if (corner > corners_at[ring]!) text += ",";
      text += `[${lon[corner]!},${lat[corner]!}]`;
      if (corner % CORNERS_MAX !== 0) continue;
      yield text;
      text = "";
    }
  }
  yield `${text}]]]`;
}

function toRules(rules: readonly ZoneRule[], options: RuleOptions): OutRow[] {
  return rules.flatMap((rule) => {
    const row = toRule(rule, options);
    if (row === null) options.left_out.unknown_rules++;
    return row === null ? [] : [row];
  });
}

/** null: the format demands what is not known of it. */
function toRule(rule: ZoneRule, { version, type_ids }: ZoneOptions): OutRow | null {
  const { ride_start_allowed, ride_end_allowed, ride_through_allowed, maximum_speed_kph } = rule;
  if (ride_start_allowed === null || ride_end_allowed === null || ride_through_allowed === null)
    return null;
  const types = rule.type_ids.filter((id) => type_ids.has(id));
  // Without types it would be one of all.
  if (types.length === 0 && rule.type_ids.length > 0) return null;
  const ends =
    version === "3.0"
      ? { ride_start_allowed, ride_end_allowed }
      : { ride_allowed: ride_start_allowed && ride_end_allowed };
  const name = version === "3.0" ? "vehicle_type_ids" : "vehicle_type_id";
  return {
    ...(types.length === 0 ? {} : { [name]: types }),
    ...ends,
    ride_through_allowed,
    ...(maximum_speed_kph === null ? {} : { maximum_speed_kph: Math.round(maximum_speed_kph) }),
    ...(rule.station_parking === null ? {} : { station_parking: rule.station_parking }),
  };
}
