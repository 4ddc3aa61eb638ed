// The calls of a timetable in a stretch of time as services that answer with boards see them: what is
// planned, and what one feed says of it in this minute.
import { type CallReport, listKnown, MOST_DELAY_S, reportOf } from "./transit-live.ts";
import type { Part, TransitStation } from "./transit-model.ts";
import { isAdded, lengthOf, type Run, type Timetable, type Way } from "./transit-runs.ts";

export type BoardWish = {
  /** Whose runs they are; null: those of the feed that leads each line. */
  readonly part: Part | null;
  /** Whether live data are known. */
  readonly live: boolean;
  readonly kind: "departures" | "arrivals";
  readonly from_ms: number;
  readonly to_ms: number;
  readonly now_ms: number;
  isWanted(station: TransitStation, platform: number): boolean;
};

export type BoardCall = {
  readonly run: Run;
  readonly n: number;
  readonly station: TransitStation;
  /** Where it was meant to stop. */
  readonly platform: number;
  readonly part: Part;
  /** null: the run is in no timetable. */
  readonly planned_ms: number | null;
  readonly expected_ms: number | null;
  readonly fate: "cancelled" | "skipped" | "added" | null;
  /** Where it stops instead. */
  readonly moved_to: number | null;
};

const MINUTE_MS = 60_000;
const MOST_EARLY_MS = 5 * MINUTE_MS;

/** In order of time. */
export function listBoard(timetable: Timetable, wish: BoardWish): BoardCall[] {
  return timetable.ways
    .filter(({ line }) => wish.part === null || line.parts.includes(wish.part))
    .flatMap((way) => callsOf(timetable, way, wish))
    .toSorted((a, b) => timeOf(a) - timeOf(b) || a.run.key - b.run.key);
}

export const timeOf = ({ expected_ms, planned_ms }: BoardCall): number =>
  expected_ms ?? planned_ms ?? 0;

function callsOf(timetable: Timetable, way: Way, wish: BoardWish): BoardCall[] {
  const { stations } = timetable.network;
  const last = way.calls.length - 1;
  const places = way.calls.flatMap(({ station, platform }, n) => {
    const match = stations[station];
    const isServed = wish.kind === "departures" ? n < last && n !== way.no_pickup : n > 0;
    return isServed && match !== undefined && wish.isWanted(match, platform)
      ? [{ station: match, platform, n }]
      : [];
  });
  if (places.length === 0) return [];
  const part = wish.part ?? way.line.part;
  const first_ms = wish.from_ms - (lengthOf(way) + MOST_DELAY_S) * 1000;
  const runs = listKnown(timetable, way, part, first_ms, wish.to_ms + MOST_EARLY_MS);
  const minute_ms = Math.floor(wish.now_ms / MINUTE_MS) * MINUTE_MS;
  return runs.flatMap((run) => {
    const habits = { part, drops: false };
    const reported = wish.live ? reportOf(run, timetable.network, habits, minute_ms) : null;
    if (isAdded(run) && reported === null) return [];
    return places
      .map(({ n, ...place }): BoardCall => {
        const call: CallReport = reported?.calls[n] ?? { kind: "silent" };
        const leaves_ms = run.start_ms + (way.departs_s[n] ?? 0) * 1000;
        const waits_ms = wish.kind === "arrivals" ? (way.dwells_s[n] ?? 0) * 1000 : 0;
        const planned_ms = leaves_ms - waits_ms;
        const isGiven = call.kind === "given" && !reported?.cancelled;
        return {
          ...place,
          run,
          n,
          part,
          planned_ms: isAdded(run) ? null : planned_ms,
          expected_ms: isGiven ? planned_ms + call.delay_s * 1000 : null,
          fate: fateOf(run, reported?.cancelled ?? false, call),
          moved_to: isGiven ? call.platform : null,
        };
      })
      .filter((call) => isInTime(call, wish));
  });
}

function fateOf(run: Run, cancelled: boolean, call: CallReport): BoardCall["fate"] {
  if (cancelled) return "cancelled";
  if (call.kind === "skipped") return "skipped";
  return isAdded(run) ? "added" : null;
}

function isInTime(call: BoardCall, { from_ms, to_ms }: BoardWish): boolean {
  if (call.planned_ms === null && call.expected_ms === null) return false;
  const at_ms = timeOf(call);
  return at_ms >= from_ms && at_ms < to_ms;
}
