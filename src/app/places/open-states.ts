/**
 * Whether places are open (docs/design/places.md, "Usable now"): hours are evaluated once per
 * answer, when all sources are merged, at the moment that is asked for and in the zone of the place.
 */
import { LRUCache } from "lru-cache";
import type { UsableBody } from "#api/usable.ts";
import {
  createHoursMemory,
  evaluateHours,
  type Hours,
  type OpenState,
  parseHours,
} from "#hours/hours.ts";
import { weeklyHours } from "#hours/weekly.ts";
import { type EvaluateOpening, type Opening, openStateOf } from "#core/places/opening.ts";
import type { OpenItem, ServiceItem } from "#core/places/place-results.ts";
import type { FindCountries } from "#app/country.ts";
import { createTerritories, type FindTerritory } from "#app/territory.ts";
import { type FindTimezone, toLocalTime } from "#app/timezone.ts";

/** Moment of a question; `is_now`: what sources say of now counts. */
type OpenMoment = { at_ms: number; is_now: boolean };

/** What has hours, and where it is. */
export type Openable = Pick<OpenItem, "opening" | "location">;

/** Evaluates the hours of the items of one answer. */
export type OpenStates = {
  zoneAt: FindTimezone;
  of(item: Openable): OpenState;
  /** The state as it is published. */
  stateOf(item: Openable): UsableBody;
  /** The item as it is published: with `usable`, and `open_status` where it has one. */
  show(item: OpenItem): ServiceItem;
  /** When the first of the states that were evaluated ends, epoch ms; Infinity: none is known to. */
  ends_ms(): number;
};

/** Gives the evaluation for one moment, as soon as what it needs is loaded. */
export type StatesAt = ((moment: OpenMoment) => Promise<OpenStates>) & {
  /** The same without a wait; null, or absent: what it needs is not loaded yet. */
  atOnce?(moment: OpenMoment): OpenStates | null;
};

type OpenStatesDeps = {
  countries: () => Promise<FindCountries>;
  timezones: () => Promise<FindTimezone>;
  /** Countries and regions of things; absent: countries alone. */
  territories?: () => Promise<FindTerritory>;
};

/** Texts are short; most places of a city repeat a few hundred. */
const MOST_HOURS = 10_000;

/** Makes the evaluation of answers, with a memory of compiled hours that all answers share. */
export function createOpenStates({ countries, timezones, territories }: OpenStatesDeps): StatesAt {
  const memory = createHoursMemory();
  let ofCountries: FindTerritory | null = null;
  const compiled = new LRUCache<string, { hours: Hours | null }>({ max: MOST_HOURS });
  const compile = ({ text, weekly, dated }: Opening): Hours | null => {
    if (text === undefined && !weekly) return null;
    const key = text ?? JSON.stringify([weekly, dated]);
    let entry = compiled.get(key);
    if (!entry) {
      entry = { hours: text === undefined ? weeklyHours(weekly!, dated) : parseHours(key) };
      compiled.set(key, entry);
    }
    return entry.hours;
  };
  const statesAt = (moment: OpenMoment, { zoneAt, territoryOf }: Maps): OpenStates => {
    const evaluatorAt =
      ({ location: { lat, lon } }: Openable): EvaluateOpening =>
      (opening, at_ms) => {
        const hours = compile(opening);
        if (!hours) return null;
        const time_zone = opening.time_zone ?? zoneAt(lat, lon);
        const territory = hours.holidays ? territoryOf(lat, lon) : NO_TERRITORY;
        const place = { lat, lon, time_zone, ...territory };
        return evaluateHours(hours, at_ms, place, memory);
      };
    const states = new Map<Openable, OpenState>();
    const of = (item: Openable): OpenState => {
      let state = states.get(item);
      if (!state) {
        state = openStateOf(item.opening, moment, evaluatorAt(item));
        states.set(item, state);
      }
      return state;
    };
    return {
      zoneAt,
      of,
      stateOf: (item) => toUsable(item, of(item), zoneAt),
      show: (item) => toOpenState(item, of(item), zoneAt),
      ends_ms: () => {
        let first_ms = Number.POSITIVE_INFINITY;
        for (const { until_ms } of states.values())
          first_ms = Math.min(first_ms, until_ms ?? first_ms);
        return first_ms;
      },
    };
  };
  /** Of the last question that waited for them. */
  let maps: Maps | null = null;
  const load = async (moment: OpenMoment): Promise<OpenStates> => {
    const [match, find, zoneAt] = await Promise.all([territories?.(), countries(), timezones()]);
    maps = { zoneAt, territoryOf: match ?? (ofCountries ??= createTerritories(find)) };
    return statesAt(moment, maps);
  };
  return Object.assign(load, {
    atOnce: (moment: OpenMoment) => (maps === null ? null : statesAt(moment, maps)),
  });
}

type Maps = { zoneAt: FindTimezone; territoryOf: FindTerritory };

/** Of hours that no holiday changes. */
const NO_TERRITORY = { country: null, region: null };

function toUsable(
  { opening, location: { lat, lon } }: Openable,
  { state, until_ms, rule, holidays_known }: OpenState,
  zoneAt: FindTimezone,
): UsableBody {
  const zone = opening?.time_zone ?? zoneAt(lat, lon);
  const until = until_ms === null ? null : toLocalTime(zone, until_ms);
  return { state, until, rule: rule || null, holidays_known };
}

function toOpenState(item: OpenItem, open_state: OpenState, zoneAt: FindTimezone): ServiceItem {
  const { id, type, service_type, provider, external_id, name, location, distance_meters } = item;
  const { attributes, source_id, source_type, match, unknown } = item;
  const { state } = open_state;
  const toLocal = (at_ms: number): string =>
    toLocalTime(item.opening?.time_zone ?? zoneAt(location.lat, location.lon), at_ms);
  const usable = toUsable(item, open_state, zoneAt);
  return {
    id,
    type,
    service_type,
    provider,
    external_id,
    name,
    location,
    distance_meters,
    ...(match && unknown && { match, unknown }),
    source_id,
    source_type,
    // Required of parking and charging (§2.4, §2.5); never another word than `usable`.
    attributes:
      "open_status" in attributes
        ? { ...attributes, ...withLocalTime(attributes, toLocal), open_status: state, usable }
        : { ...attributes, usable },
  };
}

/** What is free, with the time of the observation in the offset of the place. */
function withLocalTime(
  { availability }: ServiceItem["attributes"],
  toLocal: (at_ms: number) => string,
): Record<string, unknown> {
  if (!isObserved(availability)) return {};
  const { observed_at } = availability;
  return { availability: { ...availability, observed_at: toLocal(Date.parse(observed_at)) } };
}

function isObserved(value: unknown): value is { observed_at: string } {
  return typeof value === "object" && value !== null && "observed_at" in value;
}
