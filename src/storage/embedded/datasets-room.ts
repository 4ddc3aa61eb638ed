/**
 * Whether the disk has room for datasets: they leave a part of it to keys, accounts and usage, which
 * a stranger must not be able to crowd out (§4.8). Pages that forgotten datasets left are used first.
 */
import { dirname } from "node:path";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { type Room, roomOf } from "#storage/embedded/disk.ts";

const MB = 1024 * 1024;
/** Kept free for others: so much, or this share of a small disk. */
const KEPT_FREE = 64 * MB;
const KEPT_SHARE = 0.05;
/** Rows and indexes take more than the bytes of a dataset. */
const OVERHEAD = 2;

/** `look`: for tests. */
export function createDatasetRoom(
  database: DatabaseSync,
  path: string,
  look: (folder: string) => Room = roomOf,
): (bytes: number) => boolean {
  const pages = database.prepare(
    "SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size",
  );
  const folder = dirname(path);
  return (bytes) => {
    const { free, size } = look(folder);
    if (free >= Math.min(KEPT_FREE, size * KEPT_SHARE) + bytes) return true;
    return Number(pages.get()?.["bytes"]) >= bytes * OVERHEAD;
  };
}
