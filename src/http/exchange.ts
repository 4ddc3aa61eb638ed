/**
 * One request and its one response. Everything is written here, in one go, so that headers, the
 * log line and the metrics are right on every path; Fastify only routes.
 */
import type { TracedRequest, Tracing } from "#core/trace.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { type Allowance, toRateLimitFields } from "#core/limits/headers.ts";
import type { DrainState } from "./drain.ts";
import { joinHead, type Lines, writeStored } from "./head.ts";
import { readTraceParent } from "./headers.ts";
import { observe, type RouteSeries } from "./histogram.ts";

/** What a route template shares between its requests. */
export type Route = { template: string; log: Logger; series: RouteSeries };

/** What all exchanges of a server share. */
export type Wire = {
  /** On every response: as pairs, and the same as lines. */
  common: readonly string[];
  commonLines: Lines;
  inflight: { count: number; keyed: number };
  drain: DrainState;
  /** When `token` ends, as an HTTP date (RFC 8594); null: nobody has said. */
  token_sunset: string | null;
  /** null: no traces, and nothing of them on any path. */
  tracing: Tracing | null;
};

/** What an exchange needs of a request and its reply; Fastify's are such, the fast lane makes its own. */
export type Incoming = {
  raw: IncomingMessage;
  id: string;
  method: string;
  query: unknown;
  /** Segments by name, where the path has such. */
  params: unknown;
};
export type Outgoing = { raw: ServerResponse; hijack(): unknown };

export type Exchange = {
  wire: Wire;
  route: Route;
  request: Incoming;
  reply: Outgoing;
  started_ms: number;
  /** The deprecated `token` was used: the reply says so (decisions, Authentication). */
  token_used: boolean;
  /** Counted among the requests of known keys. */
  keyed: boolean;
  /** What limits the caller, and what is left of it; told on every reply after the check of rates. */
  allowances: Allowance[];
  /** Whatever comes of it costs nothing, though the operation has a price. */
  free: boolean;
  /** Of the caller's period, before this reply; null: any number. */
  remaining_units: number | null;
  /** What the key lacks, for the challenge of a 403. */
  missing_scope?: string;
  /** Once the reply is out, or nobody waits for it any more. */
  onSettled: (() => void) | null;
  /** Why it failed, for the log line of a 500. */
  failure?: unknown;
  /** There while traces are configured. */
  traced?: TracedRequest;
};

/** Status, flat headers, body. There may be `ready` lines before the headers (http/head). */
export type Response = {
  status: number;
  ready?: Lines;
  headers: string[];
  body: Uint8Array | string | null;
  /** Bytes before `body` in its buffer that may be written to. */
  room?: number;
};

export function openExchange(
  wire: Wire,
  route: Route,
  request: Incoming,
  reply: Outgoing,
): Exchange {
  wire.inflight.count++;
  const exchange = newExchange(wire, route, request, reply);
  if (wire.tracing !== null) exchange.traced = trace(wire.tracing, exchange);
  return exchange;
}

/** What was asked is not told: neither the query nor the path, in which there may be coordinates. */
function trace(tracing: Tracing, { request, route }: Exchange): TracedRequest {
  const { template } = route;
  return tracing.open({
    method: request.method,
    route: template === UNMATCHED ? null : template,
    parent: readTraceParent(request.raw),
  });
}

/** The template of paths that nobody serves. */
export const UNMATCHED = "unmatched";

function newExchange(wire: Wire, route: Route, request: Incoming, reply: Outgoing): Exchange {
  return {
    wire,
    route,
    request,
    reply,
    started_ms: performance.now(),
    token_used: false,
    keyed: false,
    allowances: [],
    free: false,
    remaining_units: null,
    onSettled: null,
  };
}

/** Sends the response as it is. Fastify's reply is taken over: no hook, no serialiser. */
export function sendRaw(exchange: Exchange, response: Response): void {
  const { raw } = exchange.reply;
  const { status, body } = response;
  exchange.reply.hijack();
  const length = body === null ? 0 : byteLength(body);
  writeHead(exchange, response, length);
  if (body === null || typeof body === "string") {
    // Text of one byte a character goes out as it lies in memory.
    raw.end(body ?? "", body?.length === length ? "latin1" : "utf8");
    return settle(exchange, status);
  }
  const { room = 0 } = response;
  raw.end(joinHead(raw, body, { room, method: exchange.request.method }) ?? body);
  settle(exchange, status);
}

/**
 * Whether the kernel has taken all that was sent; else the socket still reads from the body. Mostly it
 * has: a buffer that is reused at once is still in the processor's cache, which halves what writing
 * into it costs.
 */
export function isSent({ reply }: Exchange): boolean {
  return reply.raw.socket?.writableLength === 0;
}

function writeHead(exchange: Exchange, response: Response, length: number): void {
  const { status, ready, headers, body } = response;
  const { raw } = exchange.reply;
  const { common, commonLines, drain, token_sunset } = exchange.wire;
  if (body !== null) headers.push("content-length", String(length));
  headers.push("x-request-id", exchange.request.id);
  if (drain.phase !== "serving") headers.push("connection", "close");
  if (exchange.token_used && token_sunset !== null) headers.push("sunset", token_sunset);
  const limits = toRateLimitFields(exchange.allowances);
  if (ready !== undefined) {
    const lines = commonLines + ready + toLimitLines(limits);
    return writeStored(raw, { status, lines }, headers);
  }
  if (limits) headers.push("ratelimit-policy", limits.policy, "ratelimit", limits.limit);
  for (let at = 0; at < common.length; at++) headers.push(common[at] as string);
  raw.writeHead(status, headers);
}

/** Names and numbers of our own: nothing in them needs to be checked. */
function toLimitLines(limits: ReturnType<typeof toRateLimitFields>): string {
  if (limits === null) return "";
  return `ratelimit-policy: ${limits.policy}\r\nratelimit: ${limits.limit}\r\n`;
}

export function byteLength(body: Uint8Array | string): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}

/** Exactly one line a request: never the query, a credential or a coordinate. */
function settle(exchange: Exchange, status: number): void {
  exchange.onSettled?.();
  const { route, request, wire, started_ms, failure } = exchange;
  wire.inflight.count--;
  if (exchange.keyed) wire.inflight.keyed--;
  const ms = performance.now() - started_ms;
  observe(route.series, request.method, status, ms / 1000);
  const line = toLine(exchange, status, Math.round(ms * 100) / 100);
  if (failure === undefined) route.log.info(line);
  else route.log.error({ ...line, err: failure });
}

type LogLine = { reqId: string; status: number; ms: number; traceId?: string };

function toLine({ request, keyed, traced }: Exchange, status: number, ms: number): LogLine {
  const line: LogLine = { reqId: request.id, status, ms };
  if (traced !== undefined) line.traceId = traced.end({ status, trusted: keyed });
  return line;
}
