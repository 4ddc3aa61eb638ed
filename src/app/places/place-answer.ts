/**
 * What a search for places is made of besides its waits: what it asks of which sources, what of their
 * findings it selects, and the answer made of them.
 */
import type { BaseStatementBody } from "#api/bases.ts";
import type { Location } from "#kit/geo.ts";
import { LIMITS } from "#api/limits.ts";
import type { Decoded } from "#api/primitives.ts";
import { MAPS_CATEGORIES, type SERVICES_PARAMETERS } from "#api/services.ts";
import { judgeCoverage } from "#core/coverage.ts";
import type { PlaceKind } from "#core/places/place.ts";
import type {
  createPlaceIds,
  createPlaceNames,
  OpenItem,
  ServiceItem,
} from "#core/places/place-results.ts";
import { createPlaceBudget, type Selecting } from "#core/places/select.ts";
import { kindOf, kindsOf, type ServiceToken } from "#core/places/place-tokens.ts";
import type { Clock } from "#ports.ts";
import type { Walks } from "#ports/walks.ts";
import { countryAt, type FindCountries } from "#app/country.ts";
import { toLocalTime } from "#app/timezone.ts";
import { type Applied, listQueried, listCuts, type SearchInput, toReply } from "../search-reply.ts";
import type { Finder, Finding, PlaceQuestion } from "./place-finder.ts";
import type { OpenStates, StatesAt } from "./open-states.ts";
import type { PlaceCounts, PlacePage } from "./place-page.ts";
import { isFiltered, listWishes } from "./place-wishes.ts";
import type { PlaceTexts } from "./place-texts.ts";
import { toOnFoot } from "../walk/walk-results.ts";
import { metresWithin, readWalkWish } from "../walk/walking.ts";

/** Decoded parameters, not yet clamped. */
export type ServicesQuestion = Decoded<typeof SERVICES_PARAMETERS>;

export type ServicesDeps = {
  finders: readonly Finder[];
  clock: Clock;
  countries: () => Promise<FindCountries>;
  openStates: StatesAt;
  maps: { id: string; name: string };
  /** The imported base that answers for the open map at a point; null: none covers it. */
  baseAt?(at: Location): BaseStatementBody | null;
  /** Absent: no base has ways on foot. */
  walks?: Walks;
  /** Receives the places of each answer; absent: nothing is recorded of them. */
  noteServices?(items: readonly Pick<OpenItem, "id" | "source_id" | "attributes">[]): void;
};

/** Either of them. */
export type PlacesQuestion = ServicesQuestion & { language?: string | undefined };

export const MAPS_TYPES: ReadonlySet<ServiceToken> = new Set(MAPS_CATEGORIES);

/** What the searches of a deployment share. */
export type Tools = ServicesDeps & {
  toId: ReturnType<typeof createPlaceIds>;
  toName: ReturnType<typeof createPlaceNames>;
  texts: PlaceTexts;
  /** What a question has loaded, for those that wait for nothing. */
  known: { countries: FindCountries | null };
};

export type Limits = { radius_max: number; limit_max: number };

/** Makes the members of the operation's own, of what was counted and of what is shown. */
export type ToOwn<O> = (counted: PlaceCounts, results: readonly ServiceItem[]) => O;

/** What a question asks of which sources. */
type Wanted = {
  query: PlaceQuestion;
  finders: readonly Finder[];
  unserved: readonly ServiceToken[];
  uncovered: readonly string[];
};

/** Sources that know the kinds of a question here, and kinds that none knows. */
export function toWanted(
  deps: Pick<Tools, "finders">,
  input: SearchInput<PlacesQuestion>,
  own: { applied: Applied; signal: AbortSignal; countries: FindCountries },
): Wanted {
  const query = toQuery(input, own);
  const finders: Finder[] = [];
  const entries = new Set<PlaceKind>();
  for (const finder of deps.finders) {
    const kinds = finder.kindsFor(query);
    if (kinds.length > 0) finders.push(finder);
    for (const kind of kinds) entries.add(kind);
  }
  const unknown = input.question.types.filter((token) => !entries.has(kindOf(token)));
  return { query, finders, ...explainUnknown(deps.finders, query, unknown) };
}

/** All that an answer is made of but for its results. */
export type Answer = {
  question: PlacesQuestion;
  applied: Applied;
  limits: Limits;
  wanted: Wanted;
  findings: readonly Finding[];
  page: PlacePage;
  now_ms: number;
  moment: { at_ms: number; is_now: boolean };
  states: OpenStates;
};

