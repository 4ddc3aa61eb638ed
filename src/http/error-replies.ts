/**
 * Every refusal and failure becomes `{ error: { code, message } }` here (§2.13, decisions, Errors); on
 * the routes that copy another interface, what that one has.
 */
import { STATUS_CODES, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import type { Refusal } from "#app/access/request-caller.ts";
import { errorRow, type ErrorCode } from "#api/errors.ts";
import type { Operation } from "#api/operation.ts";
import { statusOf } from "#api/operations.ts";
import { sendRaw, type Exchange } from "./http-exchange.ts";
import { JSON_TYPE, type RequestIds, toDeprecation } from "./reply-headers.ts";
import { ownOrigin } from "./own-origin.ts";

/** `retry_after_s`: for `Retry-After`, where the code has one; absent: 1, null: none is sent. */
export type Problem = Refusal;

/** Answers with the status that the operation documents for the code, else with the code's own. */
export function sendProblem(
  exchange: Exchange,
  operation: Operation | null,
  problem: Problem,
  extra: readonly string[] = [],
): void {
  exchange.error = problem.code;
  const row = errorRow(problem.code);
  const documented = operation === null ? undefined : statusOf(operation, problem.code);
  const status = problem.status ?? documented ?? row.statuses[0] ?? 500;
  const { missing_scope, token_used } = exchange;
  const scope = problem.code === "insufficient_scope" ? missing_scope : null;
  const { retry_after_s: stated_s = 1 } = problem;
  const retry_after_s = row.retry === true && RETRIED.has(status) ? stated_s : null;
  const { successor } = operation ?? {};
  const metadata = status === 401 ? findMetadata(exchange, operation) : null;
  const reply = { code: problem.code, status, scope, retry_after_s, token_used, successor };
  const { message_alone = false } = exchange.route;
  const body = message_alone ? JSON.stringify({ message: problem.message }) : toErrorBody(problem);
  sendRaw(exchange, { status, headers: [...toHeaders({ ...reply, metadata }), ...extra], body });
}

type ErrorReply = {
  code: ErrorCode;
  status: number;
  scope: string | null;
  retry_after_s: number | null;
  token_used: boolean;
  successor: string | undefined;
  /** Address of the metadata of the resource; null: it has none. */
  metadata: string | null;
};

function findMetadata({ request }: Exchange, operation: Operation | null): string | null {
  const path = operation?.resource_metadata;
  const origin = path === undefined ? null : ownOrigin(request.raw);
  return origin === null ? null : `${origin}${path}`;
}

function toHeaders({
  code,
  status,
  scope,
  retry_after_s,
  token_used,
  successor,
  metadata,
}: ErrorReply): string[] {
  const headers = ["content-type", JSON_TYPE, "cache-control", "no-store"];
  if (status === 401) headers.push("www-authenticate", toTokenChallenge(code, metadata));
  if (scope !== null) headers.push("www-authenticate", toScopeChallenge(scope));
  if (retry_after_s !== null) headers.push("retry-after", String(retry_after_s));
  const { date, links } = toDeprecation({ token_used, successor });
  if (links.length > 0) headers.push(...date, "link", links.join(", "));
  return headers;
}

/** Statuses that carry `Retry-After` with a code that has one. */
const RETRIED: ReadonlySet<number> = new Set([402, 429, 503]);

/** RFC 6750 3: a request without a credential gets no error in the challenge. */
function toTokenChallenge(code: ErrorCode, metadata: string | null): string {
  const error = code === "missing_token" ? "" : ', error="invalid_token"';
  const where = metadata === null ? "" : `, resource_metadata="${metadata}"`;
  return `Bearer realm="api"${error}${where}`;
}

/** RFC 6750 3: which scope would do. */
function toScopeChallenge(scope: string): string {
  return `Bearer realm="api", error="insufficient_scope", scope="${scope}"`;
}

/** A defect: the caller learns nothing, the log line carries the error. */
export function sendInternal(exchange: Exchange, failure: unknown): void {
  exchange.failure = failure;
  sendProblem(exchange, null, exampleOf("internal"));
}

function toErrorBody({ code, message }: Problem): string {
  return JSON.stringify({ error: { code, message } });
}

/** Of a response that has begun: it is cut off, and logged once more. */
export function cutOff({ response, route, request }: Exchange, err: unknown): void {
  route.log.error({ id: request.id, err });
  response.destroy();
}

/**
 * Runs a handler and answers a throw or a rejection as an internal error, where nothing was sent
 * yet.
 */
export function runGuarded(run: (exchange: Exchange) => unknown, exchange: Exchange): void {
  const fail = (error: unknown): void =>
    exchange.response.headersSent ? cutOff(exchange, error) : sendInternal(exchange, error);
  const { work, wire, started_ms, route } = exchange;
  wire.serving.begin(work, started_ms);
  try {
    const running = route.at_once ? run(exchange) : wire.serving.run(work, run, exchange);
    if (running instanceof Promise) {
      running.then(undefined, fail);
      return wire.serving.endSoon();
    }
  } catch (error) {
    fail(error);
  }
  wire.serving.pause(work);
}

/** Refusals of Node's parser, before there is a request. */
const CLIENT_ERRORS: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: exampleOf("headers_too_large"),
  ERR_HTTP_REQUEST_TIMEOUT: exampleOf("request_timeout"),
};
const BAD_REQUEST = refusal("invalid_request", "the request is not well-formed HTTP");

export function refusal(code: ErrorCode, message: string): Problem {
  return { code, message };
}

/** Refuses in the words of the table of errors. */
export function exampleOf(code: ErrorCode): Problem {
  return refusal(code, errorRow(code).example);
}

type ClientErrorDeps = { ids: RequestIds; common: readonly string[]; log: Logger };

/** Answers on the bare socket, since no response object exists. */
export function createClientErrorHandler(deps: ClientErrorDeps) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === "ECONNRESET" || socket.destroyed) return;
    const problem = CLIENT_ERRORS[error.code ?? ""] ?? BAD_REQUEST;
    const status = errorRow(problem.code).statuses[0] as number;
    const id = deps.ids.next();
    if (socket.writable) socket.write(toRawResponse(status, problem, id, deps.common));
    socket.destroy();
    deps.log.info({ id, st: status, error: problem.code });
  };
}

function toRawResponse(
  status: number,
  problem: Problem,
  id: string,
  common: readonly string[],
): string {
  const body = toErrorBody(problem);
  const headers = [
    ...["content-type", JSON_TYPE, "cache-control", "no-store", "connection", "close"],
    ...["content-length", String(Buffer.byteLength(body)), "x-request-id", id, ...common],
  ];
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${head}\r\n${body}`;
}

/** Node would answer `Expect: …` with an empty 417; we ignore the header (RFC 9110 10.1.1). */
export function ignoreExpectations(server: Server): void {
  server.on("checkExpectation", (request, response) => {
    server.emit("request", request, response);
  });
}
