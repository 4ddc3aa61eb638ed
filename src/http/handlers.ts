/** What each operation does once the caller is known and its parameters are decoded. */
import type { Caller, ListSources, Nearby, NearbyQuestion, NearbyReply } from "#app/types.ts";
import type { Deployment } from "#contract/deployment.ts";
import { LIMITS } from "#contract/limits.ts";
import { OPERATIONS, type OperationId } from "#contract/operations.ts";
import type { Decoded } from "#contract/primitives.ts";
import type { SOURCES_PARAMETERS } from "#contract/sources.ts";
import type { Clock } from "#ports.ts";
import { readyLines, sendData, toCacheControl } from "./data.ts";
import { sendProblem } from "./errors.ts";
import { sendRaw, type Exchange } from "./exchange.ts";
import type { Handler } from "./handler.ts";
import { JSON_TYPE } from "./headers.ts";
import { createOpenApiHandler } from "./openapi.ts";
import {
  createSearchHandlers,
  type SearchConfig,
  type SearchHandlerDeps,
} from "./search-handlers.ts";

export type HandlerDeps = SearchHandlerDeps & {
  clock: Clock;
  nearby: Nearby;
  sources: ListSources;
  /** Whose constants the description states. */
  deployment: Deployment;
};
export type HandlerConfig = SearchConfig & {
  deadlines_ms: { nearby: number };
  version: string;
  service: string;
};

export function createHandlers(
  deps: HandlerDeps,
  config: HandlerConfig,
): Record<OperationId, Handler> {
  return {
    getHealth: createHealthHandler(deps.clock, config),
    getOpenApi: createOpenApiHandler(deps.deployment),
    getNearby: createNearbyHandler(deps, config),
    listSources: createSourcesHandler(deps.sources),
    ...createSearchHandlers(deps, config),
  };
}

function createHealthHandler(clock: Clock, { service, version }: HandlerConfig): Handler {
  return (exchange) => {
    const time = new Date(clock.now()).toISOString();
    const headers = ["content-type", JSON_TYPE, "cache-control", "no-store"];
    sendRaw(exchange, {
      status: 200,
      headers,
      body: JSON.stringify({ status: "ok", service, version, time }),
    });
  };
}

const NEARBY = OPERATIONS.find((operation) => operation.id === "getNearby") ?? null;

function createNearbyHandler({ clock, nearby }: HandlerDeps, config: HandlerConfig): Handler {
  const budget_ms = config.deadlines_ms.nearby;
  return (exchange, caller, value) => {
    const now_ms = clock.now();
    const reply = nearby({
      question: value as NearbyQuestion,
      caller: caller as Caller,
      freshness_policy: null,
      deadline_ms: now_ms + budget_ms,
      now_ms,
    });
    if (!(reply instanceof Promise)) return sendNearby(exchange, caller as Caller, reply);
    return reply.then((late) => sendNearby(exchange, caller as Caller, late));
  };
}

function sendNearby(exchange: Exchange, caller: Caller, reply: NearbyReply): void {
  if (reply.kind === "refused") return sendProblem(exchange, NEARBY, reply);
  const { content_type, body, room, release } = reply;
  const cache_control = toCacheControl(caller.kind, reply.max_age_s);
  const ready = readyLines(content_type, cache_control, exchange.token_used);
  sendData(exchange, { status: 200, ready, headers: [], body, room, release });
}

/** The states of sources change quickly; a page that polls them must see it. */
const SOURCES_MAX_AGE_S = 5;

function createSourcesHandler(list: ListSources): Handler {
  return (exchange, caller, value) => {
    const { lat, lon, radius } = value as Decoded<typeof SOURCES_PARAMETERS>;
    const reach = Math.min(radius, LIMITS.sources.radius_max);
    const located = lat !== undefined && lon !== undefined;
    const sources = located ? list({ lat, lon, radius: reach }) : list();
    const kind = caller?.kind ?? "anonymous";
    const cache_control = toCacheControl(kind, SOURCES_MAX_AGE_S);
    const ready = readyLines(JSON_TYPE, cache_control, exchange.token_used);
    sendData(exchange, { status: 200, ready, headers: [], body: JSON.stringify({ sources }) });
  };
}
