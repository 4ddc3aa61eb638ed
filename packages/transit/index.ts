/** Timetables: a GTFS archive becomes one packed feed, which lists stations and departures, with live data if there are any. */
export { type ImportOptions, type ImportResult, importGtfs } from "./archive/import-archive.ts";
export type { FeedSource } from "./archive/open-archive.ts";
export { readLiveMessage } from "./gtfs-rt/message.ts";
export { buildLive } from "./live/build-live.ts";
export { indexFeed } from "./live/feed-index.ts";
export { type LiveTable, openLive } from "./live/live-table.ts";
export type { Departure, DepartureQuery } from "./schedule/departure-view.ts";
export { findDepartures } from "./schedule/planned-departures.ts";
export { type OpenFeed, openFeed } from "./schedule/feed-pack.ts";
export type { TransitStation } from "./schedule/station.ts";
export { Budget } from "#kit/budget.ts";
export { toEnd } from "#kit/steps.ts";
