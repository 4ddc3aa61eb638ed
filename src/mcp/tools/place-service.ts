/** A service by its id, from the providers that know the place around its point. */
import { isPartial } from "#core/coverage.ts";
import { PLACE_RADIUS_M } from "#api/agent-place.ts";
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import { defaultsOf } from "#api/primitives.ts";
import { MAPS_CATEGORIES, SERVICES_PARAMETERS } from "#api/services.ts";
import { SERVICE_TYPES } from "#api/tokens.ts";
import { toOmitted } from "../brief.ts";
import { toServiceRecord } from "../tool-records.ts";
import { observersOfPlace } from "../answer-sources.ts";
import type { Described, FindPlace, PlaceMatch } from "./place-kinds.ts";
import { toInput } from "./places-tool.ts";

type Type = (typeof SERVICE_TYPES)[number];
type Body = ReplyAt<"/v1/services/nearby">;
type Service = Body["results"][number];

const isOfMaps = (type: Type): boolean => MAPS_CATEGORIES.some((each) => each === type);

/** In turn, since the id does not say its type: what costs a unit more is asked last. */
const ROUNDS: readonly (readonly Type[])[] = [
  SERVICE_TYPES.filter((type) => !isOfMaps(type)),
  ["charging"],
  ["parking"],
];
const DEFAULTS = defaultsOf(SERVICES_PARAMETERS);

export const findService: FindPlace = async ({ searches }, { id, at }, query) => {
  const unknown: string[] = [];
  for (const [maps_categories, types] of ROUNDS.entries()) {
    const limit = LIMITS.services.limit_max;
    const question = { ...DEFAULTS, ...at!, types, radius: PLACE_RADIUS_M, limit };
    const reply = await searches.services(toInput(question, query));
    // Its parameters are all our own.
    if ("kind" in reply) throw new Error(reply.message);
    const { body } = reply;
    const service = body.results.find((each) => each.id === id);
    if (service)
      return toPlaceMatch(service, { body, max_age_s: reply.max_age_s, maps_categories });
    if (isPartial(body)) unknown.push(body.message ?? "A source failed.");
  }
  const metered = { void: unknown.length > 0, objects: 0, maps_categories: MAPS_CATEGORIES.length };
  const requested = [{ operation: "getServicesNearby", metered } as const];
  return { kind: "missing", radius_m: PLACE_RADIUS_M, unknown, requested };
};

type From = { body: Body; max_age_s: number | null; maps_categories: number };

function toPlaceMatch(service: Service, { body, max_age_s, maps_categories }: From): PlaceMatch {
  const { status, message, query_origin, local_time, time_zone } = body;
  const sources = [...new Set(observersOfPlace(service))];
  return {
    kind: "found",
    record: toServiceRecord(service),
    reported: { status, message, ...toOmitted(body.notices, message) },
    query_origin,
    local: local_time && time_zone ? { local_time, time_zone } : null,
    provenance: sources.map((source_id) => describe(service, source_id)),
    sources,
    freshness: {},
    max_age_s,
    requested: [
      { operation: "getServicesNearby", metered: { void: false, objects: 1, maps_categories } },
    ],
  };
}

type Observed = {
  sources?: { source_id: string; external_id: string }[];
  charging?: { availability_updated_at?: string };
  availability?: { observed_at?: string };
};

/** Sources of places state no time but that of the plugs, or of the free spaces. */
function describe(service: Service, source_id: string): Described {
  const { sources = [], charging, availability } = service.attributes as Observed;
  const other = sources.find((each) => each.source_id === source_id)?.external_id;
  const isLead = source_id === service.source_id;
  const entity_id = isLead ? service.external_id : other;
  return {
    source_id,
    ...(entity_id === undefined ? {} : { entity_id }),
    observed_at:
      (isLead && (charging?.availability_updated_at ?? availability?.observed_at)) || null,
    fetched_at: null,
  };
}
