/**
 * A package-lock.json without the `engines` of packages. npm compares them with the Node that it runs
 * on itself, which only installs: the packages run on the pinned Node (decision 1). What this
 * package needs of npm's own Node stays, in the entry of the root.
 */
import { readFileSync } from "node:fs";

type Lockfile = { packages: Record<string, { engines?: unknown }> };

const ROOT = new URL("../../", import.meta.url);

export function lockfileText(file: string): string {
  const lockfile = JSON.parse(readFileSync(new URL(file, ROOT), "utf8")) as Lockfile;
  for (const [path, entry] of Object.entries(lockfile.packages))
    if (path !== "") delete entry.engines;
  return `${JSON.stringify(lockfile, null, 2)}\n`;
}
