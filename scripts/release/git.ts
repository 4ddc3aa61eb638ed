/** The few things that a release does with git. */
import { spawnSync } from "node:child_process";

/** A hook of another repository leaves these behind; the folder alone says which one is meant. */
const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...ENV } = process.env;

/** What git prints; throws with its words when it fails. */
export function git(root: string, ...args: string[]): string {
  const ran = spawnSync("git", args, { cwd: root, env: ENV, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (ran.status === 0) return ran.stdout;
  throw new Error(`git ${args[0]}: ${ran.stderr.trim() || ran.error?.message || "failed"}`);
}

/** Tracked files that differ from the last commit. */
export function listChanged(root: string): string[] {
  const lines = git(root, "diff", "--name-only", "HEAD").split("\n");
  return lines.filter((line) => line !== "");
}

/** One commit of these paths and nothing else; its hash. */
export function commitPaths(root: string, paths: readonly string[], message: string): string {
  git(root, "add", "--", ...paths);
  git(root, "commit", "--quiet", "--message", message, "--only", "--", ...paths);
  return git(root, "rev-parse", "HEAD").trim();
}
