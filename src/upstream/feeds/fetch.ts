/** One file over the network, judged against the last accepted one. */
import { createHash, hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { FEED_BOUNDS } from "#core/feed-bounds.ts";
import type { Failure } from "#core/outcome.ts";
import type { FeedFile, FileReport, SourceRequest } from "#providers/provider.ts";
import { hostOf } from "#upstream/feeds/host-limit.ts";
import { markFailed } from "#upstream/feeds/marks.ts";
import { type Context, protocolOf, type SystemState } from "#upstream/feeds/state.ts";
import type { Fetched } from "#upstream/run.ts";
import { isSameSite } from "#upstream/site.ts";
import type { Outcome } from "#core/outcome.ts";

export type NewBody = {
  bytes: Uint8Array;
  hash: string;
  etag: string | null;
  last_modified: string | null;
  url: string;
  at_ms: number;
};

export type Got =
  | { kind: "failed"; failure: Failure }
  /** The publisher does not have this optional file after all. */
  | { kind: "absent" }
  /** As the last accepted one. The body is there when it was sent all the same. */
  | { kind: "same"; at_ms: number; body: NewBody | null }
  | { kind: "new"; body: NewBody };

/** Listed and 404, these are missed (mobility.md 1.2); the others MAY be absent. */
const MISSED: ReadonlySet<FeedFile> = new Set([
  "station_information",
  "station_status",
  "vehicle_status",
]);

/** Failures are marked here; whoever accepts the body marks it good. */
export async function fetchFile(
  ctx: Context,
  state: SystemState,
  file: FeedFile,
  options: { conditional: boolean },
): Promise<Got> {
  const url = state.discovery!.feeds.get(file)!;
  const mark = state.files[file];
  mark.asked_at_ms = ctx.clock.now();
  const known = options.conditional && mark.url === url;
  const outcome = await ask(ctx, state, url, {
    ...(known ? mark : NO_VALIDATORS),
    max_bytes: FEED_BOUNDS.file_bytes,
  });
  if (outcome.status !== "ok") return refused(ctx, state, file, outcome);
  const at_ms = outcome.fetched_at_ms;
  if (outcome.value.kind === "not_modified") return { kind: "same", at_ms, body: null };
  // Feeds never ask for the body of a refusal.
  if (outcome.value.kind === "refused") return refused(ctx, state, file, outcome.value.failure);
  const { body: bytes, etag, last_modified } = outcome.value;
  const body = { bytes, hash: await hashOf(bytes), etag, last_modified, url, at_ms };
  if (mark.url !== url || mark.hash !== body.hash) return { kind: "new", body };
  Object.assign(mark, { etag, last_modified });
  return { kind: "same", at_ms, body };
}

type Validators = Pick<SourceRequest, "etag" | "last_modified">;
/** `max_bytes`: of the decoded body. */
type Wanted = Validators & { max_bytes: number };
const NO_VALIDATORS: Validators = { etag: null, last_modified: null };

/** Files that are one document are one request; each gets bytes of its own, to give away. */
export async function ask(
  ctx: Context,
  state: SystemState,
  url: string,
  wanted: Wanted,
): Promise<Outcome<Fetched>> {
  if (!protocolOf(ctx, state).places) return send(ctx, state, url, wanted);
  const key = [url, wanted.etag, wanted.last_modified].join(" ");
  const running = state.shared.get(key);
  const sent = running ?? send(ctx, state, url, wanted);
  state.shared.set(key, sent);
  const outcome = await sent;
  state.shared.delete(key);
  if (outcome.status !== "ok" || outcome.value.kind !== "body") return outcome;
  return { ...outcome, value: { ...outcome.value, body: new Uint8Array(outcome.value.body) } };
}

async function send(
  ctx: Context,
  state: SystemState,
  url: string,
  { etag = null, last_modified = null, max_bytes }: Wanted,
): Promise<Outcome<Fetched>> {
  const { system } = state;
  const { requests_per_hour } = protocolOf(ctx, state);
  const refusal = requests_per_hour === undefined ? null : await ctx.quota(url, requests_per_hour);
  if (refusal) return refusal;
  const host = hostOf(url);
  // Where discovery may point anywhere, credentials stay at the site they are for.
  const trusted = system.same_site_as !== null || isSameSite(host, hostOf(system.url));
  const request: SourceRequest = {
    url,
    etag,
    last_modified,
    max_bytes,
    timeout_ms: ctx.timeout_ms,
    // What a catalogue lists and what a discovery document names, the operator has not written.
    strict: system.same_site_as !== null || host !== hostOf(system.url),
    ...(trusted ? { auth: system.auth } : {}),
    ...(system.same_site_as ? { same_site_as: system.same_site_as } : {}),
  };
  return ctx.limit(url, () => ctx.run(request, { signal: ctx.signal }));
}

function refused(ctx: Context, state: SystemState, file: FeedFile, failure: Failure): Got {
  const optional = !MISSED.has(file) || state.discovery?.guessed_for;
  if (failure.reason === "http_404" && optional) {
    Object.assign(state.files[file], { absent: true, failure: null, failures: 0 });
    return { kind: "absent" };
  }
  return { kind: "failed", failure: markFailed(ctx, state, file, failure) };
}

/** The body has been read and is held: remember how to ask for a newer one. */
export function rememberBody(
  state: SystemState,
  file: FeedFile,
  { body, report }: { body: NewBody; report: FileReport },
): void {
  const { hash: digest, etag, last_modified, url } = body;
  const ttl_s = report.ok ? report.ttl_s : null;
  Object.assign(state.files[file], { hash: digest, etag, last_modified, url, ttl_s });
}

/** What was made of it is no longer held: the next one must come whole. */
export function forgetBody(state: SystemState, file: FeedFile): void {
  Object.assign(state.files[file], { hash: null, etag: null, last_modified: null, url: null });
}

/** So much is hashed in one go, which takes about a millisecond. */
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
