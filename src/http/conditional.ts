/**
 * Conditional requests for GET and HEAD (RFC 9110 13). One place decides whether the caller has the
 * representation already, for whatever has a validator: the description, the changelog, datasets.
 *
 * `If-Match` and `If-Unmodified-Since` guard changes; nothing is changed by these methods and 412 is
 * no documented status, so they are not looked at. Ranges are not offered.
 */
import type { IncomingHttpHeaders } from "node:http";
import { sendRaw, type Exchange } from "./http-exchange.ts";

export type Validators = {
  /** A strong entity tag with its quotes; another one for each coding (RFC 9110 8.8.3.3). */
  etag: string;
  /** Epoch milliseconds of the last change; null: unknown, and the header is left out. */
  last_modified_ms: number | null;
};

export type Representation = Validators & {
  body: Uint8Array | string;
  content_type: string;
  cache_control: string;
  /** null: as it is. */
  encoding: string | null;
};

/** Sends 304 when the condition shows that the caller has the representation, else 200 with it. */
export function sendConditional(exchange: Exchange, one: Representation): void {
  const remaining = [
    "etag",
    one.etag,
    "cache-control",
    one.cache_control,
    "vary",
    "Accept-Encoding",
  ];
  // A 304 says what a cache updates itself by, and nothing else of the 200 (RFC 9110 15.4.5).
  if (isNotModified(exchange.request.raw.headers, one))
    return sendRaw(exchange, { status: 304, headers: remaining, body: null });
  const headers = ["content-type", one.content_type, ...remaining];
  if (one.last_modified_ms !== null)
    headers.push("last-modified", new Date(one.last_modified_ms).toUTCString());
  if (one.encoding !== null) headers.push("content-encoding", one.encoding);
  sendRaw(exchange, { status: 200, headers, body: one.body });
}

/** Checks `If-None-Match` alone where it is sent, else `If-Modified-Since` (RFC 9110 13.2.2). */
export function isNotModified(headers: IncomingHttpHeaders, validators: Validators): boolean {
  const condition = headers["if-none-match"];
  if (condition !== undefined) return matchesEtag(condition, validators.etag);
  const since = headers["if-modified-since"];
  if (since === undefined || validators.last_modified_ms === null) return false;
  const since_ms = parseHttpDate(since);
  // A date has whole seconds, and so had the one that we sent.
  return since_ms !== null && Math.floor(validators.last_modified_ms / 1000) * 1000 <= since_ms;
}

/** One member of the list, or the blanks and commas between two (RFC 9110 5.6.1, 8.8.3). */
const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y;
const GAP = /[ \t,]*/y;

/**
 * `*`, or a list of entity tags that is compared weakly: `W/` counts for nothing (RFC 9110
 * 13.1.2). What is
 * no such list is no condition.
 */
function matchesEtag(condition: string, etag: string): boolean {
  if (condition.trim() === "*") return true;
  let isFound = false;
  for (let at = skip(GAP, condition, 0); at < condition.length; at = skip(GAP, condition, at)) {
    TAG.lastIndex = at;
    const match = TAG.exec(condition);
    if (match === null) return false;
    isFound ||= match[1] === etag;
    at = TAG.lastIndex;
  }
  return isFound;
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const TIME = "\\d{2}:\\d{2}:\\d{2}";
/** RFC 9110 5.6.7: the form of today, that of RFC 850, that of asctime. */
const HTTP_DATES = [
  new RegExp(`^${DAY}, (\\d{2} [A-Z][a-z]{2} \\d{4} ${TIME}) GMT$`),
  new RegExp(`^${LONG_DAY}, (\\d{2}-[A-Z][a-z]{2}-\\d{2} ${TIME}) GMT$`),
  new RegExp(`^${DAY} ([A-Z][a-z]{2} [ \\d]\\d ${TIME} \\d{4})$`),
];

/** Epoch milliseconds; null: no HTTP date, hence no condition. */
function parseHttpDate(text: string): number | null {
  for (const form of HTTP_DATES) {
    const written = form.exec(text)?.[1];
    if (written === undefined) continue;
    const ms = Date.parse(`${written.replaceAll("-", " ")} GMT`);
    return Number.isNaN(ms) ? null : ms;
  }
  return null;
}
