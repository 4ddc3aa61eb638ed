// What is meant to run: the trips of every line both ways, by service, and the runs of a day.
import { distance } from "../geo.ts";
import { between, hash } from "../rng.ts";
import { type Days, createDays, runsOn, type Service } from "./transit-days.ts";
import type { Call, Line, Network, TransitMode, Wheelchair } from "./transit-model.ts";

/** Runs of a trip that repeats; `is_exact` false: only the headway is promised. */
type Repeat = {
  readonly from_s: number;
  readonly to_s: number;
  readonly headway_s: number;
  readonly is_exact: boolean;
};

export type Trip = {
  /** Of its line, both ways counted. */
  readonly index: number;
  readonly service: Service;
  /** Of its first call, seconds of the service day. */
  readonly start_s: number;
  /** Empty: it runs once. */
  readonly repeats: readonly Repeat[];
  readonly wheelchair: Wheelchair;
};

/** A line in one direction. */
export type Way = {
  readonly line: Line;
  readonly back: boolean;
  readonly calls: readonly Call[];
  /** By call, seconds after the start of the trip. */
  readonly departs_s: readonly number[];
  readonly dwells_s: readonly number[];
  /** Of coaches the last call but one is for leaving. */
  readonly no_pickup: number | null;
  readonly trips: readonly Trip[];
};

export type Timetable = {
  readonly network: Network;
  readonly days: Days;
  readonly ways: readonly Way[];
};

/** A trip on a service day, at one of its starts. */
export type Run = {
  readonly way: Way;
  readonly trip: Trip;
  readonly day: number;
  readonly start_s: number;
  /** Of its first call as planned, epoch ms. */
  readonly start_ms: number;
  /** Only that is promised; null: its time is. */
  readonly headway_s: number | null;
  /** What makes this run different from all others of its world. */
  readonly key: number;
};

type Pace = {
  /** All day long, one of these. */
  readonly minutes: readonly number[];
  /** Between two of them another one on workdays. */
  readonly doubled: boolean;
  readonly m_per_s: number;
  readonly dwell_s: number;
};

const PACES: Readonly<Record<TransitMode, Pace>> = {
  metro: { minutes: [8, 10, 12], doubled: true, m_per_s: 10, dwell_s: 0 },
  tram: { minutes: [16, 20, 24], doubled: true, m_per_s: 6, dwell_s: 0 },
  bus: { minutes: [20, 24, 30], doubled: true, m_per_s: 5.5, dwell_s: 0 },
  rail: { minutes: [20, 30], doubled: false, m_per_s: 20, dwell_s: 60 },
  rapid_transit: { minutes: [30], doubled: true, m_per_s: 15, dwell_s: 30 },
  ferry: { minutes: [30, 45], doubled: false, m_per_s: 5, dwell_s: 0 },
  coach: { minutes: [60, 120], doubled: false, m_per_s: 12, dwell_s: 0 },
  cable_transport: { minutes: [15], doubled: false, m_per_s: 4, dwell_s: 0 },
};

const HOUR_MIN = 60;
const [FIRST_MIN, LAST_MIN] = [5 * HOUR_MIN, 24 * HOUR_MIN + 45];
/** Workdays are busy between these. */
const [BUSY_MIN, QUIET_MIN] = [6 * HOUR_MIN, 20 * HOUR_MIN + 30];
const NIGHT_MIN = [25 * HOUR_MIN + 10, 26 * HOUR_MIN + 10, 27 * HOUR_MIN + 10];
const FESTIVE_MIN = [10 * HOUR_MIN + 7, 15 * HOUR_MIN + 7];

/** There the metro promises intervals, and trams keep exact ones. */
const REPEATING: ReadonlySet<string> = new Set(["mexico-city"]);

export function createTimetable(network: Network): Timetable {
  const { city, lines } = network;
  const ways = lines.flatMap((line) => {
    const isFirst = lines.findIndex(({ mode }) => mode === line.mode) === line.index;
    const drafts = [false, true].flatMap((back) =>
      listDrafts(line, { back, isFirst, repeats: REPEATING.has(city.id) }),
    );
    const trips = drafts.map((draft, index) => ({ ...draft, index }));
    return [false, true].map((back) => toWay(network, line, back, trips));
  });
  return { network, days: createDays(city.timezone), ways };
}

type Draft = Omit<Trip, "index"> & { readonly back: boolean };
type Frame = { readonly back: boolean; readonly isFirst: boolean; readonly repeats: boolean };

/** The trips of a line in one direction, by their starts. */
function listDrafts(line: Line, { back, isFirst, repeats }: Frame): Draft[] {
  const { key, mode } = line;
  const { minutes, doubled } = PACES[mode];
  const headway_min = minutes[hash(key, 51) % minutes.length] ?? 30;
  const phase_min = FIRST_MIN + (hash(key, Number(back), 52) % headway_min);
  const isRepeating = repeats && (mode === "metro" || mode === "tram");
  const draft = (service: Service, start_min: number, more: readonly Repeat[] = []): Draft => ({
    back,
    service,
    start_s: start_min * 60,
    repeats: more,
    wheelchair: wheelchairOf(key, start_min),
  });
  if (isRepeating) return [draft("daily", 6 * HOUR_MIN, repeatsOf(headway_min, mode === "tram"))];
  const all = stepsFrom(phase_min, LAST_MIN, headway_min).map((at) => draft("daily", at));
  const busy = doubled ? stepsFrom(phase_min + headway_min / 2, LAST_MIN, headway_min) : [];
  const nights = isFirst && mode === "bus" ? NIGHT_MIN : [];
  const late = isFirst && mode === "metro" ? NIGHT_MIN : [];
  const festive = isFirst ? FESTIVE_MIN : [];
  const shift_min = back ? 15 : 0;
  return [
    ...all,
    ...busy.filter((at) => at >= BUSY_MIN && at < QUIET_MIN).map((at) => draft("workdays", at)),
    ...nights.map((at) => draft("daily", at + shift_min)),
    ...late.map((at) => draft("nights", at + shift_min)),
    ...festive.map((at) => draft("festive", at + shift_min)),
  ].toSorted((a, b) => a.start_s - b.start_s);
}

