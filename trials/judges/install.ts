/**
 * The programs of others that judge: only trials and the suite `long` ask them, so they are a package
 * of its own, which is installed when it is needed and is not there, or is older than its lockfile.
 */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";

/** Null, or why they cannot be had, in one line. */
export function installJudges(): string | null {
  if (isInstalled()) return null;
  console.error(`installing the programs that judge (${COMMAND})`);
  const { status, stderr, error } = spawnSync("npm", ARGS, { cwd: FOLDER, encoding: "utf8" });
  if (status === 0) return null;
  const [reported = ""] = (error?.message ?? stderr).split("\n");
  return `${COMMAND} failed: ${reported}`;
}

/** For what cannot go on without them. */
export function needJudges(): void {
  const problem = installJudges();
  if (problem !== null) throw new Error(problem);
}

const FOLDER = import.meta.dirname;
const COMMAND = "npm ci --prefix trials/judges";
const ARGS = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/** npm writes the second of these files last, so that an installation that was cut off does not count. */
function isInstalled(): boolean {
  const changedAt = (name: string): number =>
    statSync(join(FOLDER, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return changedAt("package-lock.json") <= changedAt("node_modules/.package-lock.json");
}
