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
import { type Asked, type Coverage, judgeCoverage } from "#core/coverage.ts";
import type { PlaceKind } from "#core/places/place.ts";
import { countByToken, createPlaceIds, type ServiceItem, toItems } from "#core/places/results.ts";
import { kindsOf, type ServiceToken } from "#core/places/tokens.ts";
import type { Clock } from "#ports.ts";
import { countryAt, type FindCountries } from "#app/country.ts";
import { createDeadline } from "#upstream/deadline.ts";
import type { Finder, Finding, PlaceQuestion } from "./finder.ts";
import { remaining_s } from "./good-for.ts";
import { REPLY_MARGIN_MS } from "#core/time.ts";

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

export type SearchInput<Q> = {
  question: Q;
  /** When the answer must be on its way, epoch ms. */
  deadline_ms: number;
  /** The caller is still there. */
  signal: AbortSignal;
  /** The caller has shown a key: part of what a paid source allows is theirs. */
  keyed?: boolean;
  now_ms: number;
};

export type SearchReply = {
  body: object;
  /** Seconds the answer may be cached; null: `no-store`. */
  max_age_s: number | null;
  /** Facts that its price depends on. */
  metered: { void: boolean; objects: number; maps_categories: number };
};

export type Search<Q> = (input: SearchInput<Q>) => Promise<SearchReply>;

const MAPS_TYPES: ReadonlySet<ServiceToken> = new Set(MAPS_CATEGORIES);

type Applied = { radius_m: number; limit: number };
type Answered = {
  input: SearchInput<Question>;
  applied: Applied;
  items: ServiceItem[];
  findings: Finding[];
  coverage: Coverage;
};

/** GET /v1/services/nearby. */
export function createServices(deps: ServicesDeps): Search<ServicesQuestion> {
  const own = { ...deps, toId: createPlaceIds() };
  return async (input) => {
    const answered = await search(own, input, LIMITS.services);
    const { types } = input.question;
    const asksMaps = types.some((type) => MAPS_TYPES.has(type));
    return present(deps, answered, {
      summary: countByToken(answered.items, types),
      ...(asksMaps ? { attributions: [attributionOf(deps.maps)] } : {}),
    });
  };
}

/** GET /v1/parking/nearby and /v1/charging/nearby. */
export function createFacility(
  deps: ServicesDeps,
  type: "parking" | "charging",
): Search<FacilityQuestion> {
  const own = { ...deps, toId: createPlaceIds() };
  return async (input) => {
    const question = { ...input.question, types: [type] as const, country: undefined };
    const answered = await search(own, { ...input, question }, LIMITS.facilities);
    return present(deps, answered, { attribution: attributionOf(deps.maps) });
  };
}

function attributionOf({ name }: ServicesDeps["maps"]): object {
  return { provider: name, display_name: name, required: true };
}

async function search(
  deps: ServicesDeps & { toId: ReturnType<typeof createPlaceIds> },
  input: SearchInput<Question>,
  limits: { radius_max: number; limit_max: number },
): Promise<Answered> {
  const { question, deadline_ms, keyed = false, now_ms } = input;
  // 1. Clamp (§7 rule 3).
  const applied = {
    radius_m: Math.min(question.radius, limits.radius_max),
    limit: Math.min(question.limit, limits.limit_max),
  };
  const kinds = kindsOf(question.types);
  // 2. Sources that know these kinds here, and kinds that none knows.
  using deadline = createDeadline(deps.clock, deadline_ms - REPLY_MARGIN_MS, input.signal);
  const { signal } = deadline;
  const asking = await toQuestion(deps, { question, applied, kinds, signal, keyed, now_ms });
  const finders = deps.finders.filter((finder) => finder.kindsFor(asking).length > 0);
  const known = new Set(finders.flatMap((finder) => finder.kindsFor(asking)));
  const unserved = question.types.filter((token) => !known.has(kindsOf([token])[0]!));
  // 3. Ask them all at once.
  const findings = await Promise.all(finders.map((finder) => finder.find(asking)));
  // 4. One thing is one result, however many see it; then rank.
  const items = toItems(
    findings.map(({ places }) => places),
    {
      tokens: question.types,
      radius_m: applied.radius_m,
      language: question.language ?? null,
      toId: deps.toId,
    },
  );
  // 5. Coverage decides the status.
  const coverage = judgeCoverage({
    asked: listAsked(findings),
    unserved,
    unsurveyed: 0,
    found: items.length,
    radius_m: applied.radius_m,
  });
  return { input, applied, items, findings, coverage };
}