function stepsFrom(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, n) => from + n * step);
}

/** As often as elsewhere by day, half as often early and late. */
const repeatsOf = (headway_min: number, is_exact: boolean): Repeat[] =>
  (
    [
      [5, 6, headway_min],
      [6, 21, headway_min / 2],
      [21, 25, headway_min],
    ] as const
  ).map(([from_h, to_h, minutes]) => ({
    from_s: from_h * 3600,
    to_s: to_h * 3600,
    headway_s: minutes * 60,
    is_exact,
  }));

/** Most vehicles of a line are alike. */
function wheelchairOf(key: number, start_min: number): Wheelchair {
  const usual = (["yes", "yes", "no", "unknown"] as const)[hash(key, 53) % 4] ?? "unknown";
  return hash(key, start_min, 54) % 6 === 0 ? "no" : usual;
}

function toWay(
  { stations }: Network,
  line: Line,
  back: boolean,
  all: readonly (Trip & Draft)[],
): Way {
  const calls = back ? line.back : line.outbound;
  const { m_per_s, dwell_s } = PACES[line.mode];
  const last = calls.length - 1;
  const dwells_s = calls.map((_, n) => (n === 0 || n === last ? 0 : dwell_s));
  let at_s = 0;
  const departs_s = calls.map(({ station }, n) => {
    const [here, before] = [stations[station], stations[calls[n - 1]?.station ?? -1]];
    const metres = here && before ? distance(before, here) : 0;
    if (n > 0) at_s += Math.max(60, Math.ceil(metres / m_per_s / 30) * 30) + (dwells_s[n] ?? 0);
    return at_s;
  });
  const trips: readonly Trip[] = all.filter((trip) => trip.back === back);
  const no_pickup = line.mode === "coach" && last > 1 ? last - 1 : null;
  return { line, back, calls, departs_s, dwells_s, no_pickup, trips };
}

/** Seconds from the first call of a way to its last one. */
export const lengthOf = ({ departs_s }: Way): number => departs_s.at(-1) ?? 0;

/** Runs of a way whose first call is planned from (inclusive) to (exclusive). */
export function listRuns({ days }: Timetable, way: Way, from_ms: number, to_ms: number): Run[] {
  const runs: Run[] = [];
  for (const day of new Set([...days.around(from_ms), ...days.around(to_ms)])) {
    const day_ms = days.start_ms(day);
    const [from_s, to_s] = [(from_ms - day_ms) / 1000, (to_ms - day_ms) / 1000];
    for (const trip of way.trips) {
      if (trip.repeats.length === 0 && (trip.start_s < from_s || trip.start_s >= to_s)) continue;
      if (!runsOn(trip.service, day)) continue;
      for (const { start_s, headway_s } of startsOf(trip))
        if (start_s >= from_s && start_s < to_s)
          runs.push(toRun({ way, trip, day, start_s, headway_s }, day_ms));
    }
  }
  return runs;
}

type Start = Pick<Run, "start_s" | "headway_s">;

function startsOf({ start_s, repeats }: Trip): Start[] {
  if (repeats.length === 0) return [{ start_s, headway_s: null }];
  return repeats.flatMap(({ from_s, to_s, headway_s, is_exact }) =>
    stepsFrom(from_s, to_s, headway_s).map((at_s) => ({
      start_s: at_s,
      headway_s: is_exact ? null : headway_s,
    })),
  );
}

export const toRun = (run: Omit<Run, "start_ms" | "key">, day_ms: number): Run => ({
  ...run,
  start_ms: day_ms + run.start_s * 1000,
  key: hash(run.way.line.key, Number(run.way.back), run.trip.index, run.day, run.start_s),
});

/** Runs that no timetable has: some hours of some lines get one more. */
export function listAdded({ days }: Timetable, way: Way, from_ms: number, to_ms: number): Run[] {
  const { line, back } = way;
  if (line.mode === "ferry" || line.mode === "coach") return [];
  return [...new Set([...days.around(from_ms), ...days.around(to_ms)])].flatMap((day) =>
    Array.from({ length: 16 }, (_, n) => n + 6).flatMap((hour): Run[] => {
      const key = hash(line.key, Number(back), day, hour, 55);
      if (key % 12 !== 0) return [];
      const start_s = hour * 3600 + between(2, 57, key, 56) * 60;
      const trip: Trip = {
        index: ADDED_INDEX + hour * 2 + Number(back),
        service: "daily",
        start_s,
        repeats: [],
        wheelchair: "unknown",
      };
      const run = toRun({ way, trip, day, start_s, headway_s: null }, days.start_ms(day));
      return run.start_ms >= from_ms && run.start_ms < to_ms ? [run] : [];
    }),
  );
}

const ADDED_INDEX = 10_000;

export const isAdded = ({ trip }: Run): boolean => trip.index >= ADDED_INDEX;
