/**
 * The HTTP client of this layer: one call in, one bounded answer out (reliability 4.5). It throws
 * errors with a `code`; run.ts turns them into outcomes. The total deadline is the caller's signal,
 * which also ends a body dripped byte by byte (undici's own bodyTimeout restarts with each chunk).
 */
import { request as dispatch, type Dispatcher } from "undici";
import type { SourceRequest } from "#providers/provider.ts";
import { orAbort } from "#upstream/deadline.ts";
import { createAuthoriser, type Credentials } from "#upstream/auth.ts";
import { ACCEPT_ENCODING, readDecoded, saveDecoded } from "#upstream/decode.ts";
import type { Egress } from "#upstream/egress.ts";
import { fault } from "#upstream/fault.ts";
import {
  toFirstHop,
  toNextHop,
  toWire,
  type HopCheck,
  type Hop,
  type Redirect,
} from "#upstream/hop.ts";

type HttpRequest = SourceRequest & { signal: AbortSignal };

export type HttpAnswer = {
  status: number;
  /** The final one, without credentials. */
  url: string;
  headers: {
    etag: string | null;
    last_modified: string | null;
    retry_after: string | null;
    cache_control: string | null;
    content_type: string | null;
    link: string | null;
    expires: string | null;
    date: string | null;
    content_range: string | null;
  };
  /** Empty unless the status is 2xx, or a refusal whose body was asked for (`refusal_bytes`). */
  body: Uint8Array;
  /** The file that has it (`save_to`), with nothing in `body`; absent: it is there. */
  saved?: string;
};

export type HttpClient = { fetch(request: HttpRequest): Promise<HttpAnswer> };

export type HttpLimits = {
  /** Resolution, connection and header block of each hop. */
  headers_timeout_ms: number;
  /** Decoded body, where the request names no cap of its own. */
  max_bytes: number;
};

export type HttpClientOptions = {
  egress: Egress;
  user_agent: string;
  limits?: Partial<HttpLimits>;
  /** For the life of OAuth tokens. */
  now?: () => number;
};

const DEFAULT_LIMITS: HttpLimits = { headers_timeout_ms: 5_000, max_bytes: 32 * 1024 * 1024 };
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const NO_BODY = new Uint8Array(0);
/** A body that may be saved is kept in memory up to here. */
const KEPT_BYTES = 8 * 1024 * 1024;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { egress, user_agent, now = Date.now } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const defaults = { accept: "*/*", "accept-encoding": ACCEPT_ENCODING, "user-agent": user_agent };
  const authoriser = createAuthoriser({ send, now });

  async function send(request: HttpRequest): Promise<HttpAnswer> {
    const auth = request.auth ?? { kind: "none" };
    const credentials = await authoriser.credentials(auth, request.signal);
    const answer = await follow(request, credentials);
    if (answer.status !== 401 || !authoriser.forget(auth, credentials)) return answer;
    // Once: a server may revoke a token early; refusing a fresh one is its last word.
    return await follow(request, await authoriser.credentials(auth, request.signal));
  }

  async function follow(request: HttpRequest, credentials: Credentials): Promise<HttpAnswer> {
    const { same_site_as } = request;
    const check: HopCheck = (url, base) =>
      egress.check(url, {
        same_site_as,
        strict: isStrict(request, URL.parse(url, base)),
        ...(base ? { base } : {}),
      });
    let hop = toFirstHop(request, { credentials, defaults, check });
    for (let followed = 0; ; followed += 1) {
      const response = await open(hop, request);
      const redirect = findRedirect(response);
      if (!redirect) return await toAnswer(response, hop.url, wishOf(request, response));
      discard(response);
      if (followed === MAX_REDIRECTS) throw fault("TOO_MANY_REDIRECTS");
      hop = toNextHop(hop, redirect, check);
    }
  }

  /** How much of the body is wanted, and where. */
  function wishOf(request: HttpRequest, { statusCode }: Answered): BodyWish {
    const { max_bytes = limits.max_bytes, refusal_bytes = 0, save_to } = request;
    if (statusCode >= 200 && statusCode < 300) return { max_bytes, save_to };
    return { max_bytes: statusCode >= 400 ? refusal_bytes : 0 };
  }

  async function open(hop: Hop, request: HttpRequest): Promise<Dispatcher.ResponseData> {
    const { signal, timeout_ms } = request;
    // undici would connect first and look at the signal later.
    signal.throwIfAborted();
    using headers_limit = limitHeaders(signal, limits.headers_timeout_ms, timeout_ms);
    const { url, headers } = toWire(hop);
    const { method, body } = hop;
    const dispatcher = egress.agentFor(isStrict(request, hop.url));
    const answer = dispatch(url, {
      dispatcher,
      method,
      headers,
      body,
      signal: headers_limit.signal,
    });
    // undici sees a signal only once it is connected: not while a resolver or a SYN hangs.
    return await orAbort(answer, headers_limit.signal);
  }
  return { fetch: send };
}

