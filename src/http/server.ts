/**
 * The only factory of the public server, used by main, tests and benchmark. Routes iterate the
 * table of operations; the order of checks is that of the decisions (Errors).
 */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { ListSources, Nearby, Plan } from "#app/types.ts";
import { LIMITS } from "#contract/limits.ts";
import { listOperations, type Operation, type OperationId } from "#contract/operations.ts";
import type { Clock } from "#ports.ts";
import { authenticate, createCallerFinder, type CallerFinder } from "./credentials.ts";
import type { DrainState } from "./drain.ts";
import {
  createClientErrorHandler,
  ignoreExpectations,
  sendInternal,
  sendProblem,
  type Problem,
} from "./errors.ts";
import { openExchange, sendRaw, type Exchange, type Route, type Wire } from "./exchange.ts";
import { createHandlers, type Handler, type HandlerConfig } from "./handlers.ts";
import { ALLOW_REQUEST_HEADERS, createRequestIds, toCommonHeaders } from "./headers.ts";
import type { Metrics } from "./metrics.ts";
import { compileQuery } from "./validation.ts";

export type ServerDeps = {
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  nearby: Nearby;
  sources: ListSources;
  /** The anonymous row of `plans`. */
  plan: () => Plan;
  mode: "sandbox" | "live";
  drain: DrainState;
};
export type ServerConfig = HandlerConfig & { trusted_proxies: string[] };

export function buildServer(deps: ServerDeps, config: ServerConfig): FastifyInstance {
  const { metrics, drain } = deps;
  const wire: Wire = { common: toCommonHeaders(deps.mode), inflight: metrics.inflight, drain };
  const toRoute = (template: string): Route => ({
    template,
    log: deps.log.child({ route: template }),
    series: metrics.route(template),
  });
  const unmatched = createUnmatched(wire, toRoute("unmatched"));
  const app = createApp(wire, unmatched, config);
  const handlers = createHandlers(deps, config);
  const findCaller = createCallerFinder(deps.plan, authenticate);
  for (const operation of listOperations()) {
    const handler = handlers[operation.id as OperationId];
    const run = createRunner(operation, handler, findCaller);
    addRoute(app, wire, toRoute(operation.path), operation, run);
  }
  return app;
}

/** Fastify's defaults leave a slow or endless request open (reliability 2.4). */
const TIMEOUTS = {
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  maxRequestsPerSocket: 10_000,
} as const;
const MAX_CONNECTIONS = 10_000;

