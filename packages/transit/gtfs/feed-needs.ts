/**
 * What an import takes, from the sizes of the files alone, and whether that is there: one that cannot
 * end well is refused in one line before anything is read. No bit operation touches a count of bytes.
 */

/** What a machine has for an import; null: not known. */
export type ImportCapacity = {
  memory_bytes: number | null;
  /** Free where timetables are stored. */
  disk_bytes: number | null;
};

export type FeedNeeds = { memory_bytes: number; disk_bytes: number };

const MB = 1e6;
const GB = 1e9;

/** Of the process before it reads a row, and the buffers of an archive. */
const LEAST_BYTES = 180 * MB;
/** Bytes of memory per byte of a file, as measured (docs/lab/timetables.md); of others a hundredth. */
const SHARES: Readonly<Record<string, number>> = {
  "stop_times.txt": 0.14,
  "trips.txt": 3,
  "stops.txt": 3,
  "routes.txt": 4,
  "calendar.txt": 3,
  "calendar_dates.txt": 3,
  "frequencies.txt": 4,
  "transfers.txt": 1,
  "pathways.txt": 3,
};
/** Of the pack in the store, and its journal until it is there, per byte of the rows that it is made of. */
const DISK_SHARE = 0.15;

/** `sizes`: unpacked bytes by name of the file. */
export function needsOf(sizes: ReadonlyMap<string, number>): FeedNeeds {
  let memory_bytes = LEAST_BYTES;
  let rows_bytes = 0;
  for (const [file, size] of sizes) {
    const share = SHARES[file];
    if (share === undefined) continue;
    memory_bytes += share * size;
    rows_bytes += size;
  }
  return { memory_bytes: Math.ceil(memory_bytes), disk_bytes: Math.ceil(DISK_SHARE * rows_bytes) };
}

/** Why the import cannot end well, with the figures; null: it can. */
export function findLack(
  needs: FeedNeeds,
  { memory_bytes, disk_bytes }: ImportCapacity,
): string | null {
  if (memory_bytes !== null && needs.memory_bytes > memory_bytes)
    return `needs about ${toGb(needs.memory_bytes)} of memory, and this machine has ${toGb(memory_bytes)}: import it on a larger one`;
  if (disk_bytes !== null && needs.disk_bytes > disk_bytes)
    return `needs up to ${toGb(needs.disk_bytes)} of disk, and ${toGb(disk_bytes)} are free: make room`;
  return null;
}

/** `1.52 GB`, `340 MB`. */
function toGb(bytes: number): string {
  if (bytes < GB) return `${Math.round(bytes / MB)} MB`;
  return `${Math.round((bytes / GB) * 100) / 100} GB`;
}
