/**
 * What an import needs, from the size of its file alone, and whether that is there: an import that
 * cannot end well is refused in one line before anything is read. No bit operation touches a count of
 * bytes, so that the figures hold beyond 2^31 and 2^32.
 */
import { MAX_PACK_BYTES } from "#kit/pack.ts";
import { problem } from "#kit/problem.ts";

/** Bytes per byte of the file: the least and the most that were measured (docs/open-base.md). */
type Share = readonly [least: number, most: number];
export type FileKind = "extract" | "extract without ways" | "list" | "packed list";

const SHARES: Readonly<Record<FileKind, { base: Share; memory: Share }>> = {
  extract: { base: [1.4, 4.8], memory: [9, 17] },
  // Without ways on foot, which are most of a dense city.
  "extract without ways": { base: [1.4, 2.86], memory: [7.6, 9.3] },
  list: { base: [0.7, 0.8], memory: [9, 14] },
  // Lists unpack to five to seven times their size.
  "packed list": { base: [3.5, 5], memory: [45, 95] },
};

/** What can be imported in place of the whole file. */
const PARTS: Readonly<Record<FileKind, string>> = {
  extract: "without ways on foot (--without walk), or a smaller extract",
  "extract without ways": "a smaller extract",
  list: "a part of the list",
  "packed list": "a part of the list",
};

/** What a machine has for an import; null: not known. */
export type Capacity = {
  memory_bytes: number | null;
  /** Free where bases are written. */
  disk_bytes: number | null;
};

export const UNKNOWN_CAPACITY: Capacity = { memory_bytes: null, disk_bytes: null };

/** Throws a `problem` for a file whose import cannot end well; `what` begins the line. */
export function checkNeeds(what: string, kind: FileKind, size: number, capacity: Capacity): void {
  const lack = findLack(kind, size, capacity);
  if (lack !== null) throw problem(`${what}: ${lack}`);
}

/** Why the import of a file of this size cannot end well, with the figures; null: it can. */
export function findLack(
  kind: FileKind,
  size: number,
  { memory_bytes, disk_bytes }: Capacity,
): string | null {
  const { base, memory } = SHARES[kind];
  const part = PARTS[kind];
  const [, base_bytes] = times(base, size);
  if (base_bytes > MAX_PACK_BYTES) {
    const most = toGb(Math.floor(MAX_PACK_BYTES / base[1]), Math.floor);
    return `${toGb(size)} can become a base of ${toGb(base_bytes)}, and a base has at most ${toGb(MAX_PACK_BYTES)}: import ${part}, of at most ${most}`;
  }
  const [least, most] = times(memory, size);
  if (memory_bytes !== null && least > memory_bytes)
    return `needs ${toGb(least)} to ${toGb(most)} of memory, and this machine has ${toGb(memory_bytes)}: import ${part}, or on a larger machine`;
  if (disk_bytes !== null && base_bytes > disk_bytes)
    return `needs up to ${toGb(base_bytes)} of disk, and ${toGb(disk_bytes)} are free: make room, or import ${part}`;
  return null;
}

/** Bytes that the import of an extract of any size takes, and a thread that builds a page. */
const PAGED_MEMORY = { rest: 200e6, split: 700e6, page: 500e6 } as const;
/**
 * What the import writes next to the base until it ends, times the file. While it splits that is up to
 * 4.4, but nothing of the base is there yet.
 */
const RUNS: Share = [1.7, 3.5];

/** Whether an extract of this size becomes a base of one page, which has a number of bytes, by the middle of what was measured. */
export function fitsOnePage(kind: FileKind, size: number, page_bytes: number): boolean {
  const [least, most] = times(SHARES[kind].base, size);
  return (least + most) / 2 <= page_bytes;
}

/** How many threads build pages: as many as there are cores, as far as there is memory for them. */
export function threadsFor(cores: number, { memory_bytes }: Capacity): number {
  if (memory_bytes === null) return cores;
  const room = Math.floor((memory_bytes - PAGED_MEMORY.rest) / PAGED_MEMORY.page);
  return Math.max(1, Math.min(cores, room));
}

/** Throws a `problem` for an extract whose import page by page cannot end well. */
export function checkPagedNeeds(
  what: string,
  kind: FileKind,
  size: number,
  capacity: Capacity,
): void {
  const lack = findPagedLack(kind, size, capacity);
  if (lack !== null) throw problem(`${what}: ${lack}`);
}

/** Why an import page by page cannot end well, with the figures; null: it can. */
function findPagedLack(
  kind: FileKind,
  size: number,
  { memory_bytes, disk_bytes }: Capacity,
): string | null {
  const { rest, split, page } = PAGED_MEMORY;
  const memory = rest + Math.max(split, page);
  if (memory_bytes !== null && memory > memory_bytes)
    return `needs ${toGb(memory)} of memory, whatever its size, and this machine has ${toGb(memory_bytes)}: import on a larger machine`;
  const [, base_bytes] = times(SHARES[kind].base, size);
  const [, run_bytes] = times(RUNS, size);
  if (disk_bytes !== null && base_bytes + run_bytes > disk_bytes)
    return `needs up to ${toGb(base_bytes + run_bytes)} of disk, ${toGb(run_bytes)} of them until it ends, and ${toGb(disk_bytes)} are free: make room, or import ${PARTS[kind]}`;
  return null;
}

function times([least, most]: Share, size: number): [least: number, most: number] {
  return [Math.ceil(least * size), Math.ceil(most * size)];
}

const GB = 1e9;
const MB = 1e6;

/** `1.52 GB`, `340 MB`. */
function toGb(bytes: number, round: (value: number) => number = Math.round): string {
  if (bytes < GB) return `${round(bytes / MB)} MB`;
  return `${round((bytes / GB) * 100) / 100} GB`;
}
