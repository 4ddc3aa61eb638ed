/** Replies that carry data: how long they may be kept, their header fields, compression on request. */
import type { Caller } from "#app/access/request-caller.ts";
import { LIMITS } from "#api/limits.ts";
import type { Operation } from "#api/operation.ts";
import { sendCompressed } from "./compression.ts";
import { byteLength, type Exchange, type Fields, type Response, sendRaw } from "./http-exchange.ts";
import { type Deprecated, LICENCE_LINK, toDeprecation } from "./reply-headers.ts";
import { pickEncoding } from "./negotiate.ts";
import type { Rendered } from "./rendered.ts";

/** Ready-made, since this is said on every answer. */
const PUBLIC = Array.from({ length: LIMITS.cache_max_age_s + 1 }, (_, s) => `public, max-age=${s}`);
const PRIVATE = PUBLIC.map((text) => text.replace("public", "private"));

/** Decisions, Conventions: shared caches may keep anonymous, complete answers for at most 30 s. */
export function toCacheControl(kind: Caller["kind"], max_age_s: number | null): string {
  if (max_age_s === null) return "no-store";
  const seconds = Math.max(0, Math.min(Math.floor(max_age_s), LIMITS.cache_max_age_s));
  return (kind === "anonymous" ? PUBLIC : PRIVATE)[seconds] ?? "no-store";
}

export type Data = Response & { ready: Fields; body: Uint8Array | string };

/** A data reply: compressed when that is asked for and worth it. */
export function sendData(exchange: Exchange, response: Data): void {
  const { body } = response;
  const accepted = exchange.request.raw.headers["accept-encoding"];
  const worth = accepted !== undefined && byteLength(body) >= LIMITS.compress_from_bytes;
  const encoding = worth ? pickEncoding(accepted) : null;
  if (encoding === null) sendRaw(exchange, response);
  else sendCompressed(exchange, response, encoding);
}

/** Sends a data reply whose text is shared with other requests. */
export async function sendRendered(
  exchange: Exchange,
  { status, ready }: Pick<Data, "status"> & { ready: Fields },
  rendered: Rendered,
): Promise<void> {
  const body = rendered.plain();
  const accepted = exchange.request.raw.headers["accept-encoding"];
  const worth = accepted !== undefined && body.length >= LIMITS.compress_from_bytes;
  const encoding = worth ? pickEncoding(accepted) : null;
  if (encoding === null) return sendRaw(exchange, { status, ready, headers: [], body });
  const headers = ["content-encoding", encoding];
  sendRaw(exchange, { status, ready, headers, body: await rendered.packed(encoding) });
}

/** By operation, content type and Cache-Control: no text is joined for a key with every reply. */
type Made = Map<Licensed, Map<string, Map<string, Fields>>>;
const made: Made = new Map();
const madeWithToken: Made = new Map();

/** Returns the header fields of a data reply, made once: there are some hundred at most. */
export function readyLines(
  operation: Licensed,
  content_type: string,
  cache_control: string,
  token_used: boolean,
): Fields {
  return (token_used ? madeWithToken : made)
    .getOrInsertComputed(operation, () => new Map())
    .getOrInsertComputed(content_type, () => new Map())
    .getOrInsertComputed(cache_control, () =>
      dataLines(operation, content_type, cache_control, { token_used }),
    );
}

/**
 * Headers that data replies depend on, in addition to their URL. Answers differ by credential:
 * limits, metering, permissions. The deprecated `token` is part of the URL.
 */
export const DATA_VARY = "Accept-Encoding, Authorization";

/** The row that says whether its replies name the licences of what is in them. */
type Licensed = Pick<Operation, "licence_link">;

/** Makes the header fields of one data reply. */
export function dataLines(
  { licence_link }: Licensed,
  content_type: string,
  cache_control: string,
  deprecated: Deprecated,
  vary = DATA_VARY,
): Fields {
  const { date, links } = toDeprecation(deprecated);
  const names = licence_link ? [LICENCE_LINK, ...links] : links;
  const link = names.length === 0 ? [] : ["link", names.join(", ")];
  const remaining = ["content-type", content_type, "cache-control", cache_control];
  return [...remaining, ...date, ...link, "vary", vary];
}
