/**
 * Urban services (§4.6), parking and charging (§4.7): the sources of the requested kinds, asked at
 * once under one deadline, merged, counted, ranked and cut.
 */
import type { BaseStatementBody } from "#api/bases.ts";
import type { Location } from "#kit/geo.ts";
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { Decoded } from "#api/primitives.ts";
import {
  type CHARGING_PARAMETERS,
  type FACILITY_PARAMETERS,
  MAPS_CATEGORIES,
  type SERVICES_PARAMETERS,
} from "#api/services.ts";
import { judgeCoverage } from "#core/coverage.ts";
import { USABLE_RULE } from "#api/usable.ts";
import type { PlaceKind } from "#core/places/place.ts";
import {
  createPlaceIds,
  createPlaceNames,
  type OpenItem,
  type ServiceItem,
} from "#core/places/place-results.ts";
import { createPlaceBudget, type Selecting } from "#core/places/select.ts";
import { kindsOf, type ServiceToken } from "#core/places/place-tokens.ts";
import { toUnknown } from "#core/places/usable-filter.ts";
import { DAY_MS, parseRfc3339, REPLY_MARGIN_MS } from "#kit/time.ts";
import type { Clock } from "#ports.ts";
import type { Walks } from "#ports/walks.ts";
import { countryAt, type FindCountries } from "#app/country.ts";
import { toLocalTime } from "#app/timezone.ts";
import { createTurn, type Turn } from "#kit/run/turn.ts";
import { createDeadline } from "#upstream/deadline.ts";
import {
  type Applied,
  clamp,
  listQueried,
  listCuts,
  type Search,
  type SearchInput,
  type SearchRefusal,
  toReply,
} from "../search-reply.ts";
import type { Finder, Finding, PlaceQuestion } from "./place-finder.ts";
import type { OpenStates, StatesAt } from "./open-states.ts";
import { type PlaceCounts, type PlacePage, toPlacePage } from "./place-page.ts";
import { isFiltered, listWishes } from "./place-wishes.ts";
import { toOnFoot } from "../walk/walk-results.ts";
import { metresWithin, readWalkWish } from "../walk/walking.ts";

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
  noteServices?(items: readonly ServiceItem[]): void;
};

/** Decoded parameters, not yet clamped. */
export type ServicesQuestion = Decoded<typeof SERVICES_PARAMETERS>;
export type FacilityQuestion = Decoded<typeof FACILITY_PARAMETERS>;
type ChargingQuestion = Decoded<typeof CHARGING_PARAMETERS>;

/** Either of them. */
type Question = ServicesQuestion & { language?: string | undefined };

type ConnectorQuestion = Pick<ChargingQuestion, "connector" | "min_kw">;

const MAPS_TYPES: ReadonlySet<ServiceToken> = new Set(MAPS_CATEGORIES);

export type PlaceSearches = {
  services: Search<ServicesQuestion, ReplyAt<"/v1/services/nearby">, SearchRefusal>;
  parking: Search<FacilityQuestion, ReplyAt<"/v1/parking/nearby">, SearchRefusal>;
  charging: Search<ChargingQuestion, ReplyAt<"/v1/charging/nearby">, SearchRefusal>;
};

/** The searches for places, which share what they remember of ids and names. */
export function createPlaceSearches(deps: ServicesDeps): PlaceSearches {
  const tools = { ...deps, toId: createPlaceIds(), toName: createPlaceNames() };
  return {
    services: createServices(tools),
    parking: createFacility(tools, "parking"),
    charging: createFacility(tools, "charging"),
  };
}

/** What the searches of a deployment share. */
type Tools = ServicesDeps & {
  toId: ReturnType<typeof createPlaceIds>;
  toName: ReturnType<typeof createPlaceNames>;
};

/** GET /v1/services/nearby. */
function createServices(tools: Tools) {
  return (input: SearchInput<ServicesQuestion>) => {
    const { types } = input.question;
    const asksMaps = types.some((type) => MAPS_TYPES.has(type));
    const asksWater = kindsOf(types).includes("water");
    return search(tools, input, LIMITS.services, (counted, results) => ({
      summary: counted.by_token,
      ...toUnknown(counted.unknown),
      ...(asksWater ? { not_potable: counted.undrinkable } : {}),
      ...(isForDrinking(types) ? { potable_unknown: counted.uncertain } : {}),
      ...(asksMaps ? { attributions: [attributionOf(tools.maps)] } : {}),
      results,
    }));
  };
}

