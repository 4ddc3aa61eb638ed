/** Timetables: a GTFS archive becomes one packed feed, which lists stations and departures, with live data if there are any. */
export { type ImportOptions, type ImportResult, importGtfs } from "./archive/import.ts";
export type { FeedSource } from "./archive/archive.ts";
export { readLiveMessage } from "./gtfs-rt/message.ts";
export { buildLive } from "./live/build.ts";
export { indexFeed } from "./live/feed-index.ts";
export { type LiveTable, openLive } from "./live/table.ts";
export { type Departure, type DepartureQuery, findDepartures } from "./schedule/departures.ts";
export { type OpenFeed, openFeed } from "./schedule/feed-pack.ts";
export type { TransitStation } from "./schedule/station.ts";
export { Budget } from "#kit/budget.ts";
export { toEnd } from "#kit/steps.ts";
