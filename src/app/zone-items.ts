/** The `zones` family of `include`: rules of riding and parking at the point, and zones in the circle. */
import { LIMITS } from "#api/limits.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { present } from "#kit/present.ts";
import type { Mode, VehicleType, ZoneRule } from "#stations/entities.ts";
import { toPublicType } from "#stations/shard/vehicle-type.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { readZoneFacts, type Zones } from "#stations/shard/shard-zones.ts";
import { findZones, hasRuleOf, rulesAt, type ZoneHit } from "#core/zones.ts";
import type { Circle, SystemEntry } from "#world/system-entry.ts";

export type SystemZones = NonNullable<NearbyBodyValue["results"]["zones"]>[number];
type Zone = SystemZones["zones"][number];
type Rule = Zone["rules"][number];

/** Id for the vehicles of a system that names no types. */
const NO_TYPE = "";

/** The zones of the systems that have any here, in the order of the systems. */
export function listZones(
  systems: readonly SystemEntry[],
  circle: Circle,
  modes: readonly Mode[],
): SystemZones[] {
  return systems.flatMap(({ shard }) =>
    shard?.zones ? zonesOf(shard, shard.zones, { circle, modes }) : [],
  );
}

function zonesOf(
  { statics: { meta } }: Shard,
  zones: Zones,
  { circle, modes }: { circle: Circle; modes: readonly Mode[] },
): SystemZones[] {
  const types = new Map(
    meta.types.filter(({ mode }) => modes.includes(mode)).map((type) => [type.id, type]),
  );
  if (types.size === 0 && meta.types.length > 0) return [];
  const hits = findZones(zones, circle);
  const ids = types.size > 0 ? [...types.keys()] : [NO_TYPE];
  const rules = rulesAt(zones, hits, ids).flatMap(({ rule, zone, type_ids }) =>
    toRule(rule, type_ids.length === ids.length ? [] : type_ids, types).map((visible) => ({
      ...visible,
      scope: zone === null ? ("global" as const) : ("zone" as const),
      ...(zone ? { zone } : {}),
    })),
  );
  const listed = listHits(zones, hits, types);
  if (rules.length === 0 && listed.length === 0) return [];
  const nearest = listed.toSorted((a, b) => a.distance_m - b.distance_m);
  return [
    {
      network: meta.network,
      rules,
      zones: nearest.slice(0, LIMITS.nearby.zones_max).map((hit) => toZone(zones, hit, types)),
      total: listed.length,
    },
  ];
}

/** Those that have a rule to show. Where every type has a name, that is known without the zone's facts. */
function listHits(zones: Zones, hits: readonly ZoneHit[], types: Types): ZoneHit[] {
  const areNamed = [...types.values()].every((type) => toPublicType(type) !== null);
  return hits.filter((hit) =>
    areNamed ? hasRuleOf(zones, hit.zone, types) : toZone(zones, hit, types).rules.length > 0,
  );
}

type Types = ReadonlyMap<string, VehicleType>;

function toZone(zones: Zones, { zone, contains, distance_m }: ZoneHit, types: Types): Zone {
  const { name, rules } = readZoneFacts(zones, zone);
  return {
    ...(name === null ? {} : { name }),
    contains_point: contains,
    distance_meters: Math.floor(distance_m * 10 + 0.5) / 10,
    rules: rules
      .filter(({ type_ids }) => type_ids.length === 0 || type_ids.some((id) => types.has(id)))
      .slice(0, LIMITS.nearby.zone_rules_max)
      .flatMap((rule) => toRule(rule, isOfAll(rule, types) ? [] : rule.type_ids, types)),
  };
}

function isOfAll({ type_ids }: ZoneRule, types: Types): boolean {
  const names = new Set(type_ids);
  return [...types.keys()].every((id) => names.has(id));
}

/**
 * What a rule states for some types, or for all ([]); members that are not stated are absent. None: the
 * types have nothing by which a caller could know them, and the rule must not look as if it were of all.
 */
function toRule(rule: ZoneRule, type_ids: readonly string[], types: Types): Rule[] {
  const { type_ids: _, ...facts } = rule;
  const stated = present(facts);
  if (type_ids.length === 0) return [stated];
  const kinds = new Map<string, NonNullable<Rule["vehicle_types"]>[number]>();
  for (const id of type_ids) {
    const kind = toPublicType(types.get(id) ?? null);
    if (kind && kinds.size < LIMITS.nearby.zone_types_max) kinds.set(JSON.stringify(kind), kind);
  }
  return kinds.size === 0 ? [] : [{ ...stated, vehicle_types: [...kinds.values()] }];
}