/** Whether water is wanted for drinking alone (decisions, Drinking water). */
function isForDrinking(types: readonly ServiceToken[]): boolean {
  return types.includes("drinking_water") && !types.includes("fountain");
}

/** GET /v1/parking/nearby and /v1/charging/nearby. */
function createFacility<T extends keyof Facilities>(tools: Tools, type: T) {
  return (input: SearchInput<FacilityQuestion & Partial<ConnectorQuestion>>) => {
    const { connector, min_kw = 0 } = input.question;
    const types = [type] as const;
    const question = { ...input.question, types, country: undefined, connector, min_kw };
    return search(tools, { ...input, question }, LIMITS.facilities, ({ unknown }, results) => ({
      ...toUnknown(unknown),
      attribution: attributionOf(tools.maps),
      results: results.filter((item) => isOfType(item, type)),
    }));
  };
}

type Facilities = {
  parking: ReplyAt<"/v1/parking/nearby">["results"][number];
  charging: ReplyAt<"/v1/charging/nearby">["results"][number];
};

/** Whether an item is of this type; its attributes are those of the type then, as its source states them. */
function isOfType<T extends keyof Facilities>(
  item: ServiceItem,
  type: T,
): item is ServiceItem & Facilities[T] {
  return item.service_type === type;
}

function attributionOf({
  name,
}: ServicesDeps["maps"]): ReplyAt<"/v1/parking/nearby">["attribution"] {
  return { provider: name, display_name: name, required: true };
}

/** Items whose hours are read before others may have the thread. */
const STEP_ITEMS = 8;

/** `toOwn`: the members of the operation's own, made of what was counted and of what is shown. */
async function search<O extends object>(
  deps: Tools,
  input: SearchInput<Question>,
  limits: { radius_max: number; limit_max: number },
  toOwn: (counted: PlaceCounts, results: readonly ServiceItem[]) => O,
) {
  const { question, deadline_ms } = input;
  // 1. Clamp (§7 rule 3), and the moment that is asked for.
  const applied = clamp(question, limits);
  const chosen_ms = readMoment(question.usable, input.now_ms);
  if (typeof chosen_ms === "string") return refuse(chosen_ms);
  // 2. Sources that know these kinds here, and kinds that none knows.
  using deadline = createDeadline(deps.clock, deadline_ms - REPLY_MARGIN_MS, input.signal);
  const query = await toQuestion(deps, input, { applied, signal: deadline.signal });
  const finders = deps.finders.filter((finder) => finder.kindsFor(query).length > 0);
  const entries = new Set(finders.flatMap((finder) => finder.kindsFor(query)));
  const unknown = question.types.filter((token) => !entries.has(kindsOf([token])[0]!));
  const { unserved, uncovered } = explainUnknown(deps.finders, query, unknown);
  // 3. Ask them all at once; then those that stand in for one that knew nothing here.
  const turn = createTurn({});
  const first = await Promise.all(
    finders.map(async (finder) => {
      const finding = await finder.find(query);
      await turn();
      return finding;
    }),
  );
  const findings = [...first, ...(await askInstead(deps.finders, query, first))];
  await turn();
  // 4. Hours, and what the caller can use.
  const now_ms = deps.clock.now();
  const moment = { at_ms: chosen_ms ?? now_ms, is_now: chosen_ms === null };
  const states = await deps.openStates(moment);
  // 5. One thing is one result, however many see it; then count, filter and rank, on foot if wished.
  const [{ lat, lon }, wish] = [question, readWalkWish(question)];
  const page = await toPlacePage(
    findings.map(({ places }) => places),
    {
      selecting: toSelecting(deps, question, { applied, states, query }),
      limit_max: limits.limit_max,
      start: { lat, lon },
      walks: deps.walks,
      wish,
      turn,
      signal: query.signal,
    },
  );
  const { items, total, walking, nearest_known } = page;
  await turn();
  // 6. Coverage decides the status.
  const coverage = judgeCoverage({
    requested: listQueried(findings, deps.clock.now()),
    unserved,
    uncovered,
    unsurveyed: 0,
    found: total,
    uncounted: page.uncounted,
    on_foot: toOnFoot(wish),
    radius_m: applied.radius_m,
    radius_max: limits.radius_max,
    cuts: listCuts(findings, wish === null ? Infinity : metresWithin(wish)),
  });
  const results = await showItems(page, states, turn);
  deps.noteServices?.(results);
  const time_zone = states.zoneAt(lat, lon);
  const base = deps.baseAt?.({ lat, lon }) ?? null;
  const match = {
    question,
    applied,
    radii: { requested_radius: question.radius, applied_radius: applied.radius_m },
    now_ms,
    coverage,
    findings,
    shown: items,
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
    ...toOwn(page, results),
  });
}

