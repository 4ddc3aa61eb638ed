/** What `/v1/sources` says of an imported timetable and of its live data. */
import type { HeldFeed } from "#upstream/transit/held-feed.ts";
import type { LiveFeed, LiveProblem } from "#upstream/transit/live-state.ts";
import type { TimetableFacts } from "#api/sources.ts";
import { explainFailure } from "#core/failure-words.ts";
import type { Failure } from "#kit/outcome.ts";
import { findDaysProblem, toDate } from "#transit/timetable/days.ts";
import { RESTING } from "#upstream/transit/live-file.ts";

/** Why the last attempt to renew a feed failed, else why its timetable says nothing of now; null: it does. */
export function findFeedFailure(
  { feed, failure }: HeldFeed,
  now_ms: number,
): Pick<Failure, "status" | "reason"> | null {
  if (failure !== null) return { status: "unavailable", reason: failure };
  const { timetable = null } = feed ?? {};
  if (timetable === null) return null;
  const reason = findDaysProblem(timetable, { from_ms: now_ms, to_ms: now_ms + 1 });
  return reason === null ? null : { status: "error", reason };
}

export type UnusableTimetable = "earlier_version" | "later_version" | "damaged" | "ended";

/** Why the timetable answers nothing until it is imported again; null: it does, or it is still to come. */
export function findUnusable(stored: HeldFeed, now_ms: number): UnusableTimetable | null {
  const { reason } = findFeedFailure(stored, now_ms) ?? {};
  if (reason === "earlier_version" || reason === "later_version" || reason === "damaged")
    return reason;
  return reason?.startsWith("ended") === true ? "ended" : null;
}

/** null: no timetable is loaded. */
export function describeTimetable({ feed, live }: HeldFeed, now_ms: number): TimetableFacts | null {
  if (!feed?.timetable) return null;
  const { counts, days, time_zone } = feed.timetable.meta;
  return {
    trips: counts.trips,
    calls: counts.calls,
    runs_from: days && toDate(days[0]),
    runs_until: days && toDate(days[1]),
    time_zone,
    live: live && describeLive(live, now_ms),
  };
}

function describeLive(live: LiveFeed, now_ms: number): NonNullable<TimetableFacts["live"]> {
  const { problems, table, made_at_ms } = live.state(now_ms);
  const { matched = 0, unmatched = 0, alerts = 0 } = table?.meta.counts ?? {};
  const runs = matched + unmatched;
  // It has not been asked for yet, or no more: that is no failure.
  const problem = problems.find(({ reason }) => !UNASKED.includes(reason));
  return {
    resting: problems.some(({ reason }) => reason === RESTING.reason),
    problem: problem ? explainFailure({ ...problem, reason: toReason(problem) }) : null,
    made_at: made_at_ms === null ? null : new Date(made_at_ms).toISOString(),
    runs,
    matched_share: runs === 0 ? null : matched / runs,
    alerts,
  };
}

const UNASKED: readonly string[] = ["not_loaded", RESTING.reason];

/** With the file in front that it is about: `alerts:http_500`. */
function toReason({ file, reason }: LiveProblem): string {
  return file === null ? reason : `${file}:${reason}`;
}
