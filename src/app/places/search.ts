/**
 * Urban services (§4.6), parking and charging (§4.7): the sources of the requested kinds, asked at
 * once under one deadline, merged, counted, ranked and cut.
 */
import { LIMITS } from "#contract/limits.ts";
import type { Decoded } from "#contract/primitives.ts";
import {
  type FACILITY_PARAMETERS,
  MAPS_CATEGORIES,
  type SERVICES_PARAMETERS,
} from "#contract/services.ts";
import { judgeCoverage } from "#core/coverage.ts";
import {
  countByToken,
  createPlaceIds,
  isUndrinkable,
  type ServiceItem,
  toItems,
} from "#core/places/results.ts";
import { kindsOf, type ServiceToken } from "#core/places/tokens.ts";
import { REPLY_MARGIN_MS } from "#core/time.ts";
import type { Clock } from "#ports.ts";
import { countryAt, type FindCountries } from "#app/country.ts";
import { createDeadline } from "#upstream/deadline.ts";
import {
  type Applied,
  clamp,
  listAsked,
  listCuts,
  type Search,
  type SearchInput,
  type SearchReply,
  toReply,
} from "../search.ts";
import type { Finder, Finding, PlaceQuestion } from "./finder.ts";

export type ServicesDeps = {
  finders: readonly Finder[];
  clock: Clock;
  countries: () => Promise<FindCountries>;
  maps: { id: string; name: string };
};

/** Decoded parameters, not yet clamped. */
export type ServicesQuestion = Decoded<typeof SERVICES_PARAMETERS>;
export type FacilityQuestion = Decoded<typeof FACILITY_PARAMETERS>;

/** Either of them. */
type Question = ServicesQuestion & { language?: string | undefined };

const MAPS_TYPES: ReadonlySet<ServiceToken> = new Set(MAPS_CATEGORIES);

/** GET /v1/services/nearby. */
export function createServices(deps: ServicesDeps): Search<ServicesQuestion> {
  const toId = createPlaceIds();
  return (input) => {
    const { types } = input.question;
    const asksMaps = types.some((type) => MAPS_TYPES.has(type));
    const asksWater = kindsOf(types).includes("water");
    return search({ ...deps, toId }, input, LIMITS.services, (items, inside) => ({
      summary: countByToken(items, types),
      ...(asksWater ? { not_potable: inside.filter(isUndrinkable).length } : {}),
      ...(asksMaps ? { attributions: [attributionOf(deps.maps)] } : {}),
    }));
  };
}

/** GET /v1/parking/nearby and /v1/charging/nearby. */
export function createFacility(
  deps: ServicesDeps,
  type: "parking" | "charging",
): Search<FacilityQuestion> {
  const toId = createPlaceIds();
  return (input) => {
    const question = { ...input.question, types: [type] as const, country: undefined };
    return search({ ...deps, toId }, { ...input, question }, LIMITS.facilities, () => ({
      attribution: attributionOf(deps.maps),
    }));
  };
}

function attributionOf({ name }: ServicesDeps["maps"]): object {
  return { provider: name, display_name: name, required: true };
}

/**
 * `toOwn`: the members of the operation's own, made of all items found, and of all that lie inside
 * the circle: water that is known not to be potable is not found by a question for drinking water.
 */
async function search(
  deps: ServicesDeps & { toId: ReturnType<typeof createPlaceIds> },
  input: SearchInput<Question>,
  limits: { radius_max: number; limit_max: number },
  toOwn: (items: readonly ServiceItem[], inside: readonly ServiceItem[]) => object,
): Promise<SearchReply> {
  const { question, deadline_ms } = input;
  // 1. Clamp (§7 rule 3).
  const applied = clamp(question, limits);
  // 2. Sources that know these kinds here, and kinds that none knows.
  using deadline = createDeadline(deps.clock, deadline_ms - REPLY_MARGIN_MS, input.signal);
  const asking = await toQuestion(deps, input, { applied, signal: deadline.signal });
  const finders = deps.finders.filter((finder) => finder.kindsFor(asking).length > 0);
  const known = new Set(finders.flatMap((finder) => finder.kindsFor(asking)));
  const unserved = question.types.filter((token) => !known.has(kindsOf([token])[0]!));
  // 3. Ask them all at once; then those that stand in for one that knew nothing here.
  const first = await Promise.all(finders.map((finder) => finder.find(asking)));
  const findings = [...first, ...(await askInstead(deps.finders, asking, first))];
  // 4. One thing is one result, however many see it; then rank.
  const inside = toItems(
    findings.map(({ places }) => places),
    {
      tokens: question.types,
      radius_m: applied.radius_m,
      language: question.language ?? null,
      toId: deps.toId,
    },
  );
  const items = inside.filter(({ service_type }) => question.types.includes(service_type));
  // 5. Coverage decides the status.
  const coverage = judgeCoverage({
    asked: listAsked(findings, deps.clock.now()),
    unserved,
    unsurveyed: 0,
    found: items.length,
    radius_m: applied.radius_m,
    radius_max: limits.radius_max,
    cuts: listCuts(findings),
  });
  return toReply(
    {
      question,
      applied,
      now_ms: deps.clock.now(),
      coverage,
      findings,
      items,
      isFrom,
      limit_max: limits.limit_max,
      maps_categories: question.types.filter((type) => MAPS_TYPES.has(type)).length,
    },
    (results) => ({ ...toOwn(items, inside), results }),
  );
}

/**
 * Asks for the kinds of which nothing was found those sources that leave them to another one here
 * (decisions, Urban services: the open map, where the locker network has nothing).
 */
async function askInstead(
  finders: readonly Finder[],
  asking: PlaceQuestion,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const { radius_m } = asking.circle;
  const found = new Set(
    findings.flatMap(({ places }) =>
      places.flatMap(({ place, distance_m }) => (distance_m <= radius_m ? [place.kind] : [])),
    ),
  );
  const missing = asking.kinds.filter((kind) => !found.has(kind));
  const again = { ...asking, kinds: missing, unfound: missing };
  const instead = finders.flatMap((finder) => {
    const asked = finder.kindsFor(asking);
    const kinds = finder.kindsFor(again).filter((kind) => !asked.includes(kind));
    return kinds.length > 0 ? [finder.find({ ...again, kinds })] : [];
  });
  return await Promise.all(instead);
}

async function toQuestion(
  deps: ServicesDeps,
  { question, keyed = false, now_ms }: SearchInput<Question>,
  { applied, signal }: { applied: Applied; signal: AbortSignal },
): Promise<PlaceQuestion> {
  const { lat, lon, country, language = null } = question;
  return {
    circle: { lat, lon, radius_m: applied.radius_m },
    kinds: kindsOf(question.types),
    unfound: [],
    // Decisions, Urban services: missing, it is derived from the coordinate, offline.
    country: country?.toUpperCase() ?? countryAt(await deps.countries(), lat, lon),
    language,
    maps_limit: LIMITS.services.maps_category_max,
    now_ms,
    signal,
    keyed,
    freshness: null,
  };
}

function isFrom({ source_id, provider, attributes }: ServiceItem, key: string): boolean {
  const sources = (attributes["sources"] ?? []) as { source_id: string }[];
  return (
    source_id === key || provider?.id === key || sources.some((source) => source.source_id === key)
  );
}
