/** The disk under a folder: how much is free, which errors say that it is full, what datasets may take. */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { folderFailure } from "#storage/store-reasons.ts";

/** `free`: for a process without privileges. */
export type DiskSpace = { free: number; size: number };

export function diskSpaceOf(folder: string): DiskSpace {
  const { bavail, bsize, blocks } = statfsSync(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** A disk that is full, a quota that is used up, a file that may not grow. */
export function isDiskFull(error: unknown): boolean {
  return folderFailure(error)?.reason === "full";
}

const MB = 1024 * 1024;
/** Kept free for others: this much, or this share of a small disk. */
const KEPT_FREE = 64 * MB;
const KEPT_SHARE = 0.05;
/** Rows and indexes take more than the bytes of a dataset. */
const OVERHEAD = 2;

/** Free space that datasets leave to others, bytes. */
export function floorOf({ size }: DiskSpace): number {
  return Math.min(KEPT_FREE, size * KEPT_SHARE);
}

/**
 * Whether the disk has room for datasets: they leave a part of it to keys, accounts and usage, which
 * a stranger must not be able to crowd out (§4.8). Pages that deleted datasets left are used first.
 * `look`: replaced by tests.
 */
export function createDatasetRoom(
  database: DatabaseSync,
  path: string,
  look: (folder: string) => DiskSpace = diskSpaceOf,
): (bytes: number) => boolean {
  const pages = database.prepare(
    "SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size",
  );
  const folder = dirname(path);
  return (bytes) => {
    const space = look(folder);
    if (space.free >= floorOf(space) + bytes) return true;
    return Number(pages.get()?.["bytes"]) >= bytes * OVERHEAD;
  };
}
