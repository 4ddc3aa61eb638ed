/**
 * Geocoding by imported bases (decisions, Second edition): all of them and the gazetteer are searched
 * by name, and a point is looked up in the base that covers it.
 */
import type { BaseStatementBody } from "#contract/bases.ts";
import type { Budget } from "#core/budget.ts";
import { createGeocodingBudget } from "#core/base/geocoder/forward.ts";
import type { Geocoder } from "#core/base/geocoder/geocoder.ts";
import type { GeocodeItem } from "#core/base/geocoder/present.ts";
import type { Location } from "#core/entities.ts";
import type { Candidate } from "#core/places/candidate.ts";
import type { Clock } from "#ports.ts";
import type { GeocodeQuery } from "#providers/lookup.ts";
import type { LookupReply } from "#upstream/lookup/ask.ts";
import type { GeocodingDeps } from "./geocoding.ts";

export type GeocodingBase = {
  statement: BaseStatementBody;
  covers(lat: number, lon: number): boolean;
  geocoder: Geocoder | null;
};

export type BaseGeocodingDeps = {
  /** Bases of now, the one that leads first. */
  list(): readonly GeocodingBase[];
  /** Cities and towns of the world, where no base covers; null: not there, or not yet. */
  gazetteer(): GeocodingBase | null;
  /** Whether the gazetteer is still being read or made: what it would know is not known yet. */
  isPending(): boolean;
  clock: Clock;
};

/** A thing that was found, and the base that it is of. */
type BaseHit = { item: GeocodeItem; base: GeocodingBase };

/** Unavailable: no base is there or covers the point, or the gazetteer is not there yet. */
export type BaseReply =
  | { status: "ok"; hits: BaseHit[] }
  | { status: "unavailable"; reason: "no_coverage" | "not_configured" | "not_loaded" };

/** More is not shown (§2.2). */
const MOST = 5;
/** How long an answer may be reused: a base that is replaced meanwhile is seen soon enough. */
export const GOOD_MS = 300_000;

export function askBases(deps: BaseGeocodingDeps): NonNullable<GeocodingDeps["ask"]> {
  const forward = (operation: "geocode" | "search") => (query: GeocodeQuery) =>
    reply(deps, (base, budget) => base[operation]({ ...query, limit: MOST, budget }), null);
  return {
    geocode: forward("geocode"),
    search: forward("search"),
    reverse: (query) => reply(deps, (base) => base.reverse({ ...query, limit: MOST }), query),
  };
}

// oxlint-disable-next-line typescript/require-await -- sources answer with promises
async function reply(
  deps: BaseGeocodingDeps,
  find: FindInBase,
  at: Location | null,
): Promise<LookupReply<Candidate[]>> {
  const budget = createGeocodingBudget();
  const found = findInBases(deps, find, { at, budget });
  if (found.status !== "ok") return { ...found, rescue: null };
  const now_ms = deps.clock.now();
  return {
    status: "ok",
    cache: "miss",
    held: {
      value: found.hits.map(({ item, base }) => ({ ...item, base: base.statement })),
      raw: found.hits.length,
      ...(budget.isSpent ? { cut: true } : {}),
      fetched_at_ms: now_ms,
      good_until_ms: now_ms + GOOD_MS,
    },
  };
}

/** Of several bases that cover a point, the one that has the nearest address answers. */
function nearestList(lists: readonly BaseHit[][]): BaseHit[] {
  const addressAt = ([first]: BaseHit[]): number =>
    first?.item.type === "address" ? (first.item.distance_m ?? 0) : Number.POSITIVE_INFINITY;
  const filled = lists.filter((list) => list.length > 0);
  return filled.toSorted((a, b) => addressAt(a) - addressAt(b))[0] ?? [];
}

/** Searches one base within its share of what the question may cost. */
export type FindInBase = (geocoder: Geocoder, budget: Budget) => GeocodeItem[];

/**
 * Asks every base, or those that cover `at`, and the gazetteer; the best first. `budget`: of all of
 * them together, so that many bases cost no more than one.
 */
export function findInBases(
  deps: Omit<BaseGeocodingDeps, "clock">,
  find: FindInBase,
  { at, budget }: { at: Location | null; budget: Budget },
): BaseReply {
  const bases = deps.list().filter(({ geocoder }) => geocoder !== null);
  const covering = at ? bases.filter(({ covers }) => covers(at.lat, at.lon)) : bases;
  const isEnough = at !== null && covering.length > 0;
  const gazetteer = isEnough ? null : deps.gazetteer();
  const isWaiting = !isEnough && gazetteer === null && deps.isPending();
  const asked = gazetteer === null ? covering : [...covering, gazetteer];
  if (asked.length === 0 && !isWaiting)
    return { status: "unavailable", reason: bases.length > 0 ? "no_coverage" : "not_configured" };
  const lists = asked.map((base, i) =>
    budget
      .share(asked.length - i, (own) => find(base.geocoder!, own))
      // What a base covers it knows better.
      .filter(({ location }) => base !== gazetteer || !isCovered(bases, location))
      .map((item) => ({ item, base })),
  );
  const hits = at ? nearestList(lists) : lists.flat().sort((a, b) => b.item.score - a.item.score);
  // Nothing found is not nothing there, as long as the gazetteer was not searched.
  if (hits.length === 0 && isWaiting) return { status: "unavailable", reason: "not_loaded" };
  return { status: "ok", hits };
}

function isCovered(bases: readonly GeocodingBase[], { lat, lon }: Location): boolean {
  return bases.some(({ covers }) => covers(lat, lon));
}
