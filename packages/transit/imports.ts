/** An import in its parts: its bounds, its report, and the thread that it runs in. */
export type { GtfsReport } from "./archive/import.ts";
export { type ImportFeed, threadImport } from "./archive/thread.ts";
export { FILE_BOUNDS } from "./gtfs/bounds.ts";
