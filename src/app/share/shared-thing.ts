/**
 * What a link to the map is about, as far as it is known at once: the thing that it names, with its
 * counts where they are current, and the time at which they were reported. Nothing is asked for it, and
 * what is unknown or old is left out.
 */
import type { Caller } from "#app/access/request-caller.ts";
import type { FindPlaceById } from "#app/nearby-one.ts";
import { type FindTimezone, toLocalTime } from "#app/timezone.ts";
import { LIMITS } from "#api/limits.ts";
import { findFreeCounts } from "#core/places/free-counts.ts";
import type { Location } from "#kit/geo.ts";
import { STATION_ID_PREFIX } from "#kit/ids.ts";
import { parseRfc3339 } from "#kit/time.ts";
import type { Clock } from "#ports.ts";

type SharedCounts =
  | { of: "station"; vehicles: number | null; docks: number | null; isBikes: boolean }
  | { of: "service"; free: number; total: number | null };

export type SharedThing = {
  name: string;
  location: Location;
  /** null: none are known, or none that are current. */
  counts: SharedCounts | null;
  /** When they were reported, RFC 3339 with the offset of the place; null: there are none. */
  time: string | null;
};

/** `wait_ms`: how long a report may be waited for that is on its way. null: nothing is known of it. */
export type FindShared = (
  link: { at: Location; id: string },
  wait_ms: number,
) => Promise<SharedThing | null>;

type Deps = {
  findPlace: FindPlaceById;
  timezones: () => Promise<FindTimezone>;
  clock: Pick<Clock, "now">;
};

/** Pages have no plan: an answer is of one thing. */
const PAGE: Caller = {
  kind: "anonymous",
  address: { narrow: "", wide: "" },
  plan: {
    ...{ name: "pages", rate_per_s: null, burst: null, units: null, period: null, hard: false },
    ...{ nearby_limit_max: 1, nearby_offset_max: 0, datasets: 0 },
  },
};

export function createFindShared({ findPlace, timezones, clock }: Deps): FindShared {
  return async (link, wait_ms) => {
    const now_ms = clock.now();
    const behalf = {
      caller: PAGE,
      remaining_units: Infinity,
      deadline_ms: now_ms + wait_ms,
      now_ms,
    };
    const match = await findPlace(toSought(link), behalf);
    if (match === null || match === "point" || !match.found) return null;
    const { stations, places } = match.body.results;
    const thing = stations[0] ? ofStation(stations[0]) : places[0] ? ofService(places[0]) : null;
    if (thing === null) return null;
    const { at, counts, ...known } = thing;
    const at_ms = at === null ? null : parseRfc3339(at);
    if (counts === null || at_ms === null) return { ...known, counts: null, time: null };
    const zone = (await timezones())(known.location.lat, known.location.lon);
    return { ...known, counts, time: toLocalTime(zone, at_ms) };
  };
}

/** A station is where it is, whatever the link shows; a service is in the circle of the link. */
function toSought({ id, at }: { at: Location; id: string }) {
  const isStation = id.startsWith(STATION_ID_PREFIX);
  return { id, at: isStation ? null : at, within_m: LIMITS.nearby.radius_max };
}

type Body = Exclude<Awaited<ReturnType<FindPlaceById>>, "point" | null>["body"];
type Found = Omit<SharedThing, "time"> & { at: string | null };

/** Counts are current while the answer says that they are real-time. */
function ofStation({ name, location, availability, mode, data_class }: Station): Found {
  const { vehicles, docks, last_reported, observed_at } = availability;
  const isKnown = data_class === "realtime" && (vehicles !== null || docks !== null);
  const isBikes = mode === "bicycle";
  return {
    ...{ name, location },
    counts: isKnown ? { of: "station", vehicles, docks, isBikes } : null,
    at: last_reported ?? observed_at,
  };
}
type Station = Body["results"]["stations"][number];

function ofService({ name, location, attributes }: Body["results"]["places"][number]): Found {
  const stated = findFreeCounts(attributes);
  return {
    ...{ name, location },
    counts: stated && { of: "service", free: stated.free, total: stated.total },
    at: stated?.at ?? null,
  };
}
