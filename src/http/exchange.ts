/**
 * One request and its one response. Everything is written here, in one go, so that headers, the
 * log line and the metrics are right on every path; Fastify only routes, and compresses on request.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
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

export type Exchange = {
  wire: Wire;
  route: Route;
  request: FastifyRequest;
  reply: FastifyReply;
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
  request: FastifyRequest,
  reply: FastifyReply,
): Exchange {
  wire.inflight.count++;
  return { wire, route, request, reply, started_ms: performance.now(), token_used: false };
}

/** Sends the response as it is. Fastify's reply is taken over: no hook, no serialiser. */
export function sendRaw(exchange: Exchange, response: Response): void {
  const { raw } = exchange.reply;
  exchange.reply.hijack();
  let { body, release } = response;
  // Pipelined behind another response or already abandoned: `close` may never come, so the pooled
  // bytes are copied and given back now.
  const queued = raw.socket === null || raw.destroyed;
  if (queued && release !== undefined) {
    body = Buffer.from(body as Uint8Array);
    release();
    release = undefined;
  }
  const headers = completeHeaders(exchange, response.headers);
  if (body !== null) headers.push("content-length", String(byteLength(body)));
  if (queued) settle(exchange, response.status, undefined);
  else raw.on("close", () => settle(exchange, response.status, release));
  raw.writeHead(response.status, headers);
  raw.end(body ?? undefined);
}

/** Sends through Fastify, whose onSend hook compresses (decisions: when asked, above 1 KiB). */
export function sendCompressed(
  exchange: Exchange,
  response: Response & { body: Uint8Array },
): void {
  const { reply } = exchange;
  const { body, release } = response;
  const headers = completeHeaders(exchange, response.headers);
  for (let at = 0; at < headers.length; at += 2) {
    reply.header(headers[at] as string, headers[at + 1]);
  }
  reply.raw.on("close", () => settle(exchange, response.status, release));
  void reply.code(response.status).send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}

function completeHeaders(exchange: Exchange, headers: string[]): string[] {
  headers.push("x-request-id", exchange.request.id, ...exchange.wire.common);
  if (exchange.wire.drain.phase !== "serving") headers.push("connection", "close");
  return headers;
}

function byteLength(body: Uint8Array | string): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}

/** Exactly one line a request: never the query, a credential or a coordinate. */
function settle(exchange: Exchange, status: number, release: (() => void) | undefined): void {
  release?.();
  const { route, request, wire, started_ms, failure } = exchange;
  wire.inflight.count--;
  const ms = performance.now() - started_ms;
  observe(route.series, request.method, status, ms / 1000);
  const line = { reqId: request.id, status, ms: Math.round(ms * 100) / 100 };
  if (failure === undefined) route.log.info(line);
  else route.log.error({ ...line, err: failure });
}
