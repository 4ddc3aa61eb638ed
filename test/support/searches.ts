/** Searches over no source, and doubles for all of them. */
import { createFindInterests } from "#app/places/interest-finder.ts";
import { createOpenStates } from "#app/places/open-states.ts";
import { createSearches, type Searches } from "#app/places/searches.ts";
import { SANDBOX_DEPLOYMENT } from "#api/deployment.ts";
import type { Clock } from "#ports.ts";
import { createBasePlaces } from "#world/places/base-places.ts";

/** Points of interest where no source knows any. */
export const NO_INTERESTS = createFindInterests({
  ...{ bases: createBasePlaces(() => []), olderAt: () => null, maps: null },
  map: { id: "openstreetmap", name: "OpenStreetMap" },
});

/** The real ones, where no source is configured. */
export function searchesOfNone(clock: Clock): Searches {
  const countries = () => Promise.resolve(() => []);
  const timezones = () => Promise.resolve(() => "Europe/Paris");
  return createSearches({
    ...{ finders: [], transit: [], departures: [], ask: null },
    interests: NO_INTERESTS,
    ...{ clock, countries, timezones, maps: SANDBOX_DEPLOYMENT.maps },
    openStates: createOpenStates({ countries, timezones }),
  });
}

const STOPPED: Clock = { now: () => 0, schedule: () => () => {}, sleep: async () => {} };

/** Each of them answers so. */
export function everySearch(answer: () => Promise<never>): Searches {
  return replaced(searchesOfNone(STOPPED), answer) as Searches;
}

function replaced(value: object, answer: () => Promise<never>): object {
  if (typeof value === "function") return answer;
  const members = Object.entries(value).map(([name, each]: [string, object]) => [
    name,
    replaced(each, answer),
  ]);
  return Object.fromEntries(members) as object;
}
