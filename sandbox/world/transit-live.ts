// What happens to a run, and what a feed says of it in a minute: functions of the run and the minute
// alone, so that every start of the simulator sees the same.
import { hash, unit } from "../rng.ts";
import {
  isAdded,
  lengthOf,
  listAdded,
  listRuns,
  type Run,
  type Timetable,
  type Way,
} from "./transit-runs.ts";
import type { Network, Part } from "./transit-model.ts";

/** What a feed says of a call. `silent`: that it does not know; `passed`: nothing, since it is over. */
export type CallReport =
  | { readonly kind: "given"; readonly delay_s: number; readonly platform: number | null }
  | { readonly kind: "skipped" }
  | { readonly kind: "silent" }
  | { readonly kind: "passed" };

export type RunReport = { readonly cancelled: boolean; readonly calls: readonly CallReport[] };

type Fate = {
  readonly cancelled: boolean;
  /** By call. */
  readonly delays_s: readonly number[];
  readonly skipped: number | null;
  /** Where it stops at another platform. */
  readonly moved: { readonly call: number; readonly platform: number } | null;
};

const MINUTE_MS = 60_000;
/** A feed speaks of a run so long before it starts, and so long after its end. */
const [AHEAD_MS, AFTER_MS] = [40 * MINUTE_MS, 3 * MINUTE_MS];
/** The longest delay. */
export const MOST_DELAY_S = 1500;

const SHARES = { cancelled: 0.04, skipped: 0.08, moved: 0.1, silent: 0.1, gap: 0.1 } as const;
const CHANGES_S = [-60, -30, 30, 30, 60, 90, 180] as const;

export function fateOf(run: Run, network: Network): Fate {
  const { key, way } = run;
  const count = way.calls.length;
  const added = isAdded(run);
  const inner = 1 + (hash(key, 62) % Math.max(1, count - 2));
  const skipped = !added && count > 3 && unit(key, 61) < SHARES.skipped ? inner : null;
  const cancelled = !added && unit(key, 60) < SHARES.cancelled;
  return { cancelled, delays_s: delaysOf(run), skipped, moved: movedAt(run, network, skipped) };
}

/** It starts with one delay, and at some calls gains or loses some. */
function delaysOf({ key, way }: Run): number[] {
  let delay_s = firstDelay(key);
  return way.calls.map((_, call) => {
    if (call > 0 && unit(key, call, 63) < 0.3) {
      const change_s = CHANGES_S[hash(key, call, 64) % CHANGES_S.length] ?? 0;
      delay_s = Math.min(MOST_DELAY_S, Math.max(-120, delay_s + change_s));
    }
    return delay_s;
  });
}

function firstDelay(key: number): number {
  const luck = unit(key, 65);
  const tens = (low: number, high: number): number =>
    (low + (hash(key, 66) % (high - low + 1))) * 10;
  if (luck < 0.25) return 0;
  if (luck < 0.37) return tens(-9, -3);
  if (luck < 0.75) return tens(3, 24);
  return luck < 0.93 ? tens(24, 60) : tens(60, 120);
}

function movedAt({ key, way }: Run, { stations }: Network, skipped: number | null): Fate["moved"] {
  if (unit(key, 67) >= SHARES.moved) return null;
  const call = hash(key, 68) % (way.calls.length - 1);
  const planned = way.calls[call];
  const station = stations[planned?.station ?? -1];
  if (planned === undefined || station?.form !== "station" || call === skipped) return null;
  const own = station.platforms[planned.platform];
  const other = station.platforms.find(
    ({ index, mode }) => index !== planned.platform && mode === own?.mode,
  );
  return other === undefined ? null : { call, platform: other.index };
}

/** Before it starts a run is expected a little earlier or later every three minutes. */
function driftOf({ key, start_ms }: Run, first_s: number, minute_ms: number): number {
  if (minute_ms >= start_ms || first_s === 0) return 0;
  return ((hash(key, Math.floor(minute_ms / (3 * MINUTE_MS)), 69) % 5) - 2) * 30;
}

export type Habits = {
  readonly part: Part;
  /** Whether calls that are over are left out. */
  readonly drops: boolean;
};

/** What the feed says of a run in a minute; null: nothing. */
export function reportOf(
  run: Run,
  network: Network,
  { part, drops }: Habits,
  minute_ms: number,
): RunReport | null {
  const { key, way, start_ms, headway_s } = run;
  if (headway_s !== null || unit(key, part, 70) < SHARES.silent) return null;
  const { cancelled, delays_s, skipped, moved } = fateOf(run, network);
  const late_s = Math.max(0, delays_s.at(-1) ?? 0);
  if (start_ms - minute_ms > AHEAD_MS) return null;
  if (minute_ms > start_ms + (lengthOf(way) + late_s) * 1000 + AFTER_MS) return null;
  const drift_s = driftOf(run, delays_s[0] ?? 0, minute_ms);
  const gap = isAdded(run) ? null : gapOf(run, part);
  const calls = way.calls.map((_, call): CallReport => {
    const delay_s = (delays_s[call] ?? 0) + drift_s;
    const leaves_ms = start_ms + ((way.departs_s[call] ?? 0) + delay_s) * 1000;
    if (drops && leaves_ms < minute_ms) return { kind: "passed" };
    if (gap !== null && call >= gap.from && call < gap.to) return { kind: "silent" };
    if (call === skipped) return { kind: "skipped" };
    return { kind: "given", delay_s, platform: moved?.call === call ? moved.platform : null };
  });
  return { cancelled, calls };
}

/** Calls of which a feed has no data: to the end, or for some. */
function gapOf(
  { key, way }: Run,
  part: Part,
): { readonly from: number; readonly to: number } | null {
  if (unit(key, part, 71) >= SHARES.gap) return null;
  const count = way.calls.length;
  const from = hash(key, part, 72) % count;
  return { from, to: hash(key, part, 73) % 2 === 0 ? count : Math.min(count, from + 2) };
}

export type Reported = { readonly run: Run; readonly report: RunReport };

/** All runs that a feed speaks of in a minute. */
export function listReports(timetable: Timetable, habits: Habits, minute_ms: number): Reported[] {
  const { ways, network } = timetable;
  return ways
    .filter(({ line }) => line.parts.includes(habits.part))
    .flatMap((way) => {
      const from_ms = minute_ms - (lengthOf(way) + MOST_DELAY_S) * 1000 - AFTER_MS;
      const to_ms = minute_ms + AHEAD_MS + MINUTE_MS;
      return listKnown(timetable, way, habits.part, from_ms, to_ms);
    })
    .flatMap((run): Reported[] => {
      const report = reportOf(run, network, habits, minute_ms);
      return report === null ? [] : [{ run, report }];
    });
}

/** Runs of the timetable and those that were added, which the leading feed alone knows. */
export function listKnown(
  timetable: Timetable,
  way: Way,
  part: Part,
  from_ms: number,
  to_ms: number,
): Run[] {
  const planned = listRuns(timetable, way, from_ms, to_ms);
  if (part !== way.line.part) return planned;
  return [...planned, ...listAdded(timetable, way, from_ms, to_ms)];
}
