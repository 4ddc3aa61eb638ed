/**
 * One station or vehicle by its id, near a point where it was found: the question of GET /v1/nearby,
 * of whose answer one item is rendered, with the rules of riding and parking at its place.
 */
import type { Caller } from "#app/access/caller.ts";
import { type Audit, auditOf } from "#app/audit.ts";
import type { RenderNearby } from "#app/nearby-body.ts";
import type { Nearby, NearbyInput, NearbyResult } from "#app/types.ts";
import type { SystemZones } from "#app/zones.ts";
import { LIMITS } from "#contract/limits.ts";
import { NEARBY_PARAMETERS, type NearbyBodyValue } from "#contract/nearby.ts";
import { defaultsOf } from "#contract/primitives.ts";
import { parseJsonBytes } from "#core/json.ts";
import { itemId } from "#world/found.ts";
import { copyOf } from "#world/render.ts";

type Asking = Pick<NearbyInput, "remaining_units" | "deadline_ms" | "now_ms"> & { caller: Caller };

export type OneFound = {
  /** An answer of GET /v1/nearby that lists this one alone; null: it is not there. */
  body: NearbyBodyValue | null;
  /** Of a vehicle: what its network publishes for its place; null: nothing is known. */
  zones: SystemZones | null;
  /** Of what was asked, and of the one item. */
  audit: Audit;
  /** Seconds the answer may be kept; null: not at all. */
  max_age_s: number | null;
};
/** `id`: of a station, or the `source_id` of a vehicle. */
export type FindOne = (
  one: { id: string; lat: number; lon: number },
  asking: Asking,
) => Promise<OneFound>;

type Deps = { nearby: Nearby; renderNearby: RenderNearby };

export function createFindOne(deps: Deps): FindOne {
  return async ({ id, lat, lon }, asking) => {
    const include = ["stations", "vehicles", "alerts"] as const;
    const result = await ask(deps.nearby, { lat, lon, include }, asking);
    const items = result.found.items.filter((item) => itemId(item) === id);
    const own = { ...result, found: { ...result.found, items } };
    const audit = auditOf(own);
    const { max_age_s } = result;
    if (items.length === 0) return { body: null, zones: null, audit, max_age_s };
    const bytes = copyOf((use) => deps.renderNearby(own, use));
    const body = parseJsonBytes(bytes) as NearbyBodyValue;
    const [vehicle] = body.results.vehicles;
    const zones = vehicle ? await zonesAt(deps.nearby, vehicle, asking) : null;
    return { body, zones, audit, max_age_s };
  };
}

const DEFAULTS = defaultsOf(NEARBY_PARAMETERS);

/** No bound of a plan holds: one of them is shown, wherever it ranks. */
async function ask(
  nearby: Nearby,
  question: Partial<NearbyInput["question"]> & { lat: number; lon: number },
  { caller, ...asking }: Asking,
): Promise<NearbyResult> {
  const plan = { ...caller.plan, nearby_limit_max: Number.MAX_SAFE_INTEGER };
  const limit = plan.nearby_limit_max;
  const reply = await nearby({
    ...asking,
    caller: { plan },
    question: { ...DEFAULTS, limit, ...question },
    freshness_policy: null,
  });
  // It has no offset, which is all that a plan refuses.
  return reply as NearbyResult;
}

type Vehicle = NearbyBodyValue["results"]["vehicles"][number];

/** Rules hold at the vehicle, not where it was looked for. */
async function zonesAt(
  nearby: Nearby,
  { source: { location, mode }, network_id }: Vehicle,
  asking: Asking,
): Promise<SystemZones | null> {
  if (!location || mode === null || mode === "other") return null;
  const radius = LIMITS.nearby.radius_min;
  const question = { ...location, radius, modes: [mode], include: ["zones"] as const };
  const { zones } = (await ask(nearby, question, asking)).found;
  return zones?.find(({ network }) => network.id === network_id) ?? null;
}
