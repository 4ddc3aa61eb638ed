/** Response headers as flat name-value lists, which `writeHead` takes without a detour. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { TraceParent } from "#core/trace.ts";

export const JSON_TYPE = "application/json; charset=utf-8";
export const LICENCE_LINK = '</v1/sources>; rel="license"';
/** RFC 9745: since 2026-01-01T00:00:00Z (decisions, Authentication). */
const DEPRECATED_SINCE = "@1767225600";
const TOKEN_LINK = '</openapi.json>; rel="deprecation"; type="application/json"';

/** The parameter `token` was used; the route has a successor (decisions, Legacy routes). */
export type Deprecated = { token_used: boolean; successor?: string | undefined };

export function toDeprecation({ token_used, successor }: Deprecated): {
  date: readonly string[];
  links: readonly string[];
} {
  const links = [
    ...(token_used ? [TOKEN_LINK] : []),
    ...(successor === undefined ? [] : [`<${successor}>; rel="successor-version"`]),
  ];
  return { date: links.length > 0 ? ["deprecation", DEPRECATED_SINCE] : [], links };
}

export const ALLOW_REQUEST_HEADERS =
  "Authorization, Content-Type, If-None-Match, If-Modified-Since, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, traceparent, tracestate, x-request-id";
const EXPOSED_HEADERS =
  "ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Deprecation, Sunset, Link, Server-Timing, X-Coverage, WWW-Authenticate, X-Vicinity-Request-Id";

/** On every response. `Origin` is never reflected and no credentials are allowed. */
export function toCommonHeaders(mode: "sandbox" | "live"): readonly string[] {
  const headers = [
    ...["x-content-type-options", "nosniff"],
    ...["access-control-allow-origin", "*"],
    ...["access-control-expose-headers", EXPOSED_HEADERS],
  ];
  return mode === "sandbox" ? [...headers, "x-vicinity-mode", "sandbox"] : headers;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
/**
 * W3C Trace Context: version, trace id, parent id, flags; version ff and all zeroes are invalid, and
 * only versions after 00 may go on.
 */
const TRACEPARENT =
  /^(?!ff)(?!00.{53}.)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** null: there is none, or it is not valid, which is the same (W3C Trace Context 3.2.2.2). */
export function readTraceParent({ headers }: IncomingMessage): TraceParent | null {
  const input = headers["traceparent"];
  const [, trace_id, span_id, flags] =
    (typeof input === "string" ? TRACEPARENT.exec(input) : null) ?? [];
  if (trace_id === undefined || span_id === undefined || flags === undefined) return null;
  return { trace_id, span_id, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** `id`: ours, unique. `shown`: what the caller calls the request, which it may call others; or `id`. */
export type RequestId = { id: string; shown: string };

export type RequestIds = { of(request: IncomingMessage): RequestId; next(): string };

/** Random, so that no two processes whose lines are in one log have the same. */
const INSTANCE_CHARS = 6;

/** Shown is the caller's id when it is well formed, else the trace id, else ours. */
export function createRequestIds(): RequestIds {
  const instance = randomBytes(INSTANCE_CHARS).toString("base64url").slice(0, INSTANCE_CHARS);
  let count = 0;
  const next = () => `${instance}-${(++count).toString(36)}`;
  return {
    next,
    of: ({ headers }) => {
      const id = next();
      const input = headers["x-request-id"];
      if (typeof input === "string" && REQUEST_ID.test(input)) return { id, shown: input };
      const parent = headers["traceparent"];
      const trace = typeof parent === "string" ? TRACEPARENT.exec(parent)?.[1] : undefined;
      return { id, shown: trace ?? id };
    },
  };
}
