/** The archive of a feed, when it has changed: a file of the operator, or one that is fetched. */
import { createHash } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { guard, type NoteFault } from "#kit/guard.ts";
import type { FeedSource } from "#transit/archive/open-archive.ts";
import { FETCHED, fetchBounds } from "#transit/gtfs/gtfs-bounds.ts";
import type { RunRequest } from "#upstream/run.ts";
import type { FeedOrigin } from "./feed-origin.ts";

/** Bounds of archives that are fetched, and where large ones lie until they are imported. */
type FetchSettings = {
  archive_bytes: number;
  unpacked_bytes: number;
  /** null: in memory. */
  folder: string | null;
};

export type FindDeps = {
  run: RunRequest;
  /** Receives what our own code throws. */
  onFault: NoteFault;
  timeout_ms: number;
  /** Absent: as the configuration has it by default, in memory. */
  fetched?: FetchSettings;
};

/** Validators of an archive that need not come again. */
type Validators = { etag: string | null; last_modified: string | null };

type FeedWish = { origin: FeedOrigin; row: Validators | undefined; signal: AbortSignal };

export type FoundArchive = {
  source: FeedSource;
  /** A file that only this import needs. */
  saved?: string;
  etag: string | null;
  last_modified: string | null;
};

export type Look = FoundArchive | "same" | { failure: string };

/** `row`: what is known of the archive already. */
export function findArchive(deps: FindDeps, wish: FeedWish): Promise<Look> {
  const { path } = wish.origin;
  return path === null ? fetchFeed(deps, wish) : findFile(path, wish.row);
}

async function findFile(path: string, row: Validators | undefined): Promise<Look> {
  const etag = await guard(
    () => stampOf(path),
    () => null,
  );
  if (etag === null) return { failure: "no_such_file" };
  if (row?.etag === etag) return "same";
  return { source: { path }, etag, last_modified: null };
}

/** Stamps a folder by every file in it: its own time does not change when one of them does. */
async function stampOf(path: string): Promise<string> {
  const names = await guard(
    () => readdir(path),
    () => [],
  );
  const paths = [path, ...names.map((name) => join(path, name))];
  const stamps = paths.map(async (each) => {
    const { mtimeMs, size } = await stat(each);
    return `${mtimeMs}-${size}`;
  });
  return (await Promise.all(stamps)).join(" ");
}

async function fetchFeed(
  deps: FindDeps,
  { origin: { id, url, strict = false }, row, signal }: FeedWish,
): Promise<Look> {
  if (url === null) return { failure: "not_configured" };
  const { run, timeout_ms } = deps;
  const { archive_bytes: max_bytes } = settingsOf(deps);
  const { etag = null, last_modified = null } = row ?? {};
  const save_to = await placeFor(deps, id);
  const request = { url, timeout_ms, etag, last_modified, max_bytes, strict };
  const outcome = await run({ ...request, ...(save_to !== null && { save_to }) }, { signal });
  const { value } = outcome.status === "ok" ? outcome : {};
  if (save_to !== null && !(value?.kind === "body" && value.saved))
    await forgetSaved(deps, save_to);
  if (outcome.status !== "ok") return { failure: outcome.reason };
  if (value?.kind !== "body")
    return value?.kind === "refused" ? { failure: value.failure.reason } : "same";
  const { body: bytes, saved, etag: tag, last_modified: changed } = value;
  const found = { etag: tag, last_modified: changed };
  return saved === undefined
    ? { source: { bytes }, ...found }
    : { source: { path: saved }, saved, ...found };
}

/** Name of the file for a feed's archive, where none lies; null: it stays in memory. */
async function placeFor(deps: FindDeps, feed_id: string): Promise<string | null> {
  const { folder } = settingsOf(deps);
  if (folder === null) return null;
  const path = join(folder, `${createHash("sha256").update(feed_id).digest("hex")}.zip`);
  await forgetSaved(deps, path);
  return path;
}

/** Whatever becomes of an import, its archive does not stay; at the next one it would go at the latest. */
export async function forgetSaved(
  { onFault }: Pick<FindDeps, "onFault">,
  path: string,
): Promise<void> {
  await guard(
    () => rm(path, { force: true }),
    (error) => onFault("timetables", error),
  );
}

function settingsOf({ fetched }: Pick<FindDeps, "fetched">): FetchSettings {
  return fetched ?? { ...FETCHED, folder: null };
}

/** What an archive of another may hold; a file of the operator is bounded by memory alone. */
export function boundsOf(deps: Pick<FindDeps, "fetched">): ReturnType<typeof fetchBounds> {
  return fetchBounds(settingsOf(deps).unpacked_bytes);
}

/** Lets go of archives whose import has not ended with its process. */
export async function clearSaved(deps: Pick<FindDeps, "fetched" | "onFault">): Promise<void> {
  const { folder } = settingsOf(deps);
  if (folder === null) return;
  await guard(
    () => rm(folder, { recursive: true, force: true }),
    (error) => deps.onFault("timetables", error),
  );
}
