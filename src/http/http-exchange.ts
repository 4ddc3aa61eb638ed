/**
 * One request and its one response. All responses are written here, in one go, so that headers, the
 * log line and the metrics are right on every path.
 */
import type { Caller } from "#app/access/request-caller.ts";
import type { Reservation } from "#app/access/reservation.ts";
import type { ErrorCode } from "#api/errors.ts";
import type { ParsedKey } from "#core/keys/key.ts";
import type { TracedRequest, Tracing } from "#core/trace.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { type Allowance, toRateLimitFields } from "#core/limits/limit-headers.ts";
import { type Bill, deduct } from "./bill.ts";
import { type Connections, sendParts } from "./connections.ts";
import type { DrainState } from "./drain.ts";
import { readTraceParent, type RequestId } from "./reply-headers.ts";
import type { RouteSeries } from "./histogram.ts";
import type { OpenStreams } from "./open-streams.ts";
import { type CallerNames, type StreamFacts, toRequestLine } from "./request-line.ts";
import { type ServingThread, Work } from "./serving.ts";

/** Data that all requests of a route template share. */
export type Route = {
  template: string;
  log: Logger;
  series: Pick<RouteSeries, "observe">;
  /** Problems are written as `{ message }`, as the interface that the route copies has them. */
  message_alone?: boolean;
  /**
   * Most answers come from memory, without a wait. Such a request is not followed by its context, which
   * would cost it 4 % (http/serving).
   */
  at_once?: boolean;
};

/** Header fields as flat name-value pairs, which `writeHead` takes without a detour. */
export type Fields = readonly string[];

/** Data that all exchanges of a server share. */
export type ServerWire = {
  /** On every response. */
  common: Fields;
  inflight: { count: number; keyed: number };
  drain: DrainState;
  /** When `token` ends, as an HTTP date (RFC 8594); null: not decided. */
  token_sunset: string | null;
  /** null: no traces, and nothing of them on any path. */
  tracing: Tracing | null;
  serving: ServingThread;
  connections: Pick<Connections, "identify">;
  /** Names of addresses in the log; null: they have none. */
  callers: CallerNames | null;
  /** Streams of events that go on. */
  streams: OpenStreams;
};

/** Adds the handler of a method at a path; GET answers HEAD as well. */
export type AddRoute = (
  method: "GET" | "POST",
  path: string,
  handle: (request: Incoming, response: ServerResponse) => void,
) => void;

export type Incoming = RequestId & {
  raw: IncomingMessage;
  method: string;
  /** Query string as it came, without the question mark. */
  query: string;
  /** Segments by name, where the path has such. */
  params: Readonly<Record<string, string | undefined>>;
};

export class Exchange {
  readonly wire: ServerWire;
  readonly route: Route;
  readonly request: Incoming;
  readonly response: ServerResponse;
  readonly started_ms: number;
  /** What it has taken of the serving thread. */
  readonly work: Work = new Work();
  /** Pays for that time; null: no limit, or the caller is not known yet. */
  bill: Bill | null = null;
  /** Whether the deprecated `token` was used: the reply says so (decisions, Authentication). */
  token_used = false;
  /** Whether it counts among the requests of known keys. */
  keyed = false;
  /** null: it is not known yet, and stays so where a credential is refused. */
  caller: Caller | null = null;
  /** The key that it came with; null: none, or it has not been read yet. */
  presented: { text: string; parsed: ParsedKey | null } | null = null;
  /** Code of the error that it was answered with; null: none. */
  error: ErrorCode | null = null;
  /** Limits of the caller, and what is left of them; in every reply after the check of rates. */
  readonly allowances: Allowance[] = [];
  /** Whether the reply costs nothing in any case, though the operation has a price. */
  free = false;
  /** Units left in the caller's period, before this reply; null: any number. */
  remaining_units: number | null = null;
  /** Scope that the key lacks, for the challenge of a 403. */
  missing_scope: string | null = null;
  /** Units that it has reserved; what is not booked is released once the response is sent. */
  reservation: Reservation | null = null;
  /** Called once the response is handed to the socket. */
  onSettled: (() => void) | null = null;
  /** Error for the log line of a 500. */
  failure: unknown;
  /** Present while traces are configured. */
  declare traced?: TracedRequest;

  constructor(wire: ServerWire, route: Route, request: Incoming, response: ServerResponse) {
    this.wire = wire;
    this.route = route;
    this.request = request;
    this.response = response;
    this.started_ms = wire.serving.now();
  }
}

/** `ready`: fields that are made once for many responses; `headers`: those of this one. */
export type Response = {
  status: number;
  ready?: Fields;
  headers: string[];
  body: Uint8Array | string | null;
};

export function openExchange(
  wire: ServerWire,
  route: Route,
  request: Incoming,
  response: ServerResponse,
): Exchange {
  wire.inflight.count++;
  const exchange = new Exchange(wire, route, request, response);
  if (wire.tracing !== null) exchange.traced = trace(wire.tracing, exchange);
  return exchange;
}

/** Begins a trace without the query and the path, in which there may be coordinates. */
function trace(tracing: Tracing, { request, route }: Exchange): TracedRequest {
  const { template } = route;
  return tracing.open({
    method: request.method,
    route: template === UNMATCHED ? null : template,
    parent: readTraceParent(request.raw),
  });
}

