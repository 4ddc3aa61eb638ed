/** What the system says of the files that a process has open: their names and its locks. Linux. */
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";

/** Whether this system says it at all. */
export const CAN_LOOK = existsSync("/proc/locks") && existsSync("/proc/self/fd");

/** Lists the open files in the folder that have no name any more. */
export function listDeleted(pid: number, folder: string): string[] {
  const list = `/proc/${pid}/fd`;
  return readdirSync(list).flatMap((descriptor) => {
    const target = readTarget(join(list, descriptor));
    return target.startsWith(folder) && target.endsWith(" (deleted)") ? [target] : [];
  });
}

/** Descriptors may be closed while they are listed. */
function readTarget(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

/** Whether the process has a lock on the file, so that no other takes itself for the last one. */
export function isLocked(pid: number, path: string): boolean {
  const { ino } = statSync(path);
  return readFileSync("/proc/locks", "utf8")
    .split("\n")
    .some((line) => new RegExp(` POSIX .* ${pid} [0-9a-f]+:[0-9a-f]+:${ino} `).test(line));
}

/** The number of each file; null: there is none of that name. */
export function numbersOf(paths: readonly string[]): (number | null)[] {
  return paths.map((path) => statSync(path, { throwIfNoEntry: false })?.ino ?? null);
}
