/**
 * One station or vehicle by its id, near a point where it was found: the question of GET /v1/nearby,
 * of whose answer one item is rendered, with the rules of riding and parking at its place.
 */
import { type Audit, auditOf } from "#app/audit.ts";
import { bodyOf, type RenderNearby } from "#app/nearby-body.ts";
import { askNearbyFor, type OnBehalf } from "#app/nearby-for.ts";
import type { Nearby } from "#app/answer-types.ts";
import type { SystemZones } from "#app/zone-items.ts";
import { LIMITS } from "#api/limits.ts";
import { isPartial } from "#core/coverage.ts";
import { PLACE_ID_PREFIX } from "#core/places/place-results.ts";
import { STATION_ID_PREFIX } from "#kit/ids.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { pointOfRow } from "#world/station-index.ts";
import type { SystemPricesValue } from "#api/prices.ts";
import { findPlan } from "#core/plan/price.ts";
import type { World } from "#world/world.ts";

export type OneResult = {
  /** An answer of GET /v1/nearby that lists this one alone; null: it is not there. */
  body: NearbyBodyValue | null;
  /** Of a vehicle: what its network publishes for its place; null: nothing is known. */
  zones: SystemZones | null;
  /** Of a vehicle: its pricing plan, with what a ride costs; null: not known. */
  price: Plan | null;
  /** Of what was asked, and of the one item. */
  audit: Audit;
  /** Seconds the answer may be kept; null: not at all. */
  max_age_s: number | null;
};
/**
 * `id`: of a station, or the `source_id` of a vehicle; `at`: where to look, null: where the station of
 * this id is. Null: no station is known by the id alone.
 */
export type FindOne = (
  one: { id: string; at: Point | null },
  behalf: OnBehalf,
) => Promise<OneResult | null>;

type Plan = SystemPricesValue["plans"][number];
type Point = { lat: number; lon: number };

type Deps = {
  world: Pick<World, "findStation">;
  nearby: Nearby;
  renderNearby: RenderNearby;
};

export function createFindOne(deps: Deps): FindOne {
  return async ({ id, at }, query) => {
    const point = at ?? stationPoint(deps.world, id);
    if (!point) return null;
    const wanted = { ...query, only: id };
    const result = await askNearbyFor(deps.nearby, { ...point, ...AROUND_MOBILITY }, wanted);
    const audit = auditOf(result);
    const { max_age_s } = result;
    if (result.found.items.length === 0) return { body: null, ...NOTHING, audit, max_age_s };
    const body = bodyOf(result, deps.renderNearby);
    const [vehicle] = body.results.vehicles;
    const rules = vehicle ? await rulesAt(deps.nearby, vehicle, query) : NOTHING;
    return { body, ...rules, audit, max_age_s };
  };
}

/** The point of a station that is known by its id; null: it is not. */
function stationPoint(world: Deps["world"], id: string): Point | null {
  const station = world.findStation(id);
  return station && pointOfRow(station);
}

type Vehicle = NearbyBodyValue["results"]["vehicles"][number];

/** What GET /v1/places/{id} answers: the thing, or that nothing can be said of it; null: there is none. */
type FoundPlace = {
  body: NearbyBodyValue;
  /** Whether it was found. */
  found: boolean;
  max_age_s: number | null;
};
/**
 * "point": this one is looked for around a point alone. `within_m`: how far a service may be from it, at
 * most 400; absent: 50, since services stay where they were shown.
 */
export type FindPlaceById = (
  one: { id: string; at: Point | null; within_m?: number },
  behalf: OnBehalf,
) => Promise<FoundPlace | "point" | null>;

export function createFindPlaceById(deps: Deps): FindPlaceById {
  return async ({ id, at, within_m = SERVICE_M }, behalf) => {
    const point = at ?? stationPoint(deps.world, id);
    if (!point) return id.startsWith(STATION_ID_PREFIX) ? null : "point";
    const question = id.startsWith(PLACE_ID_PREFIX)
      ? { ...AROUND_SERVICE, radius: within_m }
      : AROUND_MOBILITY;
    const query = { ...behalf, only: id };
    const result = await askNearbyFor(deps.nearby, { ...point, ...question }, query);
    const body = bodyOf(result, deps.renderNearby);
    const { stations, vehicles, places } = body.results;
    const found = stations.length + vehicles.length + places.length > 0;
    if (!found && !isPartial(result.coverage)) return null;
    return { body, found, max_age_s: result.max_age_s };
  };
}

const AROUND_MOBILITY = {
  radius: LIMITS.nearby.radius_max,
  include: ["stations", "vehicles", "alerts"],
  limit: 1,
} as const;
/** A point where one was shown is this near. */
const SERVICE_M = 50;
const AROUND_SERVICE = { include: ["places"], limit: 1 } as const;

type Rules = Pick<OneResult, "zones" | "price">;
const NOTHING: Rules = { zones: null, price: null };

/** Rules hold at the vehicle, not where it was looked for. */
async function rulesAt(
  nearby: Nearby,
  { source: { location, mode, pricing_plan_id }, network_id }: Vehicle,
  behalf: OnBehalf,
): Promise<Rules> {
  if (!location || mode === null || mode === "other") return NOTHING;
  const radius = LIMITS.nearby.radius_min;
  const include = ["zones", "prices"] as const;
  const question = { ...location, radius, modes: [mode], include, limit: 1 };
  const { zones, prices } = (await askNearbyFor(nearby, question, behalf)).found;
  const own = { kind: "vehicle", plan_id: pricing_plan_id ?? null, mode } as const;
  return {
    zones: zones?.find(({ network }) => network.id === network_id) ?? null,
    price: findPlan(prices ?? [], { ...own, network_ids: [network_id] }),
  };
}
