/** The files of releases: `openapi.json` and `changelog.json` in `releases/<api_version>`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { API_VERSION_PATTERN, type ChangelogDocument } from "#api/changelog.ts";
import type { Released } from "#release/changelog/release-gate.ts";
import { compareVersions } from "#release/changelog/versions.ts";
import { parseJson } from "#kit/json.ts";

/** The folder of the package. */
export const PACKAGE_ROOT = fileURLToPath(new URL("../../", import.meta.url));

export const RELEASE_FILES = {
  entries: "changelog/entries.json",
  description: "openapi.json",
  page: "CHANGELOG.md",
} as const;

export function releasedFiles(api_version: string): { description: string; changelog: string } {
  const folder = `releases/${api_version}`;
  return { description: `${folder}/openapi.json`, changelog: `${folder}/changelog.json` };
}

/** The release of the highest version; null: there was none. */
export function findLastRelease(root: string): Released | null {
  const folder = join(root, "releases");
  const pattern = new RegExp(API_VERSION_PATTERN);
  const versions = existsSync(folder)
    ? readdirSync(folder).filter((name) => pattern.test(name))
    : [];
  const api_version = versions.sort(compareVersions).at(-1);
  if (api_version === undefined) return null;
  const files = releasedFiles(api_version);
  return {
    api_version,
    description: readJsonFile(join(root, files.description)),
    changelog: existsSync(join(root, files.changelog))
      ? (readJsonFile(join(root, files.changelog)) as ChangelogDocument)
      : null,
  };
}

/** Throws as the file system does; text that is not JSON is undefined. */
export function readJsonFile(path: string): unknown {
  return parseJson(readFileSync(path, "utf8"));
}
