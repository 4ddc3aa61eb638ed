/**
 * The only factory of the public server, used by main, tests and benchmark. Routes iterate the
 * table of operations; the order of checks is that of the decisions (Errors).
 */
import type { Tracing } from "#core/trace.ts";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import createRouter, { type Handler as RouteHandler, type HTTPVersion } from "find-my-way";
import type { Logger } from "pino";
import { LIMITS } from "#api/limits.ts";
import type { Operation } from "#api/operation.ts";
import { findOperation } from "#api/operations.ts";
import { attempt } from "#kit/guard.ts";
import { listRoutes, type RouteId } from "#api/mcp-operation.ts";
import {
  type ConnectionBounds,
  Connections,
  guardConnections,
  PIPELINE_MAX,
} from "./connections.ts";
import { addDiscovery, DISCOVERY_PATHS } from "./discovery-routes.ts";
import { type DrainState, keepAliveOf } from "./drain.ts";
import {
  createClientErrorHandler,
  exampleOf,
  ignoreExpectations,
  type Problem,
  refusal,
  runGuarded,
  sendProblem,
} from "./error-replies.ts";
import {
  type AddRoute,
  type Incoming,
  openExchange,
  type Route,
  type ServerWire,
} from "./http-exchange.ts";
import type { BodyHandler, Handler } from "./handler.ts";
import { createHandlers, type HandlerConfig, type HandlerDeps } from "./handlers.ts";
import { createRequestIds, type RequestIds, toCommonHeaders } from "./reply-headers.ts";
import { type Listener, toListener } from "./listener.ts";
import type { Metrics } from "./metrics.ts";
import { OpenStreams } from "./open-streams.ts";
import { toRouterPath, variantsOf } from "./paths.ts";
import { addPages, listPaths, type PageDeps } from "./pages/page-routes.ts";
import { listPhotonRoutes, type PhotonRoutes } from "./photon-server.ts";
import { ServingThread } from "./serving.ts";
import type { CallerNames } from "./request-line.ts";
import { createRunner, createTracedRun, type RunOperation } from "./runner.ts";
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
  /** Measures what requests take; absent: by a clock of its own. */
  serving?: ServingThread;
  /** Absent: requests leave no traces. */
  tracing?: Tracing | null;
  /** Names callers without a key in the log; absent: it does not. */
  callers?: CallerNames | null;
  /** For people with a browser; absent: the API alone. */
  pages?: PageDeps | null;
  /** For clients of Photon; absent: switched off. */
  photon?: PhotonRoutes | null;
};
export type ServerConfig = HandlerConfig & {
  trusted_proxies: string[];
  connections: Omit<ConnectionBounds, "trusted_proxies">;
  /** RFC 3339; null: not decided. */
  token_sunset: string | null;
  /** Idle connections are advertised as living shorter than this. */
  drain_delay_ms: number;
};

export function buildServer(deps: ServerDeps, config: ServerConfig): Listener {
  const { metrics, drain } = deps;
  const { trusted_proxies } = config;
  const connections = new Connections({ ...config.connections, trusted_proxies });
  const wire: ServerWire = {
    common: toCommonHeaders(deps.mode),
    inflight: metrics.inflight,
    drain,
    tracing: deps.tracing ?? null,
    serving: deps.serving ?? new ServingThread(),
    connections,
    callers: deps.callers ?? null,
    streams: new OpenStreams(),
    token_sunset: config.token_sunset ? new Date(config.token_sunset).toUTCString() : null,
  };
  const copied = deps.photon
    ? listPhotonRoutes(deps.photon, {
        gate: deps.gate,
        clock: deps.clock,
        deadlines_ms: config.deadlines_ms,
      })
    : [];
  const toRoute = (template: string): Route => ({
    template,
    log: deps.log.child({ route: template }),
    series: metrics.route(template),
    at_once: template === AT_ONCE,
    message_alone: copied.some(({ operation }) => operation.path === template),
  });
  const paths = [
    ...DISCOVERY_PATHS,
    ...(deps.pages ? listPaths(deps.pages.site) : []),
    ...copied.flatMap(({ paths: own_paths, operation }) =>
      own_paths.map((path) => [path, operation.path] as const),
    ),
  ];
  const unmatched = createUnmatched(wire, toRoute, paths);
  const ids = createRequestIds();
  const { add, listener } = openRouter(unmatched, ids);
  const handlers = createHandlers(deps, config);
  const operations = listRoutes().map((operation) => ({
    operation,
    paths: variantsOf(operation),
    handler: handlers[operation.id as RouteId] as Handler | BodyHandler,
  }));
  for (const { operation, paths: own_paths, handler } of [...operations, ...copied]) {
    const plain = createRunner(operation, handler, deps.gate);
    const run = wire.tracing === null ? plain : createTracedRun(plain);
    addOperation(add, wire, toRoute(operation.path), { operation, paths: own_paths, run });
  }
  addDiscovery(add, unmatched, config);
  if (deps.pages) addPages(add, unmatched, deps.pages);
  const server = openServer(unmatched, config, ids, listener);
  // Beyond them one is ended for another; Node would refuse those that come, with a key or without.
  server.maxConnections = config.connections.max_connections + SPARE_CONNECTIONS;
  metrics.watchConnections(connections);
  wire.streams.watch(metrics);
  guardConnections(server, { connections, refuse: createPipelineRefusal(unmatched, ids) });
  return toListener(server);
}

