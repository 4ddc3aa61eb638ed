/** A feed in its parts: rows of its files, stations, calls and boards, for those who make feeds without an archive. */
export { createFeedReader } from "./gtfs/feed-tables.ts";
export { MOST_ADDED_AT_STATION } from "./live/live-events.ts";
export type { FoundDeparture } from "./schedule/boards.ts";
export { compareCalls } from "./schedule/planned-departures.ts";
export { findEarliest, MOST_CALLS } from "./schedule/earliest.ts";
export { packFeedSteps } from "./schedule/feed-pack.ts";
export { transitId } from "./schedule/schedule-results.ts";
export type { TransitRoute, TransitSource } from "./schedule/station.ts";
export type { TransitFeed } from "./schedule/schedule-stations.ts";
export type { Frequency } from "./timetable/timetable-draft.ts";
export { type CallKind, type PlannedCall, profileOf } from "./timetable/timetable.ts";
