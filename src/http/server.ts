/**
 * The only factory of the public server, used by main, tests and benchmark. Routes iterate the
 * table of operations; the order of checks is that of the decisions (Errors).
 */
import type { Tracing } from "#core/trace.ts";
import type { RequestListener } from "node:http";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { LIMITS } from "#contract/limits.ts";
import type { Operation } from "#contract/operation.ts";
import { listRoutes, type RouteId } from "#contract/mcp-operation.ts";
import type { OperationId } from "#contract/operations.ts";
import {
  type ConnectionBounds,
  Connections,
  guardConnections,
  PIPELINE_MAX,
} from "./connections.ts";
import { type DrainState, keepAliveOf } from "./drain.ts";
import {
  createClientErrorHandler,
  ignoreExpectations,
  type Problem,
  sendInternal,
  sendProblem,
} from "./errors.ts";
import { openExchange, type Exchange, type Route, type Wire } from "./exchange.ts";
import type { BodyHandler, Handler } from "./handler.ts";
import { createHandlers, type HandlerConfig, type HandlerDeps } from "./handlers.ts";
import { toLines } from "./head.ts";
import { createRequestIds, type RequestIds, toCommonHeaders } from "./headers.ts";
import { openFastLane } from "./lane.ts";
import type { Metrics } from "./metrics.ts";
import { toRouterPath, variantsOf } from "./paths.ts";
import type { PageGate } from "./pages/gate.ts";
import { addPages, listPaths } from "./pages/routes.ts";
import type { Pages } from "./pages/site.ts";
import { createRunner, createTracedRun, type Run } from "./runner.ts";
import {
  BAD_TARGET,
  createUnmatched,
  findTransportProblem,
  toOriginForm,
  type Unmatched,
} from "./unmatched.ts";

export type ServerDeps = HandlerDeps & {
  log: Logger;
  metrics: Metrics;
  mode: "sandbox" | "live";
  drain: DrainState;
  /** Absent: requests leave no traces. */
  tracing?: Tracing | null;
  /** For people with a browser; absent: the API alone. */
  pages?: { site: Pages; gate: PageGate } | null;
};
export type ServerConfig = HandlerConfig & {
  trusted_proxies: string[];
  connections: Omit<ConnectionBounds, "trusted_proxies">;
  /** RFC 3339; null: not decided. */
  token_sunset: string | null;
  /** Idle connections are advertised as living shorter than this. */
  drain_delay_ms: number;
};

export function buildServer(deps: ServerDeps, config: ServerConfig): FastifyInstance {
  const { metrics, drain } = deps;
  const common = toCommonHeaders(deps.mode);
  const commonLines = toLines(common);
  const wire: Wire = {
    ...{ common, commonLines, inflight: metrics.inflight, drain },
    tracing: deps.tracing ?? null,
    token_sunset: config.token_sunset ? new Date(config.token_sunset).toUTCString() : null,
  };
  const toRoute = (template: string): Route => ({
    template,
    log: deps.log.child({ route: template }),
    series: metrics.route(template),
  });
  const paths = deps.pages ? listPaths(deps.pages.site) : [];
  const unmatched = createUnmatched(wire, toRoute, paths);
  const ids = createRequestIds();
  const app = createApp(wire, unmatched, config, ids);
  const handlers = createHandlers(deps, config);
  for (const operation of listRoutes()) {
    const handler = handlers[operation.id as RouteId] as Handler | BodyHandler;
    const plain = createRunner(operation, handler, deps.gate);
    const run = wire.tracing === null ? plain : createTracedRun(plain);
    const route = toRoute(operation.path);
    addRoute(app, wire, route, operation, run);
    if (operation.id === FAST_LANE) openFastLane(app.server, { wire, route, operation, run, ids });
  }
  if (deps.pages) addPages(app, unmatched, deps.pages);
  const { trusted_proxies } = config;
  const connections = new Connections({ ...config.connections, trusted_proxies });
  app.server.maxConnections = config.connections.max_connections;
  metrics.watchConnections(connections);
  guardConnections(app.server, {
    connections,
    refuse: createPipelineRefusal(unmatched, ids),
  });
  return app;
}

/** The busiest operation by far. */
const FAST_LANE: OperationId = "getNearby";

/** Fastify's defaults leave a slow or endless request open (reliability 2.4). */
const TIMEOUTS = {
  requestTimeout: 10_000,
  maxRequestsPerSocket: 10_000,
} as const;

function createApp(
  wire: Wire,
  unmatched: Unmatched,
  config: ServerConfig,
  ids: RequestIds,
): FastifyInstance {
  const { log } = unmatched.route;
  const { advertised_ms, buffer_ms } = keepAliveOf(config.drain_delay_ms);
  const app = fastify({
    ...TIMEOUTS,
    keepAliveTimeout: advertised_ms,
    logger: false,
    trustProxy: config.trusted_proxies.length > 0 ? config.trusted_proxies : false,
    bodyLimit: LIMITS.body_bytes,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    genReqId: (request) => ids.of(request),
    // The raw text: the strict decoder reads it, and nothing else may.
    routerOptions: {
      querystringParser: (raw) => raw as unknown as Record<string, unknown>,
      // What a segment means is looked up, however long it is.
      maxParamLength: LIMITS.url_bytes,
    },
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
  app.server.keepAliveTimeoutBuffer = buffer_ms;
  ignoreExpectations(app.server);
  // A body is read by who takes one (http/body), and by nobody else: Fastify would judge its type.
  app.addHttpMethod("POST", { hasBody: false, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.decorateRequest("exchange", null);
  const answer = (request: FastifyRequest, reply: FastifyReply): void => {
    const target = toOriginForm(request.raw.url as string);
    if (target === null) return unmatched.answer(request, reply);
    request.raw.url = target;
    reply.hijack();
    app.routing(request.raw, reply.raw);
  };
  app.setNotFoundHandler(answer);
  app.setErrorHandler((error, request, reply) => {
    // A body that nobody reads is no reason for another status.
    if (request.is404) answer(request, reply);
    else sendInternal(exchangeOf(request, reply, unmatched), error);
  });
  return app;
}

function createPipelineRefusal({ wire, route }: Unmatched, ids: RequestIds): RequestListener {
  return (raw, response) => {
    const request = { raw, id: ids.of(raw), method: raw.method as string, query: "", params: null };
    response.shouldKeepAlive = false;
    const exchange = openExchange(wire, route, request, { raw: response, hijack: () => undefined });
    sendProblem(exchange, null, PIPELINE_FULL);
  };
}

const PIPELINE_FULL: Problem = {
  code: "overloaded",
  message: `more than ${PIPELINE_MAX} requests are unanswered on this connection`,
};

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
  const handler = (request: FastifyRequest, reply: FastifyReply): void | Promise<void> => {
    const exchange = openExchange(wire, route, request, reply);
    request.exchange = exchange;
    const problem = findTransportProblem(request);
    return problem === null ? run(exchange) : sendProblem(exchange, operation, problem);
  };
  for (const path of variantsOf(operation)) {
    app.route({ method, url: toRouterPath(path), handler });
  }
}
