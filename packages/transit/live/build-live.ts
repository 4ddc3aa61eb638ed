/**
 * What realtime messages say of a timetable as one pack (layout.ts): every run that they speak of, and
 * each of its calls as an event of a stop. Rules: departures.md.
 */
import { writePack } from "#kit/pack.ts";
import { toBlob } from "#kit/bytes.ts";
import { createTrail, mergeTrails } from "#kit/trail.ts";
import { packLiveAlerts } from "./alert-columns.ts";
import { collectRuns, inTable, type LiveInput, type LiveRun } from "./collect.ts";
import { Events } from "./live-events.ts";
import type { FeedIndex } from "./feed-index.ts";
import { LIVE_FORMAT, NO_VALUE, NO_START, type LiveColumns, type LiveMeta } from "./live-layout.ts";

/** All messages of one feed that are in use: of trips, of vehicles, of alerts. */
export function buildLive(index: FeedIndex, inputs: readonly LiveInput[]): Uint8Array<ArrayBuffer> {
  const trail = createTrail();
  const texts = createTexts();
  const { runs: all, ...counts } = collectRuns(index, inputs, trail);
  const events = new Events(index, { textOf: texts.add, trail });
  const runs: LiveRun[] = [];
  for (const live of all) if (events.add(runs.length, live)) runs.push(live);
  const alerts = inputs.flatMap(({ message }) => message.alerts);
  const { columns: alert_columns, is_access_cut } = packLiveAlerts(
    index,
    { alerts, at_s: newestOf(inputs) },
    trail,
  );
  const columns: LiveColumns = {
    ...packRuns(index, runs, texts.add),
    ...events.finish(),
    ...alert_columns,
    ...texts.finish(),
  };
  const meta: LiveMeta = {
    counts: {
      ...counts,
      runs: runs.length,
      events: events.count,
      vehicles: inputs.reduce((sum, { message }) => sum + message.vehicles.length, 0),
      alerts: columns.alert_id_starts.length - 1,
    },
    is_access_cut,
    trail: mergeTrails([...inputs.map(({ message }) => message.trail), trail.toTrail()]),
  };
  return atOnce(writePack(LIVE_FORMAT, meta, columns));
}

/** When the newest message was made, epoch s. */
function newestOf(inputs: readonly LiveInput[]): number {
  const stated = inputs.map(({ message, fetched_ms }) => message.timestamp_s ?? fetched_ms / 1000);
  return Math.max(0, ...stated);
}

type RunColumns = Pick<
  LiveColumns,
  Extract<keyof LiveColumns, `run_${string}`> | "trip_run_starts"
>;

function packRuns(
  index: FeedIndex,
  runs: readonly LiveRun[],
  textOf: (text: string | null) => number,
): RunColumns {
  const trip_run_starts = new Uint32Array(index.timetable.meta.counts.trips + 1);
  for (const live of runs) {
    const own = live.id === null ? live.run : null;
    if (own !== null) trip_run_starts[own.plan.trip + 1]!++;
  }
  for (let trip = 1; trip < trip_run_starts.length; trip++)
    trip_run_starts[trip]! += trip_run_starts[trip - 1]!;
  return {
    trip_run_starts,
    run_trips: Uint32Array.from(runs, ({ run }) => run?.plan.trip ?? NO_VALUE),
    run_days: Int32Array.from(runs, ({ day }) => day),
    run_starts: Int32Array.from(runs, ({ start_s }) => start_s),
    run_keys: Int32Array.from(runs, (live) => inTable(live)?.key ?? NO_START),
    run_status: Uint8Array.from(runs, ({ status }) => status),
    run_observed: Uint32Array.from(runs, ({ observed_s }) => observed_s),
    run_routes: Uint32Array.from(runs, (live) => routeOf(index, live)),
    run_ids: Uint32Array.from(runs, ({ id }) => textOf(id)),
    run_headsigns: Uint32Array.from(runs, ({ update }) =>
      textOf(update.properties?.headsign ?? null),
    ),
  };
}

function routeOf(index: FeedIndex, { run, update }: LiveRun): number {
  if (run !== null) return index.timetable.columns.pattern_routes[run.plan.pattern]!;
  const { route_id } = update.trip;
  return (route_id === null ? null : index.routeOf(route_id)) ?? NO_VALUE;
}

type Texts = {
  add(text: string | null): number;
  finish(): Pick<LiveColumns, "texts" | "text_starts">;
};

function createTexts(): Texts {
  const numbers = new Map<string, number>();
  return {
    add(text) {
      if (text === null) return NO_VALUE;
      const known_number = numbers.get(text);
      if (known_number !== undefined) return known_number;
      numbers.set(text, numbers.size);
      return numbers.size - 1;
    },
    finish() {
      const { bytes, offsets } = toBlob([...numbers.keys()]);
      return { texts: bytes, text_starts: offsets };
    },
  };
}

function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