/** A source that is asked in several ways is one, and failed if one of them did. */
function listAsked(findings: readonly Finding[]): Asked[] {
  const asked = new Map<string, Asked>();
  for (const { key, status, reason } of findings)
    if ((asked.get(key)?.status ?? "ok") === "ok")
      asked.set(key, { source_id: key, status, reason });
  return [...asked.values()];
}

async function toQuestion(
  deps: ServicesDeps,
  from: {
    question: Question;
    applied: Applied;
    kinds: readonly PlaceKind[];
    signal: AbortSignal;
    keyed: boolean;
    now_ms: number;
  },
): Promise<PlaceQuestion> {
  const { question, applied, ...rest } = from;
  const { lat, lon, country, language = null } = question;
  return {
    ...rest,
    circle: { lat, lon, radius_m: applied.radius_m },
    country: country?.toUpperCase() ?? (await countryOf(deps, lat, lon)),
    language,
    maps_limit: LIMITS.services.maps_category_max,
    freshness: null,
  };
}

/** Decisions, Urban services: missing, it is derived from the coordinate, offline. */
async function countryOf(deps: ServicesDeps, lat: number, lon: number): Promise<string | null> {
  return countryAt(await deps.countries(), lat, lon);
}

function present(deps: ServicesDeps, answered: Answered, own: object): SearchReply {
  const { input, applied, items, findings, coverage } = answered;
  const { lat, lon, debug } = input.question;
  const results = items.slice(0, applied.limit);
  const complete = coverage.status !== "partial" && !debug;
  return {
    body: {
      status: coverage.status,
      ...(coverage.message === null ? {} : { message: coverage.message }),
      query_origin: { lat, lon },
      radius: applied.radius_m,
      total: items.length,
      ...own,
      results,
      ...(debug ? { debug: debugOf(answered, results) } : {}),
    },
    max_age_s: complete ? remaining_s(findings, deps.clock.now()) : null,
    metered: {
      void: coverage.status === "partial" && results.length === 0,
      objects: results.length,
      maps_categories: input.question.types.filter((type) => MAPS_TYPES.has(type)).length,
    },
  };
}

/** §2.7. A provider that is asked in several ways is one: the worst outcome is reported. */
function debugOf({ input, applied, findings }: Answered, results: readonly ServiceItem[]): object {
  const providers: Record<string, object> = {};
  for (const key of new Set(findings.map((finding) => finding.key))) {
    const own = findings.filter((finding) => finding.key === key);
    const failed = own.find(({ status }) => status !== "ok");
    providers[key] = {
      status: failed?.status ?? "ok",
      raw_count: own.reduce((sum, { raw }) => sum + raw, 0),
      returned_count: results.filter((item) => isFrom(item, key)).length,
      ...(failed?.reason ? { reason: failed.reason } : {}),
    };
  }
  const caches = new Set(findings.map(({ cache }) => cache));
  const [only = "miss"] = caches;
  return {
    providers,
    provider_calls: findings.reduce((sum, { calls }) => sum + calls, 0),
    cache: caches.size > 1 ? "partial" : only,
    requested_radius: input.question.radius,
    applied_radius: applied.radius_m,
    requested_limit: input.question.limit,
    applied_limit: applied.limit,
  };
}

/** It brought the result, alone or as one of several observers. */
function isFrom({ source_id, provider, attributes }: ServiceItem, key: string): boolean {
  const sources = (attributes["sources"] ?? []) as { source_id: string }[];
  return (
    source_id === key || provider?.id === key || sources.some((source) => source.source_id === key)
  );
}