function createApp(wire: Wire, unmatched: Unmatched, config: ServerConfig): FastifyInstance {
  const ids = createRequestIds();
  const { log } = unmatched.route;
  const app = fastify({
    ...TIMEOUTS,
    logger: false,
    trustProxy: config.trusted_proxies.length > 0 ? config.trusted_proxies : false,
    bodyLimit: LIMITS.body_bytes,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    genReqId: (request) => ids.of(request as Parameters<typeof ids.of>[0]),
    // The raw text: the strict decoder reads it, and nothing else may.
    routerOptions: { querystringParser: (raw) => raw as unknown as Record<string, unknown> },
    frameworkErrors: (_error, request, reply) => unmatched.refuse(request, reply, BAD_TARGET),
    clientErrorHandler: createClientErrorHandler({ ids, common: wire.common, log }),
    http: {
      maxHeaderSize: LIMITS.header_bytes,
      headersTimeout: 5000,
      connectionsCheckingInterval: 1000,
      // Checked by us, with a body that explains.
      requireHostHeader: false,
    },
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  ignoreExpectations(app.server);
  // No operation takes a body: none is read, whatever its type.
  app.removeAllContentTypeParsers();
  app.decorateRequest("exchange", null);
  app.setNotFoundHandler((request, reply) => {
    const target = toOriginForm(request.raw.url as string);
    if (target === null) return unmatched.answer(request, reply);
    request.raw.url = target;
    reply.hijack();
    app.routing(request.raw, reply.raw);
  });
  app.setErrorHandler((error, request, reply) => {
    if (request.is404) unmatched.answer(request, reply);
    else sendInternal(exchangeOf(request, reply, unmatched), error);
  });
  return app;
}

const BAD_TARGET: Problem = {
  code: "invalid_request",
  message: "the request target is not valid percent-encoded UTF-8",
};

/** `GET http://host/path` (RFC 9112 3.2.2) is the same question as `GET /path`; null: is that. */
function toOriginForm(url: string): string | null {
  const origin = /^https?:\/\/[^/?#]*/i.exec(url)?.[0];
  if (origin === undefined) return null;
  const rest = url.slice(origin.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

type Run = (exchange: Exchange) => void | Promise<void>;

/** The error handler is called with the request alone. */
function exchangeOf(request: FastifyRequest, reply: FastifyReply, unmatched: Unmatched): Exchange {
  return request.exchange ?? openExchange(unmatched.wire, unmatched.route, request, reply);
}

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange | null;
  }
}

function addRoute(
  app: FastifyInstance,
  wire: Wire,
  route: Route,
  operation: Operation,
  run: Run,
): void {
  const method = operation.method === "GET" ? ["GET", "HEAD"] : [operation.method];
  app.route({
    method,
    url: operation.path,
    handler: (request, reply) => {
      const exchange = openExchange(wire, route, request, reply);
      request.exchange = exchange;
      const problem = findTransportProblem(request);
      return problem === null ? run(exchange) : sendProblem(exchange, operation, problem);
    },
  });
}

/** What is refused whatever the operation. */
function findTransportProblem({ raw }: FastifyRequest): Problem | null {
  if ((raw.url as string).length > LIMITS.url_bytes) return URI_TOO_LONG;
  return raw.headers.host === undefined && raw.httpVersion === "1.1" ? NO_HOST : null;
}

const URI_TOO_LONG: Problem = {
  code: "uri_too_long",
  message: `the request target must be at most ${LIMITS.url_bytes} bytes`,
};
const NO_HOST: Problem = {
  code: "invalid_request",
  message: "the request header Host is required",
};

/** Drain, credential, parameters, execution. */
function createRunner(operation: Operation, handler: Handler, findCaller: CallerFinder): Run {
  const decoder = compileQuery(operation);
  return (exchange) => {
    if (operation.auth === "none") return handler(exchange, null, {});
    if (exchange.wire.drain.phase === "closed") return refuseClosed(exchange, operation);
    const { request } = exchange;
    const slots = decoder.scan(request.query as string);
    const token = decoder.token(slots);
    exchange.token_used = token !== undefined;
    const found = findCaller(request.raw.headers.authorization, token);
    if (!found.ok) return sendProblem(exchange, operation, found);
    const decoded = decoder.decode(slots);
    if (!decoded.ok) return sendProblem(exchange, operation, decoded);
    return handler(exchange, found.caller, decoded.value);
  };
}

/** 503 where it is documented, else 429 (decisions, Errors). */
function refuseClosed(exchange: Exchange, operation: Operation): void {
  const documents503 = operation.errors[503] !== undefined;
  const code = documents503 ? "shutting_down" : "overloaded";
  sendProblem(exchange, operation, {
    code,
    message: "this instance is shutting down; try again",
  });
}

type Unmatched = {
  wire: Wire;
  route: Route;
  /** Preflight, 405 or 404. */
  answer(request: FastifyRequest, reply: FastifyReply): void;
  refuse(request: FastifyRequest, reply: FastifyReply, problem: Problem): void;
};

function createUnmatched(wire: Wire, route: Route): Unmatched {
  const allowed = toAllowed();
  const refuse: Unmatched["refuse"] = (request, reply, problem) =>
    sendProblem(openExchange(wire, route, request, reply), null, problem);
  return {
    wire,
    route,
    refuse,
    answer: (request, reply) => {
      const problem = findTransportProblem(request);
      if (problem !== null) return refuse(request, reply, problem);
      const allow = allowed.get(toPath(request.url));
      if (allow === undefined) return refuse(request, reply, NOT_FOUND);
      const exchange = openExchange(wire, route, request, reply);
      if (request.method === "OPTIONS") return sendPreflight(exchange, allow);
      const message = `this path answers ${allow}`;
      sendProblem(exchange, null, { code: "method_not_allowed", message }, ["allow", allow]);
    },
  };
}

const NOT_FOUND: Problem = {
  code: "not_found",
  message: "no route has this path; see /openapi.json",
};

/** Methods of each known path. */
function toAllowed(): Map<string, string> {
  const allowed = new Map<string, string>();
  for (const { path, method } of listOperations()) {
    allowed.set(path, method === "GET" ? "GET, HEAD, OPTIONS" : `${method}, OPTIONS`);
  }
  return allowed;
}

function toPath(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

function sendPreflight(exchange: Exchange, allow: string): void {
  const headers = [
    ...["allow", allow, "access-control-allow-methods", allow],
    ...["access-control-allow-headers", ALLOW_REQUEST_HEADERS],
    ...["access-control-max-age", "7200"],
  ];
  sendRaw(exchange, { status: 204, headers, body: null });
}
