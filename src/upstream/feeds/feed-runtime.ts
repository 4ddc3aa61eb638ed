/** One system at run time: what is known of it, its publisher, and what its parts share. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { createHash, hash } from "node:crypto";
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import type { Failure, Outcome } from "#kit/outcome.ts";
import type { SourceRequest } from "#providers/provider.ts";
import type { FeedFile, FileReport } from "#stations/feed.ts";
import { FeedEvents } from "#upstream/feeds/refresh-events.ts";
import { type HostLimit, hostOf, type HostQuota } from "#upstream/feeds/host-limits.ts";
import type { Body } from "#upstream/feeds/feed-packs.ts";
import { type FeedState } from "#upstream/feeds/feed-state.ts";
import type { FeedDeps } from "#upstream/feeds/feed-types.ts";
import { detach } from "#kit/guard.ts";
import { measured } from "#upstream/feeds/work.ts";
import type { Fetched } from "#upstream/run.ts";
import { isSameSite } from "#upstream/request-site.ts";

/** Context that the systems of a runtime share. */
export type FeedContext = Omit<FeedDeps, "systems" | "exchange" | "limiter"> & {
  limit: HostLimit;
  quota: HostQuota;
  /** Aborted when the runtime closes. */
  signal: AbortSignal;
};

export type Got =
  | { kind: "failed"; failure: Failure }
  /** The publisher does not have this optional file after all. */
  | { kind: "absent" }
  /** As the last accepted one. The body is there when it was sent all the same. */
  | { kind: "same"; at_ms: number; body: Body | null }
  | { kind: "new"; body: Body };

/** Listed and 404, these are missed (mobility.md 1.2); the others MAY be absent. */
const MISSED: ReadonlySet<FeedFile> = new Set([
  "station_information",
  "station_status",
  "vehicle_status",
]);

type Validators = Pick<SourceRequest, "etag" | "last_modified">;
const NO_VALIDATORS: Validators = { etag: null, last_modified: null };

export class Feed {
  readonly ctx: FeedContext;
  readonly state: FeedState;
  readonly events: FeedEvents;
  /** Requests in flight whose answer several files share, by address and validators. */
  readonly #shared = new Map<string, Promise<Outcome<Fetched>>>();

  constructor(ctx: FeedContext, state: FeedState) {
    this.ctx = ctx;
    this.state = state;
    this.events = new FeedEvents(state.view.system.id, ctx);
  }

  now(): number {
    return this.ctx.clock.now();
  }

  /**
   * One file over the network, judged against the last accepted one. Failures are noted in the state;
   * what becomes of a body is the caller's to note.
   */
  async fetchFile(file: FeedFile, options: { conditional: boolean }): Promise<Got> {
    const { state } = this;
    const url = state.view.discovery!.feeds.get(file)!;
    const record = state.view.files[file];
    state.requested(file);
    const isKnown = options.conditional && record.url === url;
    const outcome = await this.fetch(url, FEED_BOUNDS.file_bytes, isKnown ? record : NO_VALIDATORS);
    if (outcome.status !== "ok") return this.#refused(file, outcome);
    const at_ms = outcome.fetched_at_ms;
    if (outcome.value.kind === "not_modified") return { kind: "same", at_ms, body: null };
    // Feeds never ask for the body of a refusal.
    if (outcome.value.kind === "refused") return this.#refused(file, outcome.value.failure);
    const { body: bytes, etag, last_modified } = outcome.value;
    const body = { bytes, hash: await hashOf(bytes), etag, last_modified, url, at_ms };
    if (record.url !== url || record.hash !== body.hash) return { kind: "new", body };
    state.sameBytes(file, body);
    return { kind: "same", at_ms, body };
  }

  /** Files that are one document are one request; each gets bytes of its own, to give away. */
  async fetch(
    url: string,
    max_bytes: number,
    validators: Validators = NO_VALIDATORS,
  ): Promise<Outcome<Fetched>> {
    if (!this.state.view.protocol.places) return this.#send(url, max_bytes, validators);
    const key = [url, validators.etag, validators.last_modified].join(" ");
    const running = this.#shared.get(key);
    const sent = running ?? this.#send(url, max_bytes, validators);
    this.#shared.set(key, sent);
    // However it ends: a request that has failed must not answer the next one.
    const outcome = await sent.finally(() => this.#shared.delete(key));
    if (outcome.status !== "ok" || outcome.value.kind !== "body") return outcome;
    return { ...outcome, value: { ...outcome.value, body: new Uint8Array(outcome.value.body) } };
  }

  /**
   * Shows what is held now. Resolves when its live parts are shown, so that who waits for them is answered
   * with them; null: they are. A fault of the world's is ours, and the refresh goes on.
   */
  show(): Promise<unknown> | null {
    const { shard } = this.state.view;
    if (!shard) return null;
    const { onWork, sink } = this.ctx;
    detach(
      Promise.try(() => measured(onWork, "publish", () => sink.put(shard))),
      (error) => this.events.fault("not_shown", error),
    );
    return sink.shown?.(shard.source_id) ?? null;
  }

  async #send(
    url: string,
    max_bytes: number,
    { etag = null, last_modified = null }: Validators,
  ): Promise<Outcome<Fetched>> {
    const { limit, quota, run, signal, timeout_ms } = this.ctx;
    const { system, protocol } = this.state.view;
    const { requests_per_hour } = protocol;
    const refusal = requests_per_hour === undefined ? null : await quota(url, requests_per_hour);
    if (refusal) return refusal;
    const host = hostOf(url);
    // Where discovery may point anywhere, credentials stay at the site they are for.
    const trusted = system.same_site_as !== null || isSameSite(host, hostOf(system.url));
    const request: SourceRequest = {
      url,
      etag,
      last_modified,
      max_bytes,
      timeout_ms,
      // What a catalogue lists and what a discovery document names, the operator has not written.
      strict: system.same_site_as !== null || host !== hostOf(system.url),
      ...(trusted ? { auth: system.auth } : {}),
      ...(system.same_site_as ? { same_site_as: system.same_site_as } : {}),
    };
    return limit(url, () => run(request, { signal }));
  }

  #refused(file: FeedFile, failure: Failure): Got {
    const optional = !MISSED.has(file) || this.state.view.discovery?.guessed_for;
    if (failure.reason === "http_404" && optional) {
      this.state.absent(file);
      return { kind: "absent" };
    }
    return { kind: "failed", failure: this.state.failed(file, failure) };
  }
}

/** A body that cannot be read is a failure like any other (architecture, Feeds). */
export function feedFailure(report: FileReport | undefined): Failure | null {
  if (report?.ok) return null;
  return { status: "error", reason: report?.reason ?? "wrong_shape" };
}

/** This much is hashed in one go, which takes about a millisecond. */
const HASH_SLICE_BYTES = 1024 * 1024;

/** Compared with the last one before anything is parsed (performance 5). */
async function hashOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= HASH_SLICE_BYTES) return hash("sha1", bytes, "base64");
  const digest = createHash("sha1");
  for (let at = 0; at < bytes.length; at += HASH_SLICE_BYTES) {
    digest.update(bytes.subarray(at, at + HASH_SLICE_BYTES));
    await nextTurn();
  }
  return digest.digest("base64");
}
