/**
 * Turns one call into an outcome: the single try/catch around upstreams. Never rejects.
 * The deadline is a moment of the injected clock; the timer that enforces it is a real one, since
 * sockets do not follow a clock that is being moved.
 */
import type { NoteFault } from "#kit/guard.ts";
import type { Failure, Outcome } from "#kit/outcome.ts";
import type { Clock } from "#ports.ts";
import type { SourceRequest } from "#providers/provider.ts";
import { fault, isDeadline } from "#upstream/fault.ts";
import type { HttpAnswer, HttpClient } from "#upstream/http.ts";
import { fromError, fromStatus, UNEXPECTED } from "#upstream/symptoms.ts";

export type Fetched =
  | {
      kind: "body";
      body: Uint8Array;
      /** The file that has the body (`save_to`), with nothing in `body`; absent: it is there. */
      saved?: string;
      etag: string | null;
      last_modified: string | null;
      /** Where it was found in the end, without credentials. */
      url: string;
      /** How long the publisher lets it be reused; 0: not at all; null: it does not say. */
      max_age_s: number | null;
      content_type: string | null;
      /** RFC 8288, as it came. */
      link: string | null;
      /** Expires, from when it was sent; there only where the publisher says so, and 0 for what is
       * past. */
      expires_in_s?: number;
      /** Of a part that was requested (`range`): its first byte, and the size of the whole; absent: it is the whole. */
      part?: { at: number; total_bytes: number };
    }
  | { kind: "not_modified"; expires_in_s?: number }
  /** A 4xx or 5xx whose body was asked for (`refusal_bytes`): what it is worth without a look at it. */
  | { kind: "refused"; http_status: number; body: Uint8Array; failure: Failure };

export type RunOptions = {
  /** Of the whole question, epoch ms of the clock. */
  deadline_ms?: number | undefined;
  signal?: AbortSignal | undefined;
};

export type RunRequest = (request: SourceRequest, options: RunOptions) => Promise<Outcome<Fetched>>;

type RunDeps = {
  client: HttpClient;
  clock: Clock;
  /** Receives what no upstream can be blamed for. */
  onFault: NoteFault;
};

export function createRun({ client, clock, onFault }: RunDeps): RunRequest {
  return async (request, { deadline_ms = Infinity, signal }) => {
    const left_ms = Math.min(request.timeout_ms, deadline_ms - clock.now());
    // Also true for a deadline that is not a number.
    if (!(left_ms >= 1)) return fromError(fault("DEADLINE"));
    using limit = createLimit(left_ms, signal);
    try {
      const answer = await client.fetch({ ...request, signal: limit.signal });
      return toOutcome(request, answer, clock.now());
    } catch (error) {
      // Whatever broke while we were giving up, giving up is the cause.
      const failure = fromError(limit.signal.aborted ? toFault(limit.signal.reason) : error);
      if (failure.reason === UNEXPECTED) onFault("request", error);
      return failure;
    }
  };
}

/** Beyond it setTimeout fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Real time, unlike a deadline of the clock. */
function createLimit(
  left_ms: number,
  outer: AbortSignal | undefined,
): Disposable & { signal: AbortSignal } {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(fault("DEADLINE")), Math.min(left_ms, MAX_TIMER_MS));
  return {
    signal: outer ? AbortSignal.any([outer, late.signal]) : late.signal,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** A caller that aborts for lack of time says so. */
function toFault(reason: unknown): unknown {
  return isDeadline(reason) ? reason : fault("ABORTED");
}

function toOutcome(request: SourceRequest, answer: HttpAnswer, now_ms: number): Outcome<Fetched> {
  const { status, headers, body, saved, url } = answer;
  const isConditional = Boolean(request.etag || request.last_modified);
  if (status === 304 && isConditional)
    return {
      status: "ok",
      value: { kind: "not_modified", ...toExpiry(headers, now_ms) },
      fetched_at_ms: now_ms,
      cache: "revalidated",
    };
  if (status < 200 || status > 299) {
    const failure = fromStatus(status, headers.retry_after, now_ms);
    if (!request.refusal_bytes) return failure;
    const refused: Fetched = { kind: "refused", http_status: status, body, failure };
    return { status: "ok", value: refused, fetched_at_ms: now_ms, cache: "miss" };
  }
  const { etag, last_modified, content_type, link } = headers;
  const max_age_s = readMaxAge(headers.cache_control);
  const value: Fetched = {
    kind: "body",
    body,
    ...(saved !== undefined && { saved }),
    etag,
    last_modified,
    url,
    max_age_s,
    content_type,
    link,
    ...toExpiry(headers, now_ms),
    ...toPart(status, headers.content_range),
  };
  return { status: "ok", value, fetched_at_ms: now_ms, cache: "miss" };
}

/** RFC 9110 14.4: `bytes 0-31/4096`. */
function toPart(
  status: number,
  content_range: string | null,
): { part?: { at: number; total_bytes: number } } {
  const range =
    status === 206 ? /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(content_range ?? "") : null;
  return range === null ? {} : { part: { at: Number(range[1]), total_bytes: Number(range[2]) } };
}

/** RFC 9111 5.3: from the sender's own clock where it is stated, since ours may differ. */
function toExpiry(
  { expires, date }: HttpAnswer["headers"],
  now_ms: number,
): { expires_in_s?: number } {
  const until_ms = Date.parse(expires ?? "");
  if (expires === null) return {};
  const sent_ms = Date.parse(date ?? "");
  const left_ms = until_ms - (Number.isNaN(sent_ms) ? now_ms : sent_ms);
  // What is no date is past (RFC 9111 5.3).
  return { expires_in_s: left_ms > 0 ? Math.floor(left_ms / 1000) : 0 };
}

/** RFC 9111 5.2.2: no-store and no-cache outrank max-age. */
function readMaxAge(cache_control: string | null): number | null {
  if (cache_control === null) return null;
  if (/\b(no-store|no-cache)\b/i.test(cache_control)) return 0;
  const digits = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i.exec(cache_control)?.[1];
  return digits === undefined ? null : Number(digits);
}
