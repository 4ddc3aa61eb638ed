/** What the timetables of a deployment cannot say at a place: those that are missing, ended or not begun. */
import { findDaysProblem } from "#transit/timetable/days.ts";
import type { SourceFinding } from "../search-reply.ts";
import type { TransitQuestion } from "./transit-finder.ts";
import { type HeldFeed, touches } from "#upstream/transit/held-feed.ts";

type Window = { from_ms: number; to_ms: number };

/** Lists the timetables of this area that are not there: not read yet, of another version, or damaged. */
export function listMissing(
  feeds: readonly HeldFeed[],
  circle: TransitQuestion["circle"],
): HeldFeed[] {
  return feeds.filter((feed) => feed.feed === null && touches(feed, circle));
}

/** Says of a timetable that is not there why it is not. */
export function toMissing({ feed_id, failure }: HeldFeed): SourceFinding {
  return toGap(feed_id, { status: "unavailable", reason: failure ?? "not_loaded" });
}

/** What came of all timetables as one source; `missing`: the first of this area that is not there. */
export function toTimetables(
  missing: HeldFeed | undefined,
  good_until_ms: number,
): Omit<SourceFinding, "raw"> {
  return {
    key: "gtfs",
    name: missing ? `the timetable ${missing.feed_id}` : "the timetable data",
    ...(missing
      ? { status: "unavailable", reason: missing.failure ?? "not_loaded", good_until_ms: null }
      : { status: "ok", reason: null, good_until_ms }),
    calls: 0,
    cache: "hit",
  };
}

/** Says of a timetable that its days lie elsewhere; null: some of them reach into the window. */
export function findOutOfDays({ feed_id, feed }: HeldFeed, window: Window): SourceFinding | null {
  const reason = feed?.timetable ? findDaysProblem(feed.timetable, window) : null;
  return reason === null ? null : toGap(feed_id, { status: "error", reason });
}

/** As `/v1/sources` calls it. */
function toGap(feed_id: string, failure: Pick<SourceFinding, "status" | "reason">): SourceFinding {
  return {
    key: `gtfs:${feed_id}`,
    name: `the timetable ${feed_id}`,
    ...failure,
    raw: 0,
    calls: 0,
    cache: "hit",
    good_until_ms: null,
  };
}
