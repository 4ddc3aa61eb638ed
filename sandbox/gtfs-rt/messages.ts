// GTFS Realtime messages in protobuf's JSON form: what a feed says in a minute, in its own way.
import { routeIdOf, tripIdOf } from "../gtfs/ids.ts";
import { tripHeadsign } from "../gtfs/headsigns.ts";
import type { Feed } from "../gtfs/style.ts";
import { sequenceOf, toClock } from "../gtfs/times.ts";
import { headerOf, listAlerts, type TransitAlert } from "../world/transit-alerts.ts";
import { toDate } from "../world/transit-days.ts";
import { type CallReport, listReports, type Reported } from "../world/transit-live.ts";
import { isAdded, type Run } from "../world/transit-runs.ts";
import { platformIdOf, stationIdOf } from "../world/transit-stops.ts";
import type { Json } from "./encode.ts";
import { listLiftAlerts } from "./lift-alerts.ts";
import type { File, LiveStyle } from "./style.ts";
import { listVehicles } from "./vehicles.ts";

export type Moment = {
  /** Of what is said. */
  readonly minute_ms: number;
  /** What its header says. */
  readonly stamp_ms: number;
  /** Trips have the ids of another version. */
  readonly renamed: boolean;
  readonly is_empty: boolean;
};

export type Speaker = { readonly feed: Feed; readonly style: LiveStyle };

export function writeMessage(speaker: Speaker, file: File, moment: Moment): Json {
  return {
    header: {
      gtfsRealtimeVersion: "2.0",
      incrementality: "FULL_DATASET",
      timestamp: moment.stamp_ms / 1000,
    },
    entity: moment.is_empty ? [] : listEntities(speaker, file, moment),
  };
}

function listEntities(speaker: Speaker, file: File, moment: Moment): Json[] {
  const { feed, style } = speaker;
  const has = (name: File): boolean => file === name || file === "all";
  const timetable = feed.timetable();
  const reported = listReports(timetable, { ...style, part: feed.part }, moment.minute_ms).filter(
    ({ run }) => !(moment.renamed && isAdded(run)),
  );
  const describe = (run: Run): Described => describeTrip(feed, run, moment);
  return [
    ...(has("trip_updates")
      ? reported.map((each) => toUpdate(speaker, each, describe(each.run)))
      : []),
    ...(has("vehicle_positions")
      ? listVehicles(timetable, reported, moment.minute_ms, describe)
      : []),
    ...(has("alerts")
      ? [
          ...listAlerts(timetable, feed.part, moment.minute_ms).map((alert) =>
            toAlert(feed, alert),
          ),
          ...listLiftAlerts(feed, moment.minute_ms),
        ]
      : []),
  ];
}

type Described = { readonly [name: string]: Json };

function describeTrip({ part }: Feed, run: Run, { renamed }: Moment): Described {
  const { way, trip, day, start_s } = run;
  const id = tripIdOf(way, trip, part);
  return {
    tripId: renamed ? `v0:${id}` : id,
    routeId: routeIdOf(way.line),
    startDate: toDate(day),
    ...(trip.repeats.length > 0 || isAdded(run) ? { startTime: toClock(start_s) } : {}),
    ...(isAdded(run) ? { scheduleRelationship: "ADDED" } : {}),
  };
}

function toUpdate(speaker: Speaker, { run, report }: Reported, trip: Described): Json {
  const id = `t-${run.way.line.index}-${run.trip.index}-${run.day}-${run.start_s}`;
  if (report.cancelled)
    return { id, tripUpdate: { trip: { ...trip, scheduleRelationship: "CANCELED" } } };
  const { feed } = speaker;
  const headsign = { tripHeadsign: tripHeadsign(feed.network(), run.way, feed.part) };
  return {
    id,
    tripUpdate: {
      trip,
      vehicle: { id: `v-${run.way.line.index}-${run.key % 1000}` },
      ...(isAdded(run) ? { tripProperties: headsign } : {}),
      stopTimeUpdate: listCalls(speaker, run, report.calls),
    },
  };
}

/** Only what differs from the call before, as feeds do; of an added run every call. */
function listCalls(speaker: Speaker, run: Run, calls: readonly CallReport[]): Json[] {
  let known_count: number | null = null;
  return calls.flatMap((call, n): Json[] => {
    if (call.kind === "passed") return [];
    const at = nameCall(speaker, run, n);
    if (call.kind === "skipped") return [{ ...at, scheduleRelationship: "SKIPPED" }];
    if (call.kind === "silent") {
      const isNew = known_count !== null || n === 0 || calls[n - 1]?.kind === "passed";
      known_count = null;
      return isNew ? [{ ...at, scheduleRelationship: "NO_DATA" }] : [];
    }
    const isSame = call.delay_s === known_count && call.platform === null && !isAdded(run);
    known_count = call.delay_s;
    if (isSame) return [];
    return [{ ...at, ...eventsAt(speaker, run, n, call.delay_s), ...moved(speaker, run, n, call) }];
  });
}

function nameCall({ feed, style }: Speaker, run: Run, n: number): Described {
  const isNamed = style.names !== "sequence" || isAdded(run);
  return {
    ...(style.names === "stop" ? {} : { stopSequence: sequenceOf(n) }),
    ...(isNamed ? { stopId: stopAt(feed, run, n, null) } : {}),
  };
}

function stopAt(feed: Feed, { way }: Run, n: number, platform: number | null): string {
  const call = way.calls[n];
  const station = feed.network().stations[call?.station ?? -1];
  if (call === undefined || station === undefined) throw new Error("a call at no station");
  return platformIdOf(station, feed.part, platform ?? call.platform);
}

const moved = ({ feed }: Speaker, run: Run, n: number, call: CallReport): Described =>
  call.kind === "given" && call.platform !== null
    ? { stopTimeProperties: { assignedStopId: stopAt(feed, run, n, call.platform) } }
    : {};

function eventsAt({ style }: Speaker, run: Run, n: number, delay_s: number): Described {
  const { way, start_ms } = run;
  const dwell_s = way.dwells_s[n] ?? 0;
  const leaves_s = start_ms / 1000 + (way.departs_s[n] ?? 0) + delay_s;
  const isAbsolute = style.times !== "delay" || isAdded(run);
  const event = (time_s: number): Described => ({
    ...(isAbsolute ? { time: time_s } : {}),
    ...(style.times === "time" || isAdded(run) ? {} : { delay: delay_s }),
  });
  const both = style.events === "both" || (style.events === "arrival" && dwell_s > 0);
  return {
    ...(both || style.events === "arrival" ? { arrival: event(leaves_s - dwell_s) } : {}),
    ...(both || style.events === "departure" ? { departure: event(leaves_s) } : {}),
  };
}

function toAlert({ part, city }: Feed, alert: TransitAlert): Json {
  const { id, cause, effect, line, station, from_ms, to_ms } = alert;
  const text = headerOf(alert);
  const local = city.languages[0] ?? "en";
  const translation: Json[] = [{ text, language: local.slice(0, 2) }];
  if (local !== "en") translation.push({ text: `Service change: ${text}`, language: "en" });
  return {
    id,
    alert: {
      ...(from_ms === null && to_ms === null
        ? {}
        : {
            activePeriod: {
              ...(from_ms === null ? {} : { start: from_ms / 1000 }),
              ...(to_ms === null ? {} : { end: to_ms / 1000 }),
            },
          }),
      informedEntity: {
        ...(line === null ? {} : { routeId: routeIdOf(line) }),
        ...(station === null ? {} : { stopId: stationIdOf(station, part) }),
      },
      cause,
      effect,
      headerText: { translation },
    },
  };
}
