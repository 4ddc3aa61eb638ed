/** Files that a benchmark hands to its contenders. */
import { readFileSync, writeFileSync } from "node:fs";

export function writeJson(path: string, value: unknown): string {
  writeFileSync(path, JSON.stringify(value));
  return path;
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}