/** What of that which was found is wanted. */
function toSelecting(
  { toId, toName }: Tools,
  question: Question,
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

/** Items as they are published. */
async function showItems(
  { items, walks }: PlacePage,
  states: OpenStates,
  turn: Turn,
): Promise<ServiceItem[]> {
  const results: ServiceItem[] = [];
  for (const [i, item] of items.entries()) {
    const shown = states.show(item);
    results.push(walks === null ? shown : { ...shown, walk: walks[i]! });
    if (results.length % STEP_ITEMS === 0) await turn();
  }
  return results;
}

/** Types that no source of this deployment knows, and the sources that know others elsewhere only. */
function explainUnknown(
  finders: readonly Finder[],
  place_question: PlaceQuestion,
  types: readonly ServiceToken[],
): { unserved: ServiceToken[]; uncovered: string[] } {
  const question = { ...place_question, kinds: kindsOf(types) };
  const entries = finders.flatMap(({ elsewhere }) => {
    const kinds = elsewhere?.kindsFor(question) ?? [];
    return elsewhere && kinds.length > 0 ? [{ name: elsewhere.name, kinds }] : [];
  });
  const isKnown = (token: ServiceToken): boolean =>
    entries.some(({ kinds }) => kinds.includes(kindsOf([token])[0]!));
  return {
    unserved: types.filter((token) => !isKnown(token)),
    uncovered: [...new Set(entries.map(({ name }) => name))],
  };
}

/**
 * Asks for the kinds of which nothing was found those sources that leave them to another one here
 * (decisions, Urban services: the open map, where the locker network has nothing).
 */
async function askInstead(
  finders: readonly Finder[],
  question: PlaceQuestion,
  findings: readonly Finding[],
): Promise<Finding[]> {
  // Without time left they would only fail, and make what they have found look incomplete.
  if (question.signal.aborted) return [];
  const { radius_m } = question.circle;
  const matches = new Set<PlaceKind>();
  for (const { places } of findings)
    for (let hit = 0; hit < places.length; hit++)
      if (places.metres[hit]! <= radius_m) matches.add(places.kindAt(hit));
  const missing = question.kinds.filter((kind) => !matches.has(kind));
  const again = { ...question, kinds: missing, unfound: missing };
  const instead = finders.flatMap((finder) => {
    const request = finder.kindsFor(question);
    const kinds = finder.kindsFor(again).filter((kind) => !request.includes(kind));
    return kinds.length > 0 ? [finder.find({ ...again, kinds })] : [];
  });
  return await Promise.all(instead);
}

/** Hours that are published today say little about a time further away. */
const FAR_MS = 366 * DAY_MS;

/** Reads `usable`: the time that is asked for, null for now, or the rule that it breaks. */
export function readMoment(usable: string, now_ms: number): number | string | null {
  if (usable === "any" || usable === "now") return null;
  const at_ms = parseRfc3339(usable);
  const isNear = at_ms !== null && Math.abs(at_ms - now_ms) <= FAR_MS;
  return isNear ? at_ms : `usable must be ${USABLE_RULE}`;
}

export function refuse(message: string): SearchRefusal {
  return { kind: "refused", code: "invalid_request", message };
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
