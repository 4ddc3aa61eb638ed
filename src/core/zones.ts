/** Geofencing: which zones touch a circle, and which rule holds for a kind of vehicle at its centre. */
import type { ZoneRule } from "#stations/entities.ts";
import { METRES_PER_DEGREE, reachOf } from "#kit/geo.ts";
import { readZoneFacts, type Zones } from "#stations/shard/shard-zones.ts";

type Circle = { lat: number; lon: number; radius_m: number };

/** A zone that touches a circle; `distance_m`: from the centre to its outline, 0 inside. */
export type ZoneHit = { zone: number; contains: boolean; distance_m: number };

/** Returns the zones that touch the circle, in their order. */
export function findZones(zones: Zones, circle: Circle): ZoneHit[] {
  const hits: ZoneHit[] = [];
  const { dlat, dlon } = reachOf(circle.lat, circle.radius_m);
  for (let zone = 0; zone < zones.count; zone++) {
    const [south, west, north, east] = zones.boxes.subarray(zone * 4, zone * 4 + 4);
    if (circle.lat < south! - dlat || circle.lat > north! + dlat) continue;
    // A zone at the antimeridian may be written beyond 180°, or its point may be.
    for (const turn of [0, 360, -360]) {
      const lon = circle.lon + turn;
      if (lon < west! - dlon || lon > east! + dlon) continue;
      const contains = isInside(zones, zone, { lat: circle.lat, lon });
      const distance_m = contains ? 0 : outlineDistance_m(zones, zone, { lat: circle.lat, lon });
      if (distance_m > circle.radius_m) continue;
      hits.push({ zone, contains, distance_m });
      break;
    }
  }
  return hits;
}

/** Even-odd within each polygon: holes are out, whichever way round the rings are written. */
function isInside(zones: Zones, zone: number, at: { lat: number; lon: number }): boolean {
  let polygon = -1;
  let inside = false;
  for (let ring = zones.rings_at[zone]!; ring < zones.rings_at[zone + 1]!; ring++) {
    if (zones.polygon[ring] !== polygon) {
      if (inside) return true;
      polygon = zones.polygon[ring]!;
    }
    if (crossesOdd(zones, ring, at)) inside = !inside;
  }
  return inside;
}

function crossesOdd(
  { corners_at, lat, lon }: Zones,
  ring: number,
  at: { lat: number; lon: number },
) {
  let odd = false;
  for (let i = corners_at[ring]! + 1; i < corners_at[ring + 1]!; i++) {
    const [y1, y2] = [lat[i - 1]!, lat[i]!];
    if (y1 > at.lat === y2 > at.lat) continue;
    const [x1, x2] = [lon[i - 1]!, lon[i]!];
    if (at.lon < x1 + ((at.lat - y1) / (y2 - y1)) * (x2 - x1)) odd = !odd;
  }
  return odd;
}

/** To the nearest edge, on the plane that touches the globe at the point: exact enough for a walk. */
function outlineDistance_m(zones: Zones, zone: number, at: { lat: number; lon: number }): number {
  const { rings_at, corners_at, lat, lon } = zones;
  const east_m = METRES_PER_DEGREE * Math.cos((at.lat * Math.PI) / 180);
  let least = Infinity;
  for (let ring = rings_at[zone]!; ring < rings_at[zone + 1]!; ring++) {
    for (let i = corners_at[ring]! + 1; i < corners_at[ring + 1]!; i++) {
      const x1 = (lon[i - 1]! - at.lon) * east_m;
      const y1 = (lat[i - 1]! - at.lat) * METRES_PER_DEGREE;
      const dx = (lon[i]! - at.lon) * east_m - x1;
      const dy = (lat[i]! - at.lat) * METRES_PER_DEGREE - y1;
      const square = dx * dx + dy * dy;
      const along = square === 0 ? 0 : Math.min(1, Math.max(0, -(x1 * dx + y1 * dy) / square));
      const [x, y] = [x1 + along * dx, y1 + along * dy];
      // The root of the least alone: there may be hundreds of thousands of edges.
      least = Math.min(least, x * x + y * y);
    }
  }
  return Math.sqrt(least);
}

/** Whether a zone has a rule of all types or of one of these. */
export function hasRuleOf(
  { rules_at, types_at, types, type_ids }: Zones,
  zone: number,
  wanted: Pick<ReadonlySet<string>, "has">,
): boolean {
  for (let rule = rules_at[zone]!; rule < rules_at[zone + 1]!; rule++) {
    const [from, to] = [types_at[rule]!, types_at[rule + 1]!];
    if (from === to) return true;
    for (let at = from; at < to; at++) if (wanted.has(type_ids[types[at]!]!)) return true;
  }
  return false;
}

/** A rule that holds at a point; `zone` null: it is a global rule. */
export type RuleAt = { rule: ZoneRule; zone: string | null; type_ids: string[] };

/**
 * Returns the rule of each type at a point: that of the first zone containing it which has one for the
 * type, and within a zone the first; else the first global rule. A rule without types is of all.
 */
export function rulesAt(
  zones: Zones,
  hits: readonly ZoneHit[],
  type_ids: readonly string[],
): RuleAt[] {
  const left = new Set(type_ids);
  const matches: RuleAt[] = [];
  const apply = (rules: readonly ZoneRule[], zone: string | null): void => {
    for (const rule of rules) {
      if (left.size === 0) return;
      const own =
        rule.type_ids.length === 0 ? [...left] : rule.type_ids.filter((id) => left.has(id));
      for (const id of own) left.delete(id);
      if (own.length > 0) matches.push({ rule, zone, type_ids: own });
    }
  };
  for (const { zone, contains } of hits) {
    if (left.size === 0) break;
    if (!contains || !hasRuleOf(zones, zone, left)) continue;
    const { name, rules } = readZoneFacts(zones, zone);
    apply(rules, name ?? "");
  }
  apply(zones.global_rules, null);
  return matches;
}
