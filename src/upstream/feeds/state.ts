/**
 * What the runtime remembers of one system: its files with their validators, failures and due
 * times, its discovery, its shard, and the flight in the air.
 */
import type { SystemInfo } from "#core/entities.ts";
import type { Failure, Outcome } from "#core/outcome.ts";
import type { Shard } from "#core/shard/shard.ts";
import type { FeedMemo, RefreshResult } from "#ports.ts";
import { FEED_FILES, type FeedFile, type FeedProtocol } from "#providers/provider.ts";
import type { Fleet } from "#upstream/feeds/fleet.ts";
import { createErrorRate, type ErrorRate } from "#upstream/feeds/error-rate.ts";
import type { HostLimit } from "#upstream/feeds/host-limit.ts";
import type { Quota } from "#upstream/feeds/quota.ts";
import type { FeedDeps, FeedSystem } from "#upstream/feeds/types.ts";
import type { Fetched } from "#upstream/run.ts";

/** Everything that is asked for and can fail. */
export type Target = FeedFile | "discovery";

type FileState = {
  /** Of the last accepted body; validators and hash hold for this URL alone. */
  url: string | null;
  etag: string | null;
  last_modified: string | null;
  hash: string | null;
  /** As published; null: the publisher says nothing usable. */
  ttl_s: number | null;
  /** Listed, or guessed, and not there: not asked again until the discovery is renewed. */
  absent: boolean;
  /** When it was last asked for: at the earliest, not counting the wait for its host. */
  asked_at_ms: number;
  /** When it is asked for in the background. */
  due_at_ms: number;
  /** A question may have it asked for from then on: earlier than `due_at_ms` after a failure. */
  gate_at_ms: number;
  failures: number;
  failure: Failure | null;
};

export type { FeedSystem };

export type Discovery = {
  feeds: ReadonlyMap<string, string>;
  due_at_ms: number;
  /** Why the files' places are guessed (mobility.md 1.12 #20); null: they are published. */
  guessed_for: Failure | null;
};

export type Flight = {
  /** What it brings was asked for no earlier than this. */
  begun_at_ms: number;
  /** It asks for all live files, so that a question may join it. */
  full: boolean;
  /** Aborted when a question waits for it, which no store may hold up. */
  hurry: AbortController;
  result: Promise<RefreshResult>;
  /** The slot is free again: what came has been handed over, where there is a fleet. */
  over: Promise<unknown>;
};

/** Where a system stands with what the fleet has published of it. */
export type Link = {
  /** What it is called at the exchange. */
  readonly name: string;
  /** Of the publication that is held here, be it another's or our own. */
  version: number;
  /** Of the last that was told, and how often something was. */
  heard: number;
  rings: number;
  /** Something was read here that is not published. */
  ahead: boolean;
  /** The last publication is our own: it is we who fly first when something is due. */
  own: boolean;
  /** Called when something is told while a flight waits for it. */
  bell: (() => void) | null;
};

export type SystemState = {
  system: FeedSystem;
  readonly files: Record<Target, FileState>;
  readonly errors: ErrorRate;
  discovery: Discovery | null;
  shard: Shard | null;
  info: SystemInfo | null;
  /** Which files the static pack was made of: another set means another pack. */
  statics_key: string | null;
  loaded_at_ms: number;
  memo: FeedMemo | null;
  /** Nobody can say where it is (suspect.ts). */
  lost: boolean;
  /** When its place is looked for again, and how often in a row that has failed. */
  survey: { due_at_ms: number; failures: number };
  /** After a fault of our own, no poll before. */
  paused_until_ms: number;
  awake: boolean;
  asked_at_ms: number;
  cancel_timer: (() => void) | null;
  flight: Flight | null;
  queued: { since_ms: number; result: Promise<RefreshResult> } | null;
  /** null: there is no fleet. */
  link: Link | null;
  /** Why rows of each file were dropped, as last said. */
  said: Map<FeedFile, string>;
  /** Requests in the air whose answer several files share, by address and validators. */
  shared: Map<string, Promise<Outcome<Fetched>>>;
  last_success_at_ms: number | null;
  last_attempt_at_ms: number | null;
};

/** What the parts of the runtime share. */
export type Context = Omit<FeedDeps, "systems" | "exchange" | "limiter"> & {
  /** null: alone. */
  fleet: Fleet | null;
  limit: HostLimit;
  quota: Quota;
  signal: AbortSignal;
  /** Flights and surveys in the air. */
  air: Set<Promise<unknown>>;
};

export const TARGETS: readonly Target[] = ["discovery", ...FEED_FILES];

export function createState(system: FeedSystem, memo?: FeedMemo): SystemState {
  const files = Object.fromEntries(TARGETS.map((target) => [target, createFile()]));
  return {
    system,
    files: files as Record<Target, FileState>,
    errors: createErrorRate(),
    discovery: null,
    shard: null,
    info: null,
    statics_key: null,
    loaded_at_ms: 0,
    // A memo of another URL is none.
    memo: memo?.url === system.url ? memo : null,
    lost: false,
    survey: { due_at_ms: 0, failures: 0 },
    paused_until_ms: 0,
    awake: false,
    asked_at_ms: 0,
    cancel_timer: null,
    flight: null,
    queued: null,
    link: null,
    said: new Map(),
    shared: new Map(),
    last_success_at_ms: null,
    last_attempt_at_ms: null,
  };
}

function createFile(): FileState {
  return {
    url: null,
    etag: null,
    last_modified: null,
    hash: null,
    ttl_s: null,
    absent: false,
    asked_at_ms: 0,
    due_at_ms: 0,
    gate_at_ms: 0,
    failures: 0,
    failure: null,
  };
}

/** Does the publisher offer this file, as far as we know? */
export function offers(state: SystemState, file: FeedFile): boolean {
  return (state.discovery?.feeds.has(file) ?? false) && !state.files[file].absent;
}

export function offeredOf<F extends FeedFile>(state: SystemState, files: readonly F[]): F[] {
  return files.filter((file) => offers(state, file));
}

export function protocolOf(ctx: Context, state: SystemState): FeedProtocol {
  return state.system.protocol ?? ctx.protocol;
}
