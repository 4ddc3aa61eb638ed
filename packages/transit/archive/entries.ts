/**
 * Rules for the entries of an archive (mobility.md 3.3; reliability 4.6): names that stay inside,
 * sizes and ratios that a timetable has, entries that do not share bytes. Judged from the directory,
 * before anything is unpacked.
 */
import { checkInflation, Inflation } from "#kit/inflation.ts";
import { problem } from "#kit/problem.ts";
import { quoted } from "#kit/run/run-problem.ts";

/** An opened feed, be it a zip archive or a folder. */
export type Archive = {
  /** By lower-case name, without a folder. */
  files: ReadonlyMap<string, ArchiveFile>;
  close(): Promise<void>;
};

export type ArchiveFile = { size: number; chunks(): AsyncIterable<Uint8Array> };
export type Limits = {
  /** Unpacked, of one file and of all. */
  file_bytes: number;
  total_bytes: number;
  entries: number;
  /** Unpacked bytes per packed byte, asked of files above `ratio_from_bytes`. */
  ratio: number;
  ratio_from_bytes: number;
};

/** Of any feed. How large a file of an operator may be follows from the memory that it takes. */
export const DEFAULT_LIMITS: Limits = {
  file_bytes: Infinity,
  total_bytes: Infinity,
  entries: 2_000,
  ratio: 200,
  ratio_from_bytes: 16 * 1024 ** 2,
};

export type ArchiveEntry = {
  /** With `/` between folders, as in the archive otherwise. */
  name: string;
  /** Unpacked and packed. */
  size: number;
  packed: number;
  /** Where its part of the archive begins, and at least how long it is. */
  offset: number;
  span: number;
  encrypted: boolean;
};

/** Throws a problem for the first entry that must not be there. */
export function checkEntries(entries: readonly ArchiveEntry[], limits: Limits): void {
  const names = new Set<string>();
  const { ratio, ratio_from_bytes, total_bytes } = limits;
  const all = new Inflation("zip archive", { ratio, ratio_from_bytes, bytes: total_bytes });
  for (const entry of entries) {
    checkEntry(entry, limits);
    const name = entry.name.toLowerCase();
    if (names.has(name)) throw problem(`zip archive: ${quoted(entry.name)} twice`);
    names.add(name);
    all.add({ packed: entry.packed, unpacked: entry.size });
  }
  checkOverlap(entries);
}

function checkEntry(entry: ArchiveEntry, limits: Limits): void {
  const fault = nameFault(entry.name) ?? (entry.encrypted ? "is encrypted" : null);
  if (fault !== null) throw problem(`zip archive: ${quoted(entry.name)} ${fault}`);
  const { ratio, ratio_from_bytes, file_bytes } = limits;
  checkInflation(
    `zip archive: ${quoted(entry.name)}`,
    { ratio, ratio_from_bytes, bytes: file_bytes },
    { packed: entry.packed, unpacked: entry.size },
  );
}

function nameFault(name: string): string | null {
  if (name === "") return "has no name";
  if (/\p{Cc}/u.test(name)) return "has control characters in its name";
  if (name.startsWith("/")) return "has an absolute name";
  if (/^[a-z]:/i.test(name)) return "has a drive in its name";
  return name.split("/").includes("..") ? "leads out of the archive" : null;
}

/** Archives that unpack to far more than they could hold share the same bytes between entries. */
function checkOverlap(entries: readonly ArchiveEntry[]): void {
  const ordered = entries.toSorted((a, b) => a.offset - b.offset);
  for (const [i, entry] of ordered.entries()) {
    const next = ordered[i + 1];
    if (next !== undefined && entry.offset + entry.span > next.offset)
      throw problem(`zip archive: ${quoted(entry.name)} and ${quoted(next.name)} share bytes`);
  }
}

/** The names that are no part of a feed: what other systems leave behind in archives and folders. */
function isStray(path: string): boolean {
  return path.split("/").some((part) => part === "__MACOSX" || part.startsWith("."));
}

const ANCHOR = "stops.txt";

/** Files of the feed by lower-case name: at the top, or in the one folder that holds a stops.txt. */
export function findFeedFiles<E extends { name: string }>(
  entries: readonly E[],
  what: string,
): Map<string, E> {
  const usable = entries.filter(({ name }) => !name.endsWith("/") && !isStray(name));
  const anchors = usable.map(({ name }) => split(name)).filter(({ file }) => file === ANCHOR);
  const folders = anchors.map(({ folder }) => folder);
  const folder = folders.includes("") ? "" : folders[0];
  if (folder === undefined) throw problem(`${ANCHOR}: not in the ${what}`);
  if (folder !== "" && folders.length > 1)
    throw problem(`${what}: ${ANCHOR} in more than one folder`);
  const files = usable
    .map((entry) => ({ entry, ...split(entry.name) }))
    .filter((one) => one.folder === folder);
  return new Map(files.map(({ file, entry }) => [file, entry]));
}

function split(name: string): { folder: string; file: string } {
  const cut = name.lastIndexOf("/") + 1;
  return { folder: name.slice(0, cut), file: name.slice(cut).toLowerCase() };
}
