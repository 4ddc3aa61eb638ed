/**
 * One request and its one response. Everything is written here, in one go, so that headers, the
 * log line and the metrics are right on every path; Fastify only routes.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { DrainState } from "./drain.ts";
import { observe, type RouteSeries } from "./histogram.ts";

/** What a route template shares between its requests. */
export type Route = { template: string; log: Logger; series: RouteSeries };

/** What all exchanges of a server share. */
export type Wire = {
  common: readonly string[];
  inflight: { count: number };
  drain: DrainState;
};

/** What an exchange needs of a request and its reply; Fastify's are such, the fast lane makes its own. */
export type Incoming = { raw: IncomingMessage; id: string; method: string; query: unknown };
export type Outgoing = { raw: ServerResponse; hijack(): unknown };

export type Exchange = {
  wire: Wire;
  route: Route;
  request: Incoming;
  reply: Outgoing;
  started_ms: number;
  /** The deprecated `token` was used: the reply says so (decisions, Authentication). */
  token_used: boolean;
  /** Why it failed, for the log line of a 500. */
  failure?: unknown;
};

/** Status, flat headers, body; `release` gives a pooled body back once it is on the wire. */
export type Response = {
  status: number;
  headers: string[];
  body: Uint8Array | string | null;
  release?: () => void;
};

export function openExchange(
  wire: Wire,
  route: Route,
  request: Incoming,
  reply: Outgoing,
): Exchange {
  wire.inflight.count++;
  return { wire, route, request, reply, started_ms: performance.now(), token_used: false };
}

/** Bodies up to here go out as one string with the headers: one write instead of a vector. */
const SMALL_BYTES = 8192;

/** Sends the response as it is. Fastify's reply is taken over: no hook, no serialiser. */
export function sendRaw(exchange: Exchange, response: Response): void {
  const { raw } = exchange.reply;
  const { status, headers, body, release } = response;
  exchange.reply.hijack();
  if (body !== null) headers.push("content-length", String(byteLength(body)));
  completeHeaders(exchange, headers);
  if (body === null || typeof body === "string") {
    raw.writeHead(status, headers).end(body ?? undefined);
    return settle(exchange, status);
  }
  // When the caller has left already, `close` has been and would not give the body back.
  if (body.byteLength <= SMALL_BYTES || raw.destroyed) {
    const text = toView(body).toString("latin1");
    release?.();
    raw.writeHead(status, headers).end(text, "latin1");
    return settle(exchange, status);
  }
  raw.writeHead(status, headers).end(body);
  // Mostly the kernel has taken everything by now: a body that is given back at once is written
  // again while it is still in the processor's cache, which halves what writing it costs.
  if (raw.socket?.writableLength === 0) settle(exchange, status, release);
  else raw.on("close", () => settle(exchange, status, release));
}

function toView(body: Uint8Array): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

function completeHeaders(exchange: Exchange, headers: string[]): void {
  headers.push("x-request-id", exchange.request.id);
  const { common, drain } = exchange.wire;
  for (let at = 0; at < common.length; at++) headers.push(common[at] as string);
  if (drain.phase !== "serving") headers.push("connection", "close");
}

function byteLength(body: Uint8Array | string): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}

/** Exactly one line a request: never the query, a credential or a coordinate. */
function settle(exchange: Exchange, status: number, release?: () => void): void {
  release?.();
  const { route, request, wire, started_ms, failure } = exchange;
  wire.inflight.count--;
  const ms = performance.now() - started_ms;
  observe(route.series, request.method, status, ms / 1000);
  const line = { reqId: request.id, status, ms: Math.round(ms * 100) / 100 };
  if (failure === undefined) route.log.info(line);
  else route.log.error({ ...line, err: failure });
}
