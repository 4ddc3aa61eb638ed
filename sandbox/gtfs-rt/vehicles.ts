// Where the vehicles of the reported runs are.
import type { Reported } from "../world/transit-live.ts";
import { fateOf } from "../world/transit-live.ts";
import { hash } from "../rng.ts";
import { sequenceOf } from "../gtfs/times.ts";
import type { Run, Timetable } from "../world/transit-runs.ts";
import type { Json } from "./encode.ts";

/** On the straight line between two calls, by the time that has gone. */
export function listVehicles(
  timetable: Timetable,
  reported: readonly Reported[],
  minute_ms: number,
  describe: (run: Run) => Json,
): Json[] {
  return reported.flatMap(({ run, report }): Json[] => {
    if (report.cancelled) return [];
    const spot = spotOf(timetable, run, minute_ms);
    if (spot === null) return [];
    const id = `v-${run.way.line.index}-${run.key % 1000}`;
    return [
      {
        id: `p-${id}-${run.start_s}`,
        vehicle: {
          trip: describe(run),
          vehicle: { id, label: String(100 + (run.key % 900)) },
          position: { latitude: spot.lat, longitude: spot.lon },
          currentStopSequence: sequenceOf(spot.next),
          currentStatus: spot.share === 0 ? "STOPPED_AT" : "IN_TRANSIT_TO",
          occupancyStatus: hash(run.key, 89) % 6,
          timestamp: minute_ms / 1000,
        },
      },
    ];
  });
}

type Spot = {
  readonly lat: number;
  readonly lon: number;
  readonly next: number;
  readonly share: number;
};

/** null: it has not started, or has arrived. */
function spotOf({ network }: Timetable, run: Run, minute_ms: number): Spot | null {
  const { way, start_ms } = run;
  const { delays_s } = fateOf(run, network);
  const leaves = way.departs_s.map((at_s, n) => start_ms + (at_s + (delays_s[n] ?? 0)) * 1000);
  const next = leaves.findIndex((at_ms) => at_ms > minute_ms);
  if (next < 1) return null;
  const [from_ms, to_ms] = [leaves[next - 1] ?? 0, leaves[next] ?? 0];
  const share = (minute_ms - from_ms) / Math.max(1, to_ms - from_ms);
  const [a, b] = [next - 1, next].map((n) => network.stations[way.calls[n]?.station ?? -1]);
  if (a === undefined || b === undefined) return null;
  // Over the antimeridian the short way.
  const east = ((b.lon - a.lon + 540) % 360) - 180;
  const lon = ((a.lon + east * share + 540) % 360) - 180;
  return { lat: a.lat + (b.lat - a.lat) * share, lon, next, share };
}
