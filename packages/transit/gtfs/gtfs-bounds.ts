/**
 * Bounds of a feed that is fetched, in rows and in unpacked bytes of each file: beyond them an archive is
 * broken, or meant to be, or an operator must say that it may come. They grow with the bytes that an
 * archive may unpack to (`sources.gtfs.unpacked_mb`), and those below are for 4,096 MB. The national feed
 * of Germany (DELFI, 2026) has 2,585,657,775 bytes of stop_times in an archive of 381 MB: 1.2 and 1.4
 * times these bounds. A file of an operator has none of them: it is bounded by the memory
 * that reading it takes (feed-needs.ts).
 */
export type FileBounds = { rows: number; bytes: number };
export type FeedBounds = Readonly<Record<string, FileBounds>>;

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export const FILE_BOUNDS: FeedBounds = {
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

export const NO_BOUND: FileBounds = { rows: Infinity, bytes: Infinity };

/** What may be fetched where the configuration says nothing else. */
export const FETCHED = { archive_bytes: 256 * MIB, unpacked_bytes: 4 * GIB } as const;

/** Options of an import of an archive of another, which may unpack to this number of bytes. */
export function fetchBounds(unpacked_bytes: number = FETCHED.unpacked_bytes): {
  limits: { file_bytes: number; total_bytes: number };
  bounds: FeedBounds;
  /** Of the pack, which is held in memory while it is served: 256 MB of 4,096. */
  pack_bytes: number;
} {
  const share = unpacked_bytes / FETCHED.unpacked_bytes;
  const bounds = Object.entries(FILE_BOUNDS).map(([file, { rows, bytes }]) => [
    file,
    { rows: Math.ceil(rows * share), bytes: Math.ceil(bytes * share) },
  ]);
  return {
    limits: { file_bytes: unpacked_bytes / 2, total_bytes: unpacked_bytes },
    bounds: Object.fromEntries(bounds) as FeedBounds,
    pack_bytes: Math.ceil(unpacked_bytes / 16),
  };
}
