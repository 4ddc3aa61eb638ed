/** When a run is expected at its calls (departures.md, Propagation). Epoch s; NO_TIME: unknown. */
import { DAY_S } from "#kit/time.ts";
import { NO_TIME } from "./live-layout.ts";
import type { LiveStop, LiveTime } from "./live-model.ts";

/** Times of each call of a run. */
export type CallTimes = { arrivals: Uint32Array; departures: Uint32Array };

type StatedTimes = {
  /** By call; null: not spoken of. */
  stops: readonly (LiveStop | null)[];
  /** Of the run as a whole. */
  delay_s: number | null;
  /** A delay counts from a plan; a headway is none. */
  hasPlan: boolean;
  /** Called for a time or a delay that cannot be meant. */
  onFault: () => void;
};

export function expectTimes(planned: CallTimes, reported: StatedTimes): CallTimes {
  const calls = reported.stops.length;
  const expected = { arrivals: new Uint32Array(calls), departures: new Uint32Array(calls) };
  /** What is known of the delay at a call of which nothing is said; null: unknown. */
  let carried_s = reported.hasPlan ? usableDelay(reported.delay_s, reported) : null;
  for (let call = 0; call < calls; call++) {
    const stop = reported.stops[call]!;
    const arrival_s = planned.arrivals[call]!;
    const departure_s = planned.departures[call]!;
    if (stop === null) {
      expected.arrivals[call] = shifted(arrival_s, carried_s);
      expected.departures[call] = shifted(departure_s, carried_s);
    } else if (stop.relation === "no_data" || stop.relation === null) carried_s = null;
    else if (stop.relation !== "skipped") {
      const arrival = timeOf(stop.arrival, arrival_s, reported);
      const departure =
        stop.departure === null
          ? leaving(arrival, arrival_s, departure_s)
          : timeOf(stop.departure, departure_s, reported);
      expected.arrivals[call] = arrival;
      expected.departures[call] = departure;
      carried_s = differenceOf(departure, departure_s);
    }
  }
  return expected;
}

/** Only the arrival is known: the delay stays what it is, and a vehicle arrives before it leaves. */
function leaving(arrival: number, planned_arrival: number, planned_departure: number): number {
  const delay_s = differenceOf(arrival, planned_arrival);
  if (arrival === NO_TIME || delay_s === null || planned_departure === NO_TIME) return arrival;
  return Math.max(arrival, planned_departure + delay_s);
}

/** A time counts more than a delay; either may be unknown. */
function timeOf(event: LiveTime | null, planned: number, reported: StatedTimes): number {
  if (event === null) return NO_TIME;
  if (event.time_s === null)
    return reported.hasPlan ? shifted(planned, usableDelay(event.delay_s, reported)) : NO_TIME;
  if (planned === NO_TIME || Math.abs(event.time_s - planned) <= DAY_S) return event.time_s;
  reported.onFault();
  return NO_TIME;
}

function usableDelay(delay_s: number | null, { onFault }: StatedTimes): number | null {
  if (delay_s === null || Math.abs(delay_s) <= DAY_S) return delay_s;
  onFault();
  return null;
}

function shifted(planned: number, delay_s: number | null): number {
  return planned === NO_TIME || delay_s === null ? NO_TIME : planned + delay_s;
}

function differenceOf(expected: number, planned: number): number | null {
  return expected === NO_TIME || planned === NO_TIME ? null : expected - planned;
}
