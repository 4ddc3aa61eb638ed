/**
 * What a release consists of, as texts: description, changelog and page, and what is kept of them
 * under `releases/`. Nothing is written here, so that a refused release leaves nothing behind.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatJudgement } from "#cli/print/print-changelog.ts";
import { findLastRelease, readJsonFile, RELEASE_FILES, releasedFiles } from "#cli/releases.ts";
import type { ChangelogDocument } from "#api/changelog.ts";
import { judgeRelease, type Released, versionOf } from "#release/changelog/release-gate.ts";
import { isEqual } from "#release/description/schema-nodes.ts";
import { toChangelogPage } from "../pages/changelog.ts";

export type Prepared =
  | { ok: true; api_version: string; files: Readonly<Record<string, string>>; report: string }
  | { ok: false; report: string };

/** `describe`: the text of the description as the code has it. */
export function prepareRelease(
  root: string,
  { describe, now_ms }: { describe: () => string; now_ms: number },
): Prepared {
  const text = describe();
  const description: unknown = JSON.parse(text);
  const released = findLastRelease(root);
  const entries = readJsonFile(join(root, RELEASE_FILES.entries));
  const changelog = touch(entries, released, now_ms);
  const judgement = judgeRelease({ changelog, description, released, now_ms });
  const api_version = String(versionOf(description));
  const about = { released, api_version, entries: changelog?.entries?.length ?? 0 };
  const report = formatJudgement(judgement, about);
  if (!judgement.ok || changelog === null) return { ok: false, report };
  const stored = releasedFiles(api_version);
  const document = toText(changelog);
  const files = {
    [RELEASE_FILES.description]: text,
    [RELEASE_FILES.entries]: document,
    [RELEASE_FILES.page]: toChangelogPage(changelog, changelog),
    [stored.description]: text,
    [stored.changelog]: document,
  };
  return { ok: true, api_version, files, report };
}

/** `updated_at` moves when the content differs from what was released, and only then. */
function touch(
  entries: unknown,
  released: Released | null,
  now_ms: number,
): ChangelogDocument | null {
  if (typeof entries !== "object" || entries === null) return null;
  const document = entries as ChangelogDocument;
  const last = released?.changelog;
  const updated_at =
    last && isEqual(last.entries, document.entries)
      ? last.updated_at
      : new Date(now_ms).toISOString();
  return { ...document, updated_at };
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Writes what differs; returns those paths. */
export function writeFiles(root: string, files: Readonly<Record<string, string>>): string[] {
  const differing = Object.entries(files).filter(([path, text]) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, "utf8") !== text;
  });
  for (const [path, text] of differing) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return differing.map(([path]) => path);
}