/** A redirect target is chosen by its sender, unless it stays at the same origin. */
function isStrict({ strict = false, url }: HttpRequest, target: URL | null): boolean {
  return strict || target?.origin !== URL.parse(url)?.origin;
}

/** The header block has a deadline of its own, where the whole call has not a shorter one. */
function limitHeaders(
  signal: AbortSignal,
  headers_ms: number,
  total_ms: number,
): Disposable & { signal: AbortSignal } {
  if (total_ms <= headers_ms) return { signal, [Symbol.dispose]: () => undefined };
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(fault("HEADERS_TIMEOUT")), headers_ms);
  return {
    signal: AbortSignal.any([signal, late.signal]),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

type Answered = Dispatcher.ResponseData;
type BodyWish = { max_bytes: number; save_to?: string | undefined };

function findRedirect({ statusCode, headers }: Answered): Redirect | null {
  const location = toSingle(headers["location"]);
  return REDIRECTS.has(statusCode) && location !== null ? { status: statusCode, location } : null;
}

async function toAnswer(
  response: Dispatcher.ResponseData,
  url: URL,
  wish: BodyWish,
): Promise<HttpAnswer> {
  const { statusCode: status, headers } = response;
  const read = wish.max_bytes > 0 ? await readBody(response, wish) : { body: NO_BODY };
  discard(response);
  return {
    status,
    url: url.href,
    headers: {
      etag: toSingle(headers["etag"]),
      last_modified: toSingle(headers["last-modified"]),
      retry_after: toSingle(headers["retry-after"]),
      cache_control: toSingle(headers["cache-control"]),
      content_type: toSingle(headers["content-type"]),
      link: toSingle(headers["link"]),
      expires: toSingle(headers["expires"]),
      date: toSingle(headers["date"]),
      content_range: toSingle(headers["content-range"]),
    },
    ...read,
  };
}

async function readBody(
  response: Dispatcher.ResponseData,
  { max_bytes, save_to }: BodyWish,
): Promise<Pick<HttpAnswer, "body" | "saved">> {
  const { body, headers } = response;
  try {
    const length = Number(toSingle(headers["content-length"]) ?? NaN);
    if (length > max_bytes) throw fault("BODY_TOO_LARGE");
    // Of a known, bounded length, and plain: nothing has to be watched while it comes in.
    const content_encoding = toSingle(headers["content-encoding"]);
    const plain = content_encoding === null;
    if (save_to !== undefined && !(plain && length <= KEPT_BYTES)) {
      await saveDecoded(body, { content_encoding, max_bytes, path: save_to });
      return { body: NO_BODY, saved: save_to };
    }
    if (plain && length <= max_bytes) return { body: await body.bytes() };
    return { body: await readDecoded(body, { content_encoding, max_bytes }) };
  } finally {
    discard(response);
  }
}

/**
 * Ends what is left of an answer. Its connection goes with it, unless all of it has arrived (a 304
 * always has): to read a failed body to its end would be an invitation to drip.
 */
function discard({ body }: Dispatcher.ResponseData): void {
  body.on("error", () => {}).destroy();
}

function toSingle(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
