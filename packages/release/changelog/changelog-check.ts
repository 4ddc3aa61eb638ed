/**
 * The checks before a changelog is published (§4.13). Nothing here mends anything: a document is
 * published as it is written, or refused with every reason at once.
 */
import type { ChangelogDocument } from "#api/changelog.ts";
import { parseInstant } from "./dates.ts";
import { checkEntry, checkHead, isMembers, type EntryMembers } from "./entry.ts";
import { type ReleaseFinding, toFinding } from "./changelog-finding.ts";

export type CheckOptions = {
  /** Epoch milliseconds: what is later was not released. */
  now_ms: number;
  /** The changelog of the last release; null: there was none. Its entries must still be there. */
  released: ChangelogDocument | null;
};

/** Every reason to refuse, in the order of the document; empty: it may be published. */
export function checkChangelog(document: unknown, options: CheckOptions): ReleaseFinding[] {
  if (!isMembers(document))
    return [toFinding("invalid_document", null, "must be an object with entries")];
  const head = checkHead(document, options.now_ms);
  if (!Array.isArray(document["entries"])) return head;
  const entries = document["entries"] as unknown[];
  const names = entries.map(toName);
  return [
    ...head,
    ...entries.flatMap((entry, at) => checkEntry(entry, names[at] as string, options.now_ms)),
    ...findDuplicates(entries),
    ...findDisorder(entries, names),
    ...findStaleUpdate(document, entries),
    ...findRemoved(entries, options.released),
  ];
}

function toName(entry: unknown, at: number): string {
  const id = idOf(entry);
  return id === null || id === "" ? `entries[${at}]` : id;
}

function findDuplicates(entries: readonly unknown[]): ReleaseFinding[] {
  const seen = new Set<string>();
  return entries.flatMap((entry, at) => {
    const id = idOf(entry);
    if (id === null) return [];
    // Two ids that differ in letter case alone are no two ids.
    const key = id.toLowerCase();
    if (seen.has(key)) return [toFinding("duplicate_id", id, `entries[${at}] repeats this id`)];
    seen.add(key);
    return [];
  });
}

/** Newest first; entries of one moment may be in any order. */
function findDisorder(entries: readonly unknown[], names: readonly string[]): ReleaseFinding[] {
  return entries.flatMap((entry, at) => {
    const [before, here] = [timeOf(entries[at - 1]), timeOf(entry)];
    if (before === null || here === null || here <= before) return [];
    const name = names[at] as string;
    return [
      toFinding("invalid_order", name, `is newer than ${names[at - 1]} above it; newest first`),
    ];
  });
}

/** The content changes at the latest when its newest entry appears. */
function findStaleUpdate(document: EntryMembers, entries: readonly unknown[]): ReleaseFinding[] {
  const updated = toTime(document["updated_at"]);
  const times = entries.map(timeOf).filter((time) => time !== null);
  if (updated === null || times.every((time) => time <= updated)) return [];
  return [toFinding("stale_update", null, "updated_at is older than the newest entry")];
}

/** Ids are stable: a correction changes the wording, never the id, and nothing is taken back. */
function findRemoved(
  entries: readonly unknown[],
  released: ChangelogDocument | null,
): ReleaseFinding[] {
  const present = new Set(entries.map(idOf));
  return (released?.entries ?? [])
    .filter(({ id }) => !present.has(id))
    .map(({ id }) => toFinding("removed_entry", id, "was released and must stay, with this id"));
}

function idOf(entry: unknown): string | null {
  const id = isMembers(entry) ? entry["id"] : null;
  return typeof id === "string" ? id : null;
}

function timeOf(entry: unknown): number | null {
  return isMembers(entry) ? toTime(entry["published_at"]) : null;
}

function toTime(value: unknown): number | null {
  return typeof value === "string" ? parseInstant(value) : null;
}
