/** A source of departures as a question sees it; none is known by name from here. */
import type { Board } from "#transit/schedule/boards.ts";
import type { LiveAlertItem } from "#transit/schedule/live-alerts.ts";
import type { TransitProvider, TransitStation } from "#transit/schedule/station.ts";
import type { TransitRoute } from "#transit/schedule/station.ts";
import type { CallKind } from "#transit/timetable/timetable.ts";
import type { ServiceEdge } from "#transit/timetable/edge-calls.ts";
import type { SourceFinding } from "../search-reply.ts";
import type { TransitQuestion } from "./transit-finder.ts";

export type DepartureQuestion = TransitQuestion & {
  kind: CallKind;
  /** The only station that is asked about, by its public id; null: all of the circle. */
  station_id: string | null;
  /** The station of that id, as one source describes it; null: all of the circle. */
  station: TransitStation | null;
  /** From (inclusive) to (exclusive), epoch ms. */
  from_ms: number;
  to_ms: number;
  /** Of that time only the first or last departures of a service day; null: all. More may be found. */
  edge: ServiceEdge | null;
  /** Which routes are wanted; null: all. What is not wanted may be found as well. */
  isWanted: ((route: TransitRoute) => boolean) | null;
};

export type DepartureFinding = SourceFinding & {
  /** Boards of each publisher: within one, every station is another. */
  publishers: readonly (readonly Board[])[];
  /** An alert that a departure names; null: it is another source's. */
  findAlert(id: string): LiveAlertItem | null;
  /** Live feeds that were asked, as sources of their own. */
  live: readonly SourceFinding[];
  /** There are more departures than were looked at. */
  isCut: boolean;
  /** There are others than those that are wanted, which were not looked at. */
  isNarrowed?: boolean;
};

/** What timetables know of a place: clocks (an IANA name; null: not stated), and time, epoch ms. */
export type TimetableAt = { time_zone: string | null; first_ms: number; end_ms: number };

export type DepartureFinder = {
  provider: TransitProvider;
  /** What is not there is not served by this deployment. */
  isThere(): boolean;
  covers(question: DepartureQuestion): boolean;
  find(question: DepartureQuestion): Promise<DepartureFinding>;
  /** null: it has no timetable here; absent: it has none of its own. */
  timetableAt?(circle: TransitQuestion["circle"]): TimetableAt | null;
  /** Where a station is, by its public id; null: it is none of this source's. */
  findStation(id: string): TransitStation | null;
};