/** `own`: the members of the operation's own. */
export function toAnswer<O extends object>(deps: Tools, answer: Answer, own: O) {
  const { question, applied, limits, wanted, findings, page, now_ms, moment, states } = answer;
  const { total, walking, nearest_known } = page;
  const [{ lat, lon }, wish] = [question, readWalkWish(question)];
  const coverage = judgeCoverage({
    requested: listQueried(findings, now_ms),
    unserved: wanted.unserved,
    uncovered: wanted.uncovered,
    unsurveyed: 0,
    found: total,
    uncounted: page.uncounted,
    on_foot: toOnFoot(wish),
    radius_m: applied.radius_m,
    radius_max: limits.radius_max,
    cuts: listCuts(findings, wish === null ? Infinity : metresWithin(wish)),
  });
  const time_zone = states.zoneAt(lat, lon);
  const base = deps.baseAt?.({ lat, lon }) ?? null;
  const match = {
    question,
    applied,
    radii: { requested_radius: question.radius, applied_radius: applied.radius_m },
    now_ms,
    coverage,
    findings,
    shown: page.items,
    cuts: page.cuts,
    isFrom,
    maps_categories: question.types.filter((type) => MAPS_TYPES.has(type)).length,
    ...(moment.is_now ? { good_until_ms: states.ends_ms() } : {}),
  };
  return toReply(match, {
    query_origin: { lat, lon },
    radius: applied.radius_m,
    total,
    local_time: toLocalTime(time_zone, moment.at_ms),
    time_zone,
    ...(walking === null ? {} : { walking }),
    ...(nearest_known === undefined ? {} : { nearest_known }),
    ...(base === null ? {} : { base }),
    ...own,
  });
}

/** What of that which was found is wanted. */
export function toSelecting(
  { toId, toName }: Tools,
  question: PlacesQuestion,
  { applied, states, query }: { applied: Applied; states: OpenStates; query: PlaceQuestion },
): Selecting {
  return {
    tokens: question.types,
    radius_m: applied.radius_m,
    limit: applied.limit,
    wishes: listWishes(question, states),
    strict: question.strict,
    language: question.language ?? null,
    budget: query.budget,
    facilities_max: query.maps_limit,
    toId,
    toName,
  };
}

const ALL_KNOWN = { unserved: [], uncovered: [] } as const;

/** Types that no source of this deployment knows, and the sources that know others elsewhere only. */
function explainUnknown(
  finders: readonly Finder[],
  place_question: PlaceQuestion,
  types: readonly ServiceToken[],
): Pick<Wanted, "unserved" | "uncovered"> {
  if (types.length === 0) return ALL_KNOWN;
  const question = { ...place_question, kinds: kindsOf(types) };
  const entries = finders.flatMap(({ elsewhere }) => {
    const kinds = elsewhere?.kindsFor(question) ?? [];
    return elsewhere && kinds.length > 0 ? [{ name: elsewhere.name, kinds }] : [];
  });
  const isKnown = (token: ServiceToken): boolean =>
    entries.some(({ kinds }) => kinds.includes(kindOf(token)));
  return {
    unserved: types.filter((token) => !isKnown(token)),
    uncovered: [...new Set(entries.map(({ name }) => name))],
  };
}

/**
 * Asks for the kinds of which nothing was found those sources that leave them to another one here
 * (decisions, Urban services: the open map, where the locker network has nothing).
 */
export function listInstead(
  finders: readonly Finder[],
  question: PlaceQuestion,
  findings: readonly Finding[],
): (() => Promise<Finding>)[] {
  // Without time left they would only fail, and make what they have found look incomplete.
  if (question.signal.aborted || finders.every((finder) => finder.replaces === false)) return [];
  const { radius_m } = question.circle;
  const matches = new Set<PlaceKind>();
  for (const { places } of findings)
    for (let hit = 0; hit < places.length; hit++)
      if (places.metres[hit]! <= radius_m) matches.add(places.kindAt(hit));
  const missing = question.kinds.filter((kind) => !matches.has(kind));
  if (missing.length === 0) return [];
  const again = { ...question, kinds: missing, unfound: missing };
  return finders.flatMap((finder) => {
    const request = finder.kindsFor(question);
    const kinds = finder.kindsFor(again).filter((kind) => !request.includes(kind));
    return kinds.length > 0 ? [() => finder.find({ ...again, kinds })] : [];
  });
}

function toQuery(
  { question, keyed = false, now_ms }: SearchInput<PlacesQuestion>,
  own: { applied: Applied; signal: AbortSignal; countries: FindCountries },
): PlaceQuestion {
  const { applied, signal, countries } = own;
  const { lat, lon, language = null } = question;
  const at = (): string | null => countryAt(countries, lat, lon);
  let country: string | null | undefined = question.country?.toUpperCase();
  return {
    circle: { lat, lon, radius_m: applied.radius_m },
    kinds: kindsOf(question.types),
    unfound: [],
    // Decisions, Urban services: missing, it is derived from the coordinate, offline; no source may ask.
    get country() {
      return (country ??= at());
    },
    language,
    maps_limit: LIMITS.services.maps_category_max,
    filtered: isFiltered(question) || question.within_minutes !== undefined,
    now_ms,
    budget: createPlaceBudget(),
    signal,
    keyed,
    freshness: null,
  };
}

function isFrom({ source_id, provider, attributes }: OpenItem, key: string): boolean {
  const sources = (attributes["sources"] ?? []) as { source_id: string }[];
  return (
    source_id === key || provider?.id === key || sources.some((source) => source.source_id === key)
  );
}
