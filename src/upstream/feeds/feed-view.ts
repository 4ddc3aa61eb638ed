/** State of one system, as everything but `FeedState` (state.ts) sees it: read only. */
import type { SystemInfo } from "#stations/entities.ts";
import type { Failure, FailureStatus } from "#kit/outcome.ts";
import type { ShardPart, Shard } from "#stations/shard/shard.ts";
import type { FeedMemo } from "#ports.ts";
import {
  FEED_FILES,
  type FeedFile,
  type FeedProtocol,
  HOURS_FILES,
  SPARE_FILES,
  STATIC_FILES,
} from "#stations/feed.ts";
import { createErrorRate, type ErrorRate } from "#upstream/feeds/error-rate.ts";
import type { FeedSystem } from "#upstream/feeds/feed-types.ts";

/** Target of a request that can fail. */
export type Target = FeedFile | "discovery";

export const TARGETS: readonly Target[] = ["discovery", ...FEED_FILES];

/** Files that become a part of the shard with an age, and the members they become. */
export const PART_FILES = ["station_status", "vehicle_status", "system_alerts"] as const;
export type PartFile = (typeof PART_FILES)[number];
export const PART_KEYS = {
  station_status: "status",
  vehicle_status: "vehicles",
  system_alerts: "alerts",
} as const satisfies Record<PartFile, keyof Shard>;

export type FileRecord = {
  /** Of the last accepted body; validators and hash hold for this URL alone. */
  url: string | null;
  etag: string | null;
  last_modified: string | null;
  hash: string | null;
  /** As published; null: the publisher says nothing usable. */
  ttl_s: number | null;
  /** Listed, or guessed, and not there: not requested again until the discovery is renewed. */
  absent: boolean;
  /** When it was last requested: at the earliest, not counting the wait for its host. */
  requested_at_ms: number;
  /** When it is requested in the background. */
  due_at_ms: number;
  /** A caller may have it requested from then on: earlier than `due_at_ms` after a failure. */
  retry_at_ms: number;
  /** In a row. */
  failures: number;
  failure: Failure | null;
};

export type FeedDiscovery = {
  feeds: ReadonlyMap<string, string>;
  /** Names of the system in languages of which no other file is read; absent: none was read. */
  names?: readonly string[];
  due_at_ms: number;
  /** Why the files' places are guessed (mobility.md 1.12 #20); null: they are published. */
  guessed_for: Failure | null;
};

export type FeedRecord = {
  system: FeedSystem;
  protocol: FeedProtocol;
  readonly files: Record<Target, FileRecord>;
  readonly errors: ErrorRate;
  discovery: FeedDiscovery | null;
  shard: Shard | null;
  info: SystemInfo | null;
  /** Which files the static pack was made of: another set means another pack. */
  statics_key: string | null;
  loaded_at_ms: number;
  memo: FeedMemo | null;
  /** Nothing suggests where it is (suspect.ts). */
  is_lost: boolean;
  /** When its place is looked for again, and how often in a row that has failed. */
  survey: { due_at_ms: number; failures: number };
  /** After a fault of our own, no poll before. */
  paused_until_ms: number;
  last_success_at_ms: number | null;
  last_attempt_at_ms: number | null;
};

export type FeedView = Readonly<Omit<FeedRecord, "files" | "errors" | "survey" | "discovery">> & {
  readonly files: Readonly<Record<Target, Readonly<FileRecord>>>;
  readonly errors: Pick<ErrorRate, "read" | "steps">;
  readonly survey: Readonly<FeedRecord["survey"]>;
  readonly discovery: Readonly<FeedDiscovery> | null;
};

/** A system of which nothing has been read. A memo of another URL does not count. */
export function createRecord(
  system: FeedSystem,
  protocol: FeedProtocol,
  memo?: FeedMemo,
): FeedRecord {
  const files = Object.fromEntries(TARGETS.map((target) => [target, createFile()]));
  return {
    system,
    protocol,
    files: files as Record<Target, FileRecord>,
    errors: createErrorRate(),
    discovery: null,
    shard: null,
    info: null,
    statics_key: null,
    loaded_at_ms: 0,
    memo: memo?.url === system.url ? memo : null,
    is_lost: false,
    survey: { due_at_ms: 0, failures: 0 },
    paused_until_ms: 0,
    last_success_at_ms: null,
    last_attempt_at_ms: null,
  };
}

function createFile(): FileRecord {
  return {
    url: null,
    etag: null,
    last_modified: null,
    hash: null,
    ttl_s: null,
    absent: false,
    requested_at_ms: 0,
    due_at_ms: 0,
    retry_at_ms: 0,
    failures: 0,
    failure: null,
  };
}

/** Reports whether the publisher offers this file, as far as we know. */
export function offers({ discovery, files }: FeedView, file: FeedFile): boolean {
  return (discovery?.feeds.has(file) ?? false) && !files[file].absent;
}

export function offeredOf<F extends FeedFile>(view: FeedView, files: readonly F[]): F[] {
  return files.filter((file) => offers(view, file));
}

export function partOf(shard: Shard | null, file: PartFile): ShardPart<unknown> | null {
  return shard?.[PART_KEYS[file]] ?? null;
}

/** Names the files a static pack is made of: of those `read`, else of those offered. */
export function staticsKeyOf(view: FeedView, read?: ReadonlySet<FeedFile>): string {
  const files = read
    ? STATIC_FILES.filter((file) => read.has(file))
    : offeredOf(view, STATIC_FILES);
  const made_of = files.filter((file) => !isMissing(view, file));
  return [...made_of, offers(view, "vehicle_status")].join();
}

/** Files of hours that are offered and fail: what they would say is unknown, and nothing waits for it. */
export function missingHours(view: FeedView): FeedFile[] {
  return offeredOf(view, HOURS_FILES).filter((file) => view.files[file].failure !== null);
}

function isMissing({ files }: FeedView, file: FeedFile): boolean {
  const isSpare = (SPARE_FILES as readonly FeedFile[]).includes(file);
  return isSpare && files[file].failure !== null && files[file].hash === null;
}

/** R14, mobility.md 1.12 #21: a refusal matters more than slowness. */
const SEVERITY: Record<FailureStatus, number> = {
  unauthorized: 3,
  unavailable: 2,
  error: 1,
  timeout: 0,
};

/** The worst current failure among these, its reason given as `<file>:<token>`. */
export function worstFailure(
  { files }: FeedView,
  targets: readonly Target[] = TARGETS,
): Failure | null {
  let worst: Failure | null = null;
  for (const target of targets) {
    const { failure } = files[target];
    if (!failure || (worst && SEVERITY[worst.status] >= SEVERITY[failure.status])) continue;
    worst = { ...failure, reason: `${target}:${failure.reason}` };
  }
  return worst;
}
