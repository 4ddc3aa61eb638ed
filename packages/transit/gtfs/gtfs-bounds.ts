/**
 * Bounds of a feed's file, in rows and in unpacked bytes. National feeds of 2026 stay below
 * a third of each; beyond it an archive is broken, or meant to be. What is kept of a file is bounded
 * by its row: of stops, routes and trips something stays in memory, of stop_times only time passes.
 */
export type FileBounds = { rows: number; bytes: number };

const MIB = 1024 ** 2;

export const FILE_BOUNDS: Readonly<Record<string, FileBounds>> = {
  "agency.txt": { rows: 10_000, bytes: 16 * MIB },
  "feed_info.txt": { rows: 1_000, bytes: 4 * MIB },
  "attributions.txt": { rows: 100_000, bytes: 32 * MIB },
  "routes.txt": { rows: 200_000, bytes: 128 * MIB },
  "stops.txt": { rows: 1_000_000, bytes: 384 * MIB },
  "calendar.txt": { rows: 1_000_000, bytes: 128 * MIB },
  "calendar_dates.txt": { rows: 20_000_000, bytes: 512 * MIB },
  "frequencies.txt": { rows: 2_000_000, bytes: 128 * MIB },
  "transfers.txt": { rows: 10_000_000, bytes: 512 * MIB },
  "levels.txt": { rows: 200_000, bytes: 32 * MIB },
  "pathways.txt": { rows: 2_000_000, bytes: 256 * MIB },
  "trips.txt": { rows: 5_000_000, bytes: 1_024 * MIB },
  "stop_times.txt": { rows: 150_000_000, bytes: 2_048 * MIB },
};

/** Bound of the archive that is fetched: national timetables are a few hundred megabytes. */
export const MAX_ARCHIVE_BYTES: number = 256 * MIB;
/** Bound of a packed feed, which is held in memory while it is served. */
export const MAX_FEED_PACK_BYTES: number = 256 * MIB;
