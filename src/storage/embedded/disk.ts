/** What can be known of the disk under a folder, and of errors for want of it. */
import { statfsSync } from "node:fs";

/** `free`: for a process without privileges. */
export type Room = { free: number; size: number };

export function roomOf(folder: string): Room {
  const { bavail, bsize, blocks } = statfsSync(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

const SQLITE_FULL = 13;
/** A disk that is full, a quota that is used up, a file that may not grow (errno). */
const NO_ROOM: readonly unknown[] = ["ENOSPC", "EDQUOT", "EFBIG"];

export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  return errcode === SQLITE_FULL || NO_ROOM.includes(code);
}