const AT_ONCE = findOperation("getNearby").path;

/** Connections that are closing while others have their places. */
const SPARE_CONNECTIONS = 64;

function openServer(
  { wire, route }: Unmatched,
  config: ServerConfig,
  ids: RequestIds,
  listener: RequestListener,
): Server {
  const { advertised_ms, buffer_ms } = keepAliveOf(config.drain_delay_ms);
  const server = createServer(
    {
      keepAliveTimeout: advertised_ms,
      keepAliveTimeoutBuffer: buffer_ms,
      // Node's defaults leave a slow or endless request open for minutes (reliability 2.4).
      requestTimeout: 10_000,
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: LIMITS.header_bytes,
      // Checked by us, with a body that explains.
      requireHostHeader: false,
      // No stream events are made for a request without a body.
      optimizeEmptyRequests: true,
    },
    listener,
  );
  server.maxRequestsPerSocket = 10_000;
  const onClientError = createClientErrorHandler({ ids, common: wire.common, log: route.log });
  server.on("clientError", onClientError);
  ignoreExpectations(server);
  return server;
}

function openRouter(
  unmatched: Unmatched,
  ids: RequestIds,
): { add: AddRoute; listener: RequestListener } {
  const toIncoming = (
    raw: Incoming["raw"],
    query = "",
    params: Incoming["params"] = {},
  ): Incoming => {
    const { id, shown } = ids.of(raw);
    return { raw, id, shown, method: raw.method as string, query, params };
  };
  /** What is thrown before a route answers for itself costs this request alone. */
  const fail = (raw: Incoming["raw"], response: ServerResponse, err: unknown): void => {
    const request = toIncoming(raw);
    unmatched.route.log.error({ id: request.id, err });
    const answer = (): void => unmatched.refuse(request, response, INTERNAL);
    if (response.headersSent) response.destroy();
    else attempt(answer, () => response.destroy());
  };
  const router = createRouter({
    // The raw text: the strict decoder reads it, and nothing else may.
    querystringParser: (raw) => raw,
    // Segments are looked up, however long they are.
    maxParamLength: LIMITS.url_bytes,
    onBadUrl: (_path, raw, response) => unmatched.refuse(toIncoming(raw), response, BAD_TARGET),
    defaultRoute(raw, response) {
      const target = toOriginForm(raw.url as string);
      if (target === null) return unmatched.answer(toIncoming(raw), response);
      raw.url = target;
      router.lookup(raw, response);
    },
  });
  return {
    add(method, path, handle) {
      const routed: RouteHandler<HTTPVersion.V1> = (raw, response, params, _store, query) =>
        handle(toIncoming(raw, query as unknown as string, params), response);
      router.on(method === "GET" ? ["GET", "HEAD"] : method, path, routed);
    },
    listener(raw, response) {
      // The end of the connection has crossed the request (http/drain): an answer would be lost.
      if (raw.socket.writableEnded) raw.socket.destroy();
      else
        attempt(
          () => router.lookup(raw, response),
          (error) => fail(raw, response, error),
        );
    },
  };
}

function createPipelineRefusal({ refuse }: Unmatched, ids: RequestIds): RequestListener {
  return (raw, response) => {
    const method = raw.method as string;
    const request = { raw, ...ids.of(raw), method, query: "", params: {} };
    response.shouldKeepAlive = false;
    refuse(request, response, PIPELINE_FULL);
  };
}

const INTERNAL: Problem = exampleOf("internal");

const PIPELINE_FULL = refusal(
  "overloaded",
  `more than ${PIPELINE_MAX} requests are unanswered on this connection`,
);

function addOperation(
  add: AddRoute,
  wire: ServerWire,
  route: Route,
  { operation, paths, run }: { operation: Operation; paths: readonly string[]; run: RunOperation },
): void {
  for (const path of paths) {
    add(operation.method, toRouterPath(path), (request, response) => {
      const exchange = openExchange(wire, route, request, response);
      const problem = findTransportProblem(request);
      if (problem === null) runGuarded(run, exchange);
      else sendProblem(exchange, operation, problem);
    });
  }
}
