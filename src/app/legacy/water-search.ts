/**
 * Drinking water and toilets in their records of old (§4.10; decisions, Legacy routes): of Paris from
 * the city's sets, of the rest of the world from the open map, unless that is switched off.
 */
import { LIMITS } from "#api/limits.ts";
import type { LegacyWater } from "#api/legacy-water.ts";
import type { Location } from "#kit/geo.ts";
import { byStatedDist, toWaterRecord } from "#core/legacy/water-kinds.ts";
import type { Failure } from "#kit/outcome.ts";
import type { Budget } from "#kit/budget.ts";
import { type Counted, Distances, makeNearest } from "#core/places/count-places.ts";
import { countedFactsOf, readFact } from "#core/places/place-facts.ts";
import { type PlaceHits, NO_FACTS } from "#core/places/place-hits.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import { statedOf } from "#core/places/place-results.ts";
import { createPlaceBudget } from "#core/places/select.ts";
import type { Clock } from "#ports.ts";
import { remaining_s } from "#app/search-reply.ts";
import type { Finder, Finding, PlaceQuestion } from "#app/places/place-finder.ts";
import { type Failed, toFailed } from "#app/one-source.ts";
import { createDeadline } from "#upstream/deadline.ts";
import type { LegacyQuestion, LegacyReply } from "./legacy-reply.ts";
import { REPLY_MARGIN_MS } from "#kit/time.ts";

export type WaterSource = {
  /** As the answer names it. */
  dataset: string;
  finder: Finder;
  /** When what is known of a place was read, epoch ms; null: no longer known. */
  readAt(place: Place): number | null;
};

export type WaterDeps = {
  clock: Clock;
  /** Whose area the sets are of. */
  isInParis(at: Location): boolean;
  sets: readonly WaterSource[];
  /** null: none is configured. */
  map: WaterSource | null;
  /** Whether the map is asked where the sets know nothing. */
  fallback: boolean;
};

export type WaterQuestion = LegacyQuestion & { distance: number; rows: number };
export type LegacyWaterSearch = (question: WaterQuestion) => Promise<LegacyReply<LegacyWater>>;

const KINDS: readonly PlaceKind[] = ["water", "toilets"];
/**
 * Paris has a fountain or a toilet every few hundred metres. Where the sets have none within this
 * many, the point lies beyond the city's border, though within its box.
 */
const COVERED_M = 1_000;
/** What the route asked the portal to count; the counts themselves were never passed on. */
const FACETS = ["arrondissement", "horaires_ouverture"] as const;

type WaterFinding = Finding & { source: WaterSource };

export function createLegacyWater(deps: WaterDeps): LegacyWaterSearch {
  return async (question) => {
    const { clock, sets, map, fallback } = deps;
    using deadline = createDeadline(clock, question.deadline_ms - REPLY_MARGIN_MS);
    const query: PlaceQuestion = { ...toQuestion(question), signal: deadline.signal };
    const ask = async (
      source: WaterSource,
      place_question: PlaceQuestion,
    ): Promise<WaterFinding> => ({
      ...(await source.finder.find(place_question)),
      source,
    });
    const isNear = deps.isInParis(question.coords);
    const near = { ...query.circle, radius_m: Math.max(question.distance, COVERED_M) };
    const own = isNear
      ? await Promise.all(sets.map((set) => ask(set, { ...query, circle: near })))
      : [];
    const isCovered = own.some(({ places }) => places.length > 0);
    const others = !isCovered && fallback && map ? [await ask(map, query)] : [];
    // Where the map answers instead, a set counts only for not being there.
    const requests =
      others.length > 0 ? [...own.filter((each) => !hasAnswered(each)), ...others] : own;
    const isUncovered = !isNear && !fallback;
    return isUncovered || requests.some(hasAnswered)
      ? toReply({ deps, budget: query.budget }, question, requests)
      : toRefusal(requests, clock.now());
  };
}

function toQuestion({ coords, distance, now_ms }: WaterQuestion): Omit<PlaceQuestion, "signal"> {
  return {
    circle: { ...coords, radius_m: distance },
    kinds: KINDS,
    unfound: [],
    country: null,
    language: null,
    now_ms,
    keyed: false,
    freshness: null,
    maps_limit: LIMITS.services.maps_category_max,
    filtered: false,
    budget: createPlaceBudget(),
  };
}

/** It answered, or what it said before is held: that beats a failure (decisions, Errors). */
function hasAnswered({ status, cache, places }: Finding): boolean {
  return status === "ok" || cache === "hit" || places.length > 0;
}

const NOT_CONFIGURED: Failure = { status: "unavailable", reason: "not_configured" };

/** Too late only if all were; no source asked: none is configured. */
function toRefusal(requests: readonly WaterFinding[], now_ms: number): Failed {
  const match = requests.find(({ status }) => status !== "timeout") ?? requests[0];
  if (!match || match.status === "ok")
    return toFailed(NOT_CONFIGURED, now_ms, "the source of drinking water");
  const { status, key, name = key } = match;
  return toFailed({ status, reason: match.reason ?? "unexpected" }, now_ms, name);
}

function toReply(
  { deps, budget }: { deps: WaterDeps; budget: Budget },
  question: WaterQuestion,
  requests: readonly WaterFinding[],
): LegacyReply<LegacyWater> {
  const { rows, distance } = question;
  const counted = requests.map(({ places }) => countWater(places, distance));
  const distances = new Distances();
  for (const { hits, fitting } of counted)
    for (let n = 0; n < fitting.length; n++) distances.add(statedOf(hits.metres[fitting[n]!]!));
  const nhits = counted.reduce((sum, { fitting }) => sum + fitting.length, 0);
  const last_m = distances.nth(rows);
  const records = counted
    .flatMap((each, n) =>
      makeNearest(each, last_m, budget).map((match) =>
        toWaterRecord({ ...match, read_at_ms: requests[n]!.source.readAt(match.place) }),
      ),
    )
    .toSorted(byStatedDist)
    .slice(0, rows);
  const partial = requests.some(({ status }) => status !== "ok");
  const searched = requests.length > 0 ? requests.map(({ source }) => source) : deps.sets;
  const body: LegacyWater = {
    nhits,
    parameters: {
      dataset: searched.map(({ dataset }) => dataset),
      timezone: "UTC",
      rows,
      format: "json",
      "geofilter.distance": [`${question.coords.lat},${question.coords.lon},${distance}`],
      facet: [...FACETS],
    },
    records,
  };
  const max_age_s = partial ? null : remaining_s(requests, deps.clock.now());
  return { kind: "ok", body, shown: records.length, partial, max_age_s };
}

/** Toilets, and water that is known to be potable. */
function countWater(hits: PlaceHits, radius_m: number): Counted {
  const fitting: number[] = [];
  for (let hit = 0; hit < hits.length; hit++)
    if (hits.metres[hit]! <= radius_m && isWanted(hits, hit)) fitting.push(hit);
  return { hits, fitting };
}

function isWanted(hits: PlaceHits, hit: number): boolean {
  if (hits.kindAt(hit) === "toilets") return true;
  const entry = hits.facts[hit]!;
  const facts = entry === NO_FACTS ? countedFactsOf(hits.placeAt(hit)) : entry;
  return readFact(facts, "potable") === true;
}