/** Template for paths without a route. */
export const UNMATCHED = "unmatched";

/** Below this length, copying a body into the write of its head is cheaper than a write of two parts. */
const JOINED_MAX_BYTES = 4_096;

/**
 * Beyond this length a body is written in parts, so that a slow client differs from one that does not
 * read. Parts cost a hundred results twice their rendering; kernels take this much at once.
 */
const LONG_BYTES = 262_144;

/** Sends a response as it is. */
export function sendRaw(exchange: Exchange, { status, ready = [], headers, body }: Response): void {
  resume(exchange);
  const { response } = exchange;
  const length = body === null ? 0 : byteLength(body);
  if (body !== null) headers.push("content-length", String(length));
  response.writeHead(status, toFields(exchange, ready, headers));
  if (body === null) response.end();
  // Node joins head and text in one write; text of one byte a character goes out as it is in memory.
  else if (length > LONG_BYTES)
    sendParts(response, typeof body === "string" ? Buffer.from(body) : body);
  else if (typeof body === "string") response.end(body, body.length === length ? "latin1" : "utf8");
  else if (length <= JOINED_MAX_BYTES) response.end(toLatin1(body), "latin1");
  else response.end(body);
  // However slowly the caller reads, it keeps nothing else waiting (http/connections bounds it).
  settle(exchange, status);
}

/** Writes the head of a response whose body comes piece by piece (http/event-stream). */
export function writeHead(exchange: Exchange, head: Omit<Response, "body">): void {
  const { status, ready = [], headers } = head;
  resume(exchange);
  exchange.response.writeHead(status, toFields(exchange, ready, headers));
}

function toLatin1({ buffer, byteOffset, byteLength: length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("latin1");
}

/**
 * Returns whether the kernel has taken all that was sent; else the socket still reads from the
 * body. Mostly it has: a buffer that is reused at once is still in the processor's cache, which
 * halves the cost of writing into it.
 */
export function isSent({ response }: Exchange): boolean {
  return response.writableEnded && response.socket?.writableLength === 0;
}

function toFields(exchange: Exchange, ready: Fields, headers: Fields): string[] {
  const { common, drain, token_sunset, serving } = exchange.wire;
  const fields = [...common, ...ready];
  if (exchange.bill !== null) deduct(exchange.allowances, serving.spent(exchange.work));
  const limits = toRateLimitFields(exchange.allowances);
  if (limits) fields.push("ratelimit-policy", limits.policy, "ratelimit", limits.limit);
  for (let at = 0; at < headers.length; at++) fields.push(headers[at] as string);
  pushIds(fields, exchange.request);
  if (drain.phase !== "serving") fields.push("connection", "close");
  if (exchange.token_used && token_sunset !== null) fields.push("sunset", token_sunset);
  return fields;
}

/** Where several requests may share the caller's id, ours differs. */
function pushIds(fields: string[], { id, shown }: RequestId): void {
  fields.push("x-request-id", shown);
  if (shown !== id) fields.push("x-vicinity-request-id", id);
}

export function byteLength(body: Uint8Array | string): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}

/** Exactly one line a request (http/request-line). */
function settle(exchange: Exchange, status: number): void {
  logLine(exchange, endWork(exchange, status));
}

/** How a request was answered. */
export type Answered = { status: number; ms: number; trace_id: string | null };

/**
 * Ends what a request is to others: its reservation, its place among those under way, its work, its
 * trace. What is left of it is its line in the log.
 */
export function endWork(exchange: Exchange, status: number): Answered {
  exchange.reservation?.endAll();
  exchange.onSettled?.();
  const { route, request, started_ms, work, wire } = exchange;
  leaveInflight(exchange);
  const now_ms = wire.serving.now();
  wire.serving.end(work, now_ms);
  exchange.bill?.pay(work.ms);
  const ms = now_ms - started_ms;
  route.series.observe(request.method, status, ms / 1000);
  return { status, ms, trace_id: endTrace(exchange, status) };
}

/** `stream`: absent where the response was whole. */
export function logLine(exchange: Exchange, answered: Answered, stream?: StreamFacts): void {
  const { route, request, failure, wire, error, caller } = exchange;
  // Most lines are not made where they would not be written.
  if (failure === undefined && !route.log.isLevelEnabled("info")) return;
  const ms = Math.round(answered.ms * 100) / 100;
  const line = toRequestLine({ ...answered, request, ms, error, caller, stream }, wire.callers);
  if (failure === undefined) route.log.info(line);
  else route.log.error({ ...line, err: failure });
}

/** The thread works for the request again, which has waited. */
export function resume({ wire, work }: Exchange): void {
  wire.serving.resume(work);
}

/** Stops counting a request as under way while its body is awaited. */
export function leaveInflight({ wire: { inflight }, keyed }: Exchange): void {
  inflight.count--;
  if (keyed) inflight.keyed--;
}

export function joinInflight({ wire: { inflight }, keyed }: Exchange): void {
  inflight.count++;
  if (keyed) inflight.keyed++;
}

/** Returns the id of the trace; null: there is none. */
function endTrace({ keyed, traced }: Exchange, status: number): string | null {
  return traced?.end({ status, trusted: keyed }) ?? null;
}
