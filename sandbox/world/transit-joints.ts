// Vehicles that go on as another line, riders in them: the first bus line of a city becomes the second.
import { lengthOf, type Run, type Timetable, toRun, type Trip, type Way } from "./transit-runs.ts";

const MOST_WAIT_S = 3600;

export type Joint = {
  readonly from: { readonly way: Way; readonly trip: Trip };
  readonly to: { readonly way: Way; readonly trip: Trip };
  /** Riders have to leave it all the same. */
  readonly is_barred: boolean;
};

export function listJoints({ ways }: Timetable): Joint[] {
  const [first, second] = ways.filter(({ line, back }) => line.mode === "bus" && !back);
  if (first === undefined || second === undefined) return [];
  return first.trips.flatMap((trip) => {
    const end_s = trip.start_s + lengthOf(first);
    const next = second.trips.find(
      ({ start_s, service, repeats }) =>
        service === trip.service && repeats.length === 0 && start_s >= end_s,
    );
    if (next === undefined || trip.repeats.length > 0) return [];
    if (next.start_s - end_s > MOST_WAIT_S) return [];
    const to = { way: second, trip: next };
    return [{ from: { way: first, trip }, to, is_barred: trip.index % 7 === 3 }];
  });
}

/** The run as which one goes on; null: it ends. */
export function nextOf(timetable: Timetable, { way, trip, day }: Run): Run | null {
  const joint = listJoints(timetable).find(({ from }) => from.way === way && from.trip === trip);
  if (joint === undefined || joint.is_barred) return null;
  const { start_s } = joint.to.trip;
  return toRun({ ...joint.to, day, start_s, headway_s: null }, timetable.days.start_ms(day));
}
