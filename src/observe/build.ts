/**
 * Which build of the program runs: its version, and the commit that it was made from, as the
 * environment of the image says it or the checkout that it is started in.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** `commit`: its first twelve digits; null: neither an image nor a checkout. */
export type Build = { version: string; commit: string | null };

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COMMIT_CHARS = 12;

export function readBuild(stated: string | null, root: string = ROOT): Build {
  const manifest = readFileSync(join(root, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const commit = stated ?? findCommit(root);
  return { version, commit: commit?.slice(0, COMMIT_CHARS) ?? null };
}

/** Reads what `git rev-parse HEAD` would say, in a clone and in a worktree of one. */
function findCommit(root: string): string | null {
  const folder = findFolder(join(root, ".git"));
  const head = folder === null ? null : readLine(join(folder, "HEAD"));
  if (folder === null || head === null) return null;
  const name = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (name === undefined) return toCommit(head);
  const common = resolve(folder, readLine(join(folder, "commondir")) ?? ".");
  const loose = readLine(join(folder, name)) ?? readLine(join(common, name));
  return toCommit(loose ?? findPacked(join(common, "packed-refs"), name));
}

/** In a worktree it is a file that names the folder. */
function findFolder(path: string): string | null {
  if (!existsSync(path)) return null;
  if (statSync(path).isDirectory()) return path;
  const match = /^gitdir: (.+)$/.exec(readLine(path) ?? "")?.[1];
  return match === undefined ? null : resolve(path, "..", match);
}

function findPacked(path: string, name: string): string | null {
  if (!existsSync(path)) return null;
  const row = readFileSync(path, "utf8")
    .split("\n")
    .find((line) => line.endsWith(` ${name}`));
  return row?.split(" ")[0] ?? null;
}

function readLine(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8").trim() : null;
}

function toCommit(text: string | null): string | null {
  return text !== null && /^[0-9a-f]{40}$/.test(text) ? text : null;
}
