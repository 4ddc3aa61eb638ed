/**
 * Whether the locks and files of a service are still its own. A program without its locks is not safe from others (embedded/private-files.ts); files without names
 * are lost with their process (embedded/file-names.ts).
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "#kit/guard.ts";
import { type Check, toCheck } from "./inspection-check.ts";

/** Of Linux, where the system lists locks: does the process hold those of its databases? */
export function checkLocks(folder: string, pid: number, databases: readonly string[]): Check {
  const locked_files = listLockedFiles(pid);
  const lost = listDeleted(folder, pid);
  if (lost !== null && lost.length > 0) {
    const text = `process ${pid} has files without names, do not restart it: ${lost.join(", ")}`;
    return toCheck("locks", "failing", text);
  }
  if (locked_files === null)
    return toCheck("locks", "unknown", "the system does not list them here");
  const without = databases.filter((name) => {
    const number = statSync(join(folder, name), { throwIfNoEntry: false })?.ino;
    return number !== undefined && !locked_files.has(number);
  });
  if (without.length === 0) return toCheck("locks", "ok", `held by process ${pid}`);
  const text = `process ${pid} has lost its locks on ${without.join(", ")}: open them with no other program`;
  return toCheck("locks", "failing", text);
}

/** Numbers of the files on which the process has a lock; null: none of its locks is shown. */
function listLockedFiles(pid: number): Set<number> | null {
  const text = attempt(
    () => readFileSync("/proc/locks", "utf8"),
    () => "",
  );
  // 1: POSIX  ADVISORY  READ  1234 fe:01:5678 1073741826 1073742335
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/));
  const own_rows = rows.filter((row) => row[4] === String(pid));
  if (own_rows.length === 0) return null;
  return new Set(own_rows.map((row) => Number(row[5]?.split(":")[2])));
}

/** Paths in the folder that the process has open and that are gone; null: it cannot be seen. */
function listDeleted(folder: string, pid: number): string[] | null {
  const descriptors = `/proc/${pid}/fd`;
  const names = attempt(
    () => readdirSync(descriptors),
    () => null,
  );
  return (
    names?.flatMap((name) => {
      const target = attempt(
        () => readlinkSync(join(descriptors, name)),
        () => "",
      );
      return target.startsWith(folder) && target.endsWith(" (deleted)") ? [target] : [];
    }) ?? null
  );
}
