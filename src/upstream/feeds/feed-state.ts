/**
 * The one writer of what is known of a system. Whatever was requested ends in one of these methods;
 * readers get the view, and plan.ts says what is to be done next.
 *
 * Invariants:
 * - a failure has been counted: `failure` implies `failures > 0`;
 * - validators and hash of a file are there only while what was made of that body, from that URL, is
 *   held; else the next body must come whole;
 * - a static pack is replaced only together with all parts laid out against it, and only after the
 *   sink has accepted it;
 * - no part is held of a file that is not offered, as of the last change of the shard.
 */
import type { SystemInfo } from "#stations/entities.ts";
import type { Failure } from "#kit/outcome.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { Clock, FeedMemo, Random } from "#ports.ts";
import {
  FEED_FILES,
  type FeedFile,
  type FeedProtocol,
  type FileReport,
  LIVE_FILES,
  STATIC_FILES,
} from "#stations/feed.ts";
import { backoff_ms, jittered } from "#upstream/feeds/backoff.ts";
import type { Handover } from "#upstream/feeds/handover.ts";
import { type Body, revalidated, type ShardPatch, withParts } from "#upstream/feeds/feed-packs.ts";
import type { FeedSystem } from "#upstream/feeds/feed-types.ts";
import {
  createRecord,
  type FeedDiscovery,
  type FeedRecord,
  type FeedView,
  type PartFile,
  staticsKeyOf,
  type Target,
  TARGETS,
} from "#upstream/feeds/feed-view.ts";

const BACKOFF_MS = { first: 5_000, max: 300_000 } as const;
/** A caller may have a failed file requested again this soon, however long the background waits. */
const DEMAND_RETRY_MS = 5_000;
const SURVEY_BACKOFF_MS = { first: 30_000, max: 3_600_000 } as const;
/** A known place is looked for again this often. */
export const SURVEY_LIFE_MS = 86_400_000;
/** Alerts are read at the pace of the street: a closed station matters now. */
const PACE: Partial<Record<FeedFile, FeedFile>> = { system_alerts: "station_status" };
const NO_FILES: Failure = { status: "error", reason: "no_files" };

/** A body and what was found in it. */
export type ReadFile = { body: Body; report: FileReport };

/** A new static pack, shown already, with the files it was made of. */
export type Load = {
  shard: Shard;
  info: SystemInfo | null;
  statics_key: string;
  files: Partial<Record<FeedFile, ReadFile>>;
};

