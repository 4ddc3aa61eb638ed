/** One request of a redirect chain, and what may follow it (reliability 4.5 rule 3). Pure. */
import type { SourceRequest } from "#providers/provider.ts";
import type { Credentials } from "#upstream/auth.ts";
import { fault } from "#upstream/fault.ts";
import type { UrlVerdict } from "#upstream/url-rules.ts";

export type Hop = {
  /** Without credentials: this is the URL that is shown, and that relative URLs resolve against. */
  url: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body: string | null;
  /** null once the chain has left the origin they are for; they never come back. */
  credentials: Credentials | null;
};

export type Redirect = { status: number; location: string };
export type HopCheck = (url: string, base?: URL) => UrlVerdict;

/** Headers that a stranger may see. Validators stay: feeds do live behind a redirect to their bucket. */
const NEUTRAL_HEADERS = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "if-modified-since",
  "if-none-match",
  "user-agent",
]);

export function toFirstHop(
  request: SourceRequest,
  {
    credentials,
    defaults,
    check,
  }: {
    credentials: Credentials;
    defaults: Record<string, string>;
    check: HopCheck;
  },
): Hop {
  const verdict = check(request.url);
  if (!verdict.ok) throw fault(verdict.code);
  return {
    url: verdict.url,
    method: request.method ?? "GET",
    headers: { ...defaults, ...toLowerCase(request.headers ?? {}), ...toValidators(request) },
    body: request.body ?? null,
    credentials,
  };
}

export function toNextHop(hop: Hop, { status, location }: Redirect, check: HopCheck): Hop {
  const verdict = check(location, hop.url);
  if (!verdict.ok) throw fault(verdict.code === "URL_DENIED" ? "REDIRECT_DENIED" : verdict.code);
  const url = withoutCredential(verdict.url, hop.credentials);
  if (hop.url.protocol === "https:" && url.protocol === "http:") throw fault("REDIRECT_DENIED");
  const next = isBodyKept(hop, status) ? { ...hop, url } : toGet({ ...hop, url });
  if (url.origin === hop.url.origin) return next;
  // A body may carry secrets as well, and no upstream of ours needs it elsewhere.
  if (next.body !== null) throw fault("REDIRECT_DENIED");
  return { ...next, headers: toNeutral(next.headers), credentials: null };
}

/** The URL and headers that go over the wire. */
export function toWire({ url, headers, credentials }: Hop): {
  url: URL;
  headers: Record<string, string>;
} {
  if (!credentials) return { url, headers };
  const signed = new URL(url);
  if (credentials.query) {
    const { name, value } = credentials.query;
    // By hand: searchParams would rewrite the whole existing query.
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    signed.search = url.search === "" ? pair : `${url.search}&${pair}`;
  }
  return { url: signed, headers: { ...headers, ...toLowerCase(credentials.headers) } };
}

/** Fetch standard 4.5: 303, and by custom 301 and 302, turn a POST into a GET. */
function isBodyKept({ method }: Hop, status: number): boolean {
  return method === "GET" || status === 307 || status === 308;
}

function toGet(hop: Hop): Hop {
  const { "content-type": _, ...headers } = hop.headers;
  return { ...hop, method: "GET", body: null, headers };
}

/** A server that echoes the query in its Location would carry the key to the next origin. */
function withoutCredential(url: URL, credentials: Credentials | null): URL {
  const query = credentials?.query;
  if (query && url.searchParams.has(query.name, query.value))
    url.searchParams.delete(query.name, query.value);
  return url;
}

function toNeutral(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => NEUTRAL_HEADERS.has(name)));
}

/** One spelling per header, so that a default and its replacement are never sent both. */
function toLowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function toValidators({ etag, last_modified }: SourceRequest): Record<string, string> {
  return {
    ...(etag ? { "if-none-match": etag } : {}),
    ...(last_modified ? { "if-modified-since": last_modified } : {}),
  };
}
