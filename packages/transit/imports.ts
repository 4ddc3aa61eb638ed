/** An import in its parts: its bounds, its report, and the thread that it runs in. */
export type { GtfsReport } from "./archive/import-archive.ts";
export { type ImportFeed, threadImport } from "./archive/archive-thread.ts";
export { FILE_BOUNDS } from "./gtfs/gtfs-bounds.ts";