export class FeedState {
  readonly #record: FeedRecord;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(record: FeedRecord, { clock, random }: { clock: Clock; random: Random }) {
    this.#record = record;
    this.#clock = clock;
    this.#random = random;
  }

  /** Always the same object. */
  get view(): FeedView {
    return this.#record;
  }

  /** The publisher is elsewhere: nothing it said there holds, but its data are shown until then. */
  moved(system: FeedSystem, protocol: FeedProtocol): void {
    Object.assign(this.#record, { system, protocol, discovery: null, memo: null });
  }

  /** A refresh begins. */
  attempted(): void {
    this.#record.last_attempt_at_ms = this.#clock.now();
  }

  requested(file: FeedFile): void {
    this.#record.files[file].requested_at_ms = this.#clock.now();
  }

  /** After a fault of our own nothing was marked and everything is due: without a pause it would spin. */
  paused(for_ms: number): void {
    this.#record.paused_until_ms = this.#clock.now() + for_ms;
  }

  failed(target: Target, failure: Failure): Failure {
    const file = this.#record.files[target];
    const now_ms = this.#clock.now();
    file.failures++;
    file.failure = failure;
    const wait_ms = backoff_ms(this.#random, file.failures, BACKOFF_MS);
    file.due_at_ms = Math.max(now_ms + wait_ms, failure.retry_at_ms ?? 0);
    file.retry_at_ms = failure.retry_at_ms ?? now_ms + Math.min(wait_ms, DEMAND_RETRY_MS);
    this.#record.errors.add(now_ms, false);
    return failure;
  }

  /** It answered well, which changes nothing of what is held. */
  recovered(target: Target): void {
    clearFailure(this.#record.files[target]);
    this.#record.errors.add(this.#clock.now(), true);
  }

  /** The publisher does not have this optional file after all. */
  absent(file: FeedFile): void {
    Object.assign(this.#record.files[file], { absent: true, failure: null, failures: 0 });
  }

  /** What was made of an absent file is no longer held. */
  dropped(file: PartFile): void {
    forgetBody(this.#record.files[file]);
    this.#patch({});
  }

  /** The same bytes came again, under these validators. */
  sameBytes(file: FeedFile, { etag, last_modified }: Body): void {
    Object.assign(this.#record.files[file], { etag, last_modified });
  }

  /** A file was good at this time, and is held as it is. */
  confirmed(file: FeedFile, at_ms: number): void {
    this.#good(file, at_ms);
  }

  /** The same of a part of the shard, whose age begins again. */
  confirmedPart(file: PartFile, at_ms: number): void {
    this.#good(file, at_ms);
    this.#patch(revalidated(this.#record.shard!, file, at_ms));
  }

  /** A new body has become a part of the shard. */
  readPart(file: FeedFile, read: ReadFile, patch: ShardPatch): void {
    rememberBody(this.#record.files[file], read);
    this.#good(file, read.body.at_ms);
    this.#patch(patch);
  }

  /** A new static pack is shown; files it was not made of are no longer held. */
  loaded({ shard, info, statics_key, files }: Load): void {
    const loaded_at_ms = this.#clock.now();
    Object.assign(this.#record, { shard, info, statics_key, loaded_at_ms });
    for (const file of [...STATIC_FILES, ...LIVE_FILES]) {
      const read = files[file];
      if (!read) {
        forgetBody(this.#record.files[file]);
        continue;
      }
      rememberBody(this.#record.files[file], read);
      this.#good(file, read.body.at_ms);
    }
  }

  /** New static files could not be taken over: the old pack stays, and they are looked at later. */
  postponedStatics(): void {
    const { files, protocol } = this.#record;
    const later_ms = this.#clock.now() + protocol.nextPoll_s("station_information", 1) * 1000;
    for (const file of STATIC_FILES)
      files[file].due_at_ms = Math.max(files[file].due_at_ms, later_ms);
  }

  /** New places may hold what the old ones did not; other static files mean another pack. */
  discovered(discovery: FeedDiscovery): void {
    const record = this.#record;
    record.discovery = discovery;
    for (const file of FEED_FILES) record.files[file].absent = false;
    if (record.shard && record.statics_key !== staticsKeyOf(record))
      for (const file of STATIC_FILES) record.files[file].due_at_ms = 0;
  }

  /** Names in other languages than that of the files. */
  named(names: readonly string[]): void {
    const { discovery } = this.#record;
    if (discovery) this.#record.discovery = { ...discovery, names };
  }

  /** Places are guessed, for want of a discovery. Its failures stay counted, for the back-off. */
  guessed(discovery: FeedDiscovery): void {
    this.#record.files.discovery.failure = null;
    this.discovered(discovery);
  }

  /** The discovery failed, and the one that is held is used on: files move rarely. */
  keptDiscovery(failure: Failure, due_at_ms: number): void {
    this.failed("discovery", failure);
    this.#record.discovery = { ...this.#record.discovery!, due_at_ms };
  }

  /** Neither where the discovery says nor where files usually are: the discovery's own failure. */
  foundNothing(): Failure {
    const failure = this.#record.discovery?.guessed_for ?? NO_FILES;
    this.#record.discovery = null;
    return this.failed("discovery", failure);
  }

  /** Its files were read for its place, and not kept. */
  sighted(info: SystemInfo | null): void {
    this.#record.info = info ?? this.#record.info;
    this.#record.last_success_at_ms = this.#clock.now();
  }

  located(memo: FeedMemo): void {
    this.#record.memo = memo;
    this.#record.is_lost = false;
  }

  lost(is_lost: boolean): void {
    this.#record.is_lost = is_lost;
  }

  surveyDue(due_at_ms: number): void {
    this.#record.survey = { ...this.#record.survey, due_at_ms };
  }

  /** Counted as a failure until it has ended, so that a fault of our own counts as one. */
  surveyBegun(): void {
    const failures = this.#record.survey.failures + 1;
    const wait_ms = backoff_ms(this.#random, failures, SURVEY_BACKOFF_MS);
    this.#record.survey = { due_at_ms: this.#clock.now() + wait_ms, failures };
  }

  surveyEnded(failure: Failure | null): void {
    const failures = failure ? this.#record.survey.failures : 0;
    const wait_ms = failure
      ? backoff_ms(this.#random, failures, SURVEY_BACKOFF_MS)
      : jittered(this.#random, SURVEY_LIFE_MS);
    const due_at_ms = Math.max(this.#clock.now() + wait_ms, failure?.retry_at_ms ?? 0);
    this.#record.survey = { due_at_ms, failures };
  }

  /** Shortens a back-off that has grown beyond the first one; false: it has not. */
  surveySoon(): boolean {
    const soon_ms = this.#clock.now() + SURVEY_BACKOFF_MS.first;
    const { due_at_ms, failures } = this.#record.survey;
    if (failures === 0 || due_at_ms <= soon_ms) return false;
    this.surveyDue(soon_ms);
    return true;
  }

  /**
   * Takes over what another replica has read, as if it had been read here; without a shard, what was
   * read here stays. The memo is taken over apart, by `located`.
   */
  adopted({ facts, errors, discovery, shard }: Handover): void {
    const { files, memo: _memo, ...rest } = facts;
    for (const target of TARGETS) Object.assign(this.#record.files[target], files[target]);
    Object.assign(this.#record, rest, { discovery });
    this.#record.errors.restore(errors);
    if (shard) this.#record.shard = shard;
  }

  #good(name: FeedFile, at_ms: number): void {
    const file = this.#record.files[name];
    clearFailure(file);
    const poll_s = this.#record.protocol.nextPoll_s(PACE[name] ?? name, file.ttl_s);
    file.due_at_ms = at_ms + jittered(this.#random, poll_s * 1000);
    this.#record.last_success_at_ms = at_ms;
    this.#record.errors.add(this.#clock.now(), true);
  }

  #patch(patch: ShardPatch): void {
    const { shard } = this.#record;
    if (shard) this.#record.shard = withParts(this.#record, { ...shard, ...patch });
  }
}

type FileRecord = FeedRecord["files"][Target];

function clearFailure(file: FileRecord): void {
  Object.assign(file, { failures: 0, failure: null, retry_at_ms: 0 });
}

/** The body has been read and is held: a newer one is requested by its validators. */
function rememberBody(file: FileRecord, { body, report }: ReadFile): void {
  const { hash, etag, last_modified, url } = body;
  const ttl_s = report.ok ? report.ttl_s : null;
  Object.assign(file, { hash, etag, last_modified, url, ttl_s });
}

function forgetBody(file: FileRecord): void {
  Object.assign(file, { hash: null, etag: null, last_modified: null, url: null });
}

export function newFeedState(
  system: FeedSystem,
  protocol: FeedProtocol,
  deps: { clock: Clock; random: Random; memo?: FeedMemo | undefined },
): FeedState {
  return new FeedState(createRecord(system, protocol, deps.memo), deps);
}
