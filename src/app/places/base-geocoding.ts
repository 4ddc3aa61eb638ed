/**
 * Geocoding by imported bases (decisions, Second edition): all of them and the gazetteer are searched
 * by name, and a point is looked up in the base that covers it.
 */
import type { BaseStatementBody } from "#contract/bases.ts";
import type { Geocoder } from "#core/base/geocoder/geocoder.ts";
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
  clock: Clock;
};

type Scored = Candidate & { score: number };

/** More is not shown (§2.2). */
const MOST = 5;
/** How long an answer may be reused: a base that is replaced meanwhile is seen soon enough. */
const GOOD_MS = 300_000;

export function askBases(deps: BaseGeocodingDeps): NonNullable<GeocodingDeps["ask"]> {
  const forward = (operation: "geocode" | "search") => (query: GeocodeQuery) =>
    reply(deps, (base) => base[operation]({ ...query, limit: MOST }), null);
  return {
    geocode: forward("geocode"),
    search: forward("search"),
    reverse: (query) => reply(deps, (base) => base.reverse({ ...query, limit: MOST }), query),
  };
}

// oxlint-disable-next-line typescript/require-await -- sources answer with promises
async function reply(
  deps: BaseGeocodingDeps,
  find: (geocoder: Geocoder) => Scored[],
  at: { lat: number; lon: number } | null,
): Promise<LookupReply<Candidate[]>> {
  const bases = deps.list().filter(({ geocoder }) => geocoder !== null);
  const gazetteer = deps.gazetteer();
  const covering = at ? bases.filter(({ covers }) => covers(at.lat, at.lon)).slice(0, 1) : bases;
  const isEnough = gazetteer === null || (at !== null && covering.length > 0);
  const asked = isEnough ? covering : [...covering, gazetteer];
  if (asked.length === 0)
    return {
      status: "unavailable",
      reason: bases.length > 0 ? "no_coverage" : "not_configured",
      rescue: null,
    };
  const found = asked.flatMap((base) =>
    find(base.geocoder!)
      // What a base covers it knows better.
      .filter(({ location }) => base !== gazetteer || !isCovered(bases, location))
      .map(({ score, ...candidate }) => ({
        score,
        candidate: { ...candidate, base: base.statement },
      })),
  );
  const now_ms = deps.clock.now();
  return {
    status: "ok",
    cache: "miss",
    held: {
      value: found.toSorted((a, b) => b.score - a.score).map(({ candidate }) => candidate),
      raw: found.length,
      fetched_at_ms: now_ms,
      good_until_ms: now_ms + GOOD_MS,
    },
  };
}

function isCovered(
  bases: readonly GeocodingBase[],
  { lat, lon }: { lat: number; lon: number },
): boolean {
  return bases.some(({ covers }) => covers(lat, lon));
}
