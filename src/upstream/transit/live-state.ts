/** The live data of a feed as a question sees them: the newest that can be used, and how it goes. */
import type { FailureStatus } from "#kit/outcome.ts";
import type { LiveTable } from "#transit/live/live-table.ts";

/** Files of live data, as the configuration names them. */
export const LIVE_TRANSIT_FILES = ["trip_updates", "vehicle_positions", "alerts"] as const;
export type LiveFileName = (typeof LIVE_TRANSIT_FILES)[number];

/** What is wrong with a file, or with all of them. */
export type LiveProblem = {
  /** null: the live data as a whole. */
  file: LiveFileName | null;
  status: FailureStatus;
  /** Machine token. */
  reason: string;
  /** When what is still used of it was made, epoch ms; null: nothing is. */
  held_at_ms: number | null;
};

export type LiveFeedState = {
  /** Empty: all is well. */
  problems: readonly LiveProblem[];
  /** Made of the files that can be used; null: none can. */
  table: LiveTable | null;
  /** Version of the timetable that the table was made for; null: there is none. */
  version: number | null;
  /** When the oldest of the data that are in use were made, epoch ms. */
  made_at_ms: number | null;
  /** Whether alerts that can be used are in the table; null: they are not configured. */
  has_alerts: boolean | null;
  /** Until when none of them is asked for again, epoch ms. */
  good_until_ms: number;
};

export type LiveQuestion = { now_ms: number; until_ms: number; signal: AbortSignal };

export type LiveFeed = {
  /** Asks the publisher for the files that are due; resolves when what came has been read, or when aborted. */
  refresh(question: LiveQuestion): Promise<LiveFeedState>;
  /** What is held, without asking. */
  state(now_ms: number): LiveFeedState;
  /** Beyond this age data are not used. */
  max_age_s: number;
};
