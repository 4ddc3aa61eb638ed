/** Handlers of the operations, called once the caller is known and its parameters are decoded. */
import type { Caller } from "#app/access/request-caller.ts";
import { NEARBY_TYPES, type RenderNearby } from "#app/nearby-body.ts";
import type { ReadQuality } from "#app/quality-reply.ts";
import type { SourceHistory } from "#app/source-history.ts";
import type {
  ListSources,
  Nearby,
  NearbyQuestion,
  NearbyReply,
  SourceItem,
} from "#app/answer-types.ts";
import type { Profile } from "#app/access/unit-quota.ts";
import type { ChangelogDocument } from "#api/changelog.ts";
import type { Deployment } from "#api/deployment.ts";
import { LIMITS } from "#api/limits.ts";
import { type Deadlines, findOperation } from "#api/operations.ts";
import type { Clock } from "#ports.ts";
import { createGbfsHandlers, type GbfsHandlerDeps } from "./gbfs-handlers.ts";
import { type CapabilityHandlerDeps, createCapabilityHandlers } from "./capability-handlers.ts";
import { createChangelogHandler } from "./changelog-routes.ts";
import { readyLines, sendData, sendRendered, toCacheControl } from "./data.ts";
import { exampleOf, sendProblem } from "./error-replies.ts";
import { isSent, resume, sendRaw, type Exchange } from "./http-exchange.ts";
import type { Gate } from "./gate.ts";
import type { Handler, Handlers } from "./handler.ts";
import { createMcpHandler, type McpHandlerDeps, type McpRules } from "./mcp-handler.ts";
import { JSON_TYPE } from "./reply-headers.ts";
import { Rendered } from "./rendered.ts";
import { createOpenApiHandler } from "./openapi.ts";
import { createLegacyHandlers, type LegacyHandlerDeps } from "./legacy-handlers.ts";
import { createSearchHandlers, type SearchHandlerDeps } from "./search-handlers.ts";
import { StreamMinutes } from "./stream-minutes.ts";
import { createLiveHandlers, type LiveHandlerDeps } from "./live-handlers.ts";
import { createLiveTileHandler, type LiveTileDeps } from "./live-tile-handler.ts";
import {
  createPlaceHandler,
  createPlaceHistoryHandler,
  type PlaceHandlerDeps,
} from "./place-handler.ts";
import { createWalkHandlers, type WalkHandlerDeps } from "./walk-handlers.ts";

export type HandlerDeps = SearchHandlerDeps &
  WalkHandlerDeps &
  LiveHandlerDeps &
  LiveTileDeps &
  PlaceHandlerDeps &
  GbfsHandlerDeps &
  CapabilityHandlerDeps &
  LegacyHandlerDeps &
  McpHandlerDeps & {
    gate: Gate;
    profile: Profile;
    clock: Clock;
    /** The system's clock, for moments that callers know (decision 24); absent: that of `clock`. */
    wall?: () => number;
    nearby: Nearby;
    renderNearby: RenderNearby;
    sources: ListSources;
    history: Pick<SourceHistory, "addTo">;
    readQuality: ReadQuality;
    /** Deployment whose constants the description states. */
    deployment: Deployment;
    /** null: not published. */
    changelog: ChangelogDocument | null;
  };
export type HandlerConfig = {
  deadlines_ms: Deadlines;
  /** Pages that may call /mcp, and what it offers. */
  mcp: McpRules;
  version: string;
  service: string;
};

export function createHandlers(deps: HandlerDeps, config: HandlerConfig): Handlers {
  const { deadlines_ms } = config;
  const minutes = new StreamMinutes(deps);
  return {
    getHealth: createHealthHandler(deps.wall ?? deps.clock.now, config),
    getOpenApi: createOpenApiHandler(deps.deployment),
    getChangelog: createChangelogHandler(deps.changelog),
    getNearby: createNearbyHandler(deps, config),
    getMe: createMeHandler(deps),
    listSources: createSourcesHandler(deps),
    getSourceQuality: createQualityHandler(deps),
    ...createSearchHandlers(deps, deadlines_ms),
    ...createWalkHandlers(deps, deadlines_ms),
    ...createLiveHandlers(deps, deadlines_ms, minutes),
    getLiveTile: createLiveTileHandler(deps, deadlines_ms),
    getPlace: createPlaceHandler(deps, deadlines_ms),
    getPlaceHistory: createPlaceHistoryHandler(deps),
    ...createGbfsHandlers(deps, deadlines_ms),
    ...createCapabilityHandlers(deps, deadlines_ms),
    ...createLegacyHandlers(deps, deadlines_ms),
    callMcp: createMcpHandler(deps, config.mcp, minutes),
  };
}

function createHealthHandler(wall: () => number, { service, version }: HandlerConfig): Handler {
  return (exchange) => {
    const time = new Date(wall()).toISOString();
    const headers = ["content-type", JSON_TYPE, "cache-control", "no-store"];
    sendRaw(exchange, {
      status: 200,
      headers,
      body: JSON.stringify({ status: "ok", service, version, time }),
    });
  };
}

const NEARBY = findOperation("getNearby");

function createNearbyHandler(deps: HandlerDeps, config: HandlerConfig): Handler {
  const { clock, nearby } = deps;
  const budget_ms = config.deadlines_ms.nearby;
  return (exchange, caller, value) => {
    const now_ms = clock.now();
    const reply = nearby({
      question: value as NearbyQuestion,
      caller: caller as Caller,
      remaining_units: exchange.remaining_units,
      freshness_policy: null,
      deadline_ms: now_ms + budget_ms,
      now_ms,
    });
    if (!(reply instanceof Promise)) return sendNearby(deps, exchange, caller as Caller, reply);
    return reply.then((late) => {
      resume(exchange);
      return sendNearby(deps, exchange, caller as Caller, late);
    });
  };
}

function sendNearby(
  { gate, renderNearby }: HandlerDeps,
  exchange: Exchange,
  caller: Caller,
  reply: NearbyReply,
): void | Promise<void> {
  if (reply.kind === "refused") return sendProblem(exchange, NEARBY, reply);
  const { format } = reply.input.question;
  const cache_control = toCacheControl(caller.kind, reply.max_age_s);
  const ready = readyLines(NEARBY, NEARBY_TYPES[format], cache_control, exchange.token_used);
  const metered = { void: false, objects: reply.objects, maps_categories: 0 };
  const send = (): void => {
    renderNearby(reply, (body) => {
      sendData(exchange, { status: 200, ready, headers: [], body });
      return isSent(exchange);
    });
  };
  return gate.release(exchange, { operation: NEARBY, caller, metered }, { send });
}

const ME = findOperation("getMe");
const SOURCES = findOperation("listSources");
const STORE_UNAVAILABLE = exampleOf("store_unavailable");

/**
 * Answers with the caller's identity and limits (decisions, metering); changes with every reply.
 */
function createMeHandler({ clock, profile, wall = clock.now }: HandlerDeps): Handlers["getMe"] {
  return (exchange, caller) => {
    const body = profile(caller, wall());
    if (body === null) return sendProblem(exchange, ME, STORE_UNAVAILABLE);
    const ready = readyLines(ME, JSON_TYPE, "no-store", exchange.token_used);
    sendData(exchange, { status: 200, ready, headers: [], body: JSON.stringify(body) });
  };
}

/** The states of sources change quickly; a page that polls them must see it. */
const SOURCES_MAX_AGE_S = 5;

/** With thousands of sources the list is megabytes: rendered once for all requests in this time. */
const ALL_SOURCES_MS = 2_000;

/** Attempts are added to it as they end; a page need not see each of them. */
const ALL_HISTORY_MS = 30_000;

function createSourcesHandler(deps: HandlerDeps): Handlers["listSources"] {
  const { sources: list, clock, history } = deps;
  const render = (sources: SourceItem[]): string => JSON.stringify({ sources });
  const { history_max, history_near_max } = LIMITS.sources;
  const all = new Rendered(clock, ALL_SOURCES_MS, () => render(list()));
  const allHistory = new Rendered(clock, ALL_HISTORY_MS, () =>
    render(history.addTo(list(), history_max)),
  );
  return (exchange, caller, { lat, lon, radius, history: span }) => {
    const reach = Math.min(radius, LIMITS.sources.radius_max);
    const located = lat !== undefined && lon !== undefined;
    const cache_control = toCacheControl(caller.kind, SOURCES_MAX_AGE_S);
    const ready = readyLines(SOURCES, JSON_TYPE, cache_control, exchange.token_used);
    if (!located) return sendRendered(exchange, { status: 200, ready }, span ? allHistory : all);
    const sources = list({ lat, lon, radius: reach });
    return sendData(exchange, {
      status: 200,
      ready,
      headers: [],
      body: render(span ? history.addTo(sources, history_near_max) : sources),
    });
  };
}

const QUALITY = findOperation("getSourceQuality");
const UNKNOWN_SOURCE = exampleOf("unknown_source");

function createQualityHandler({ readQuality }: HandlerDeps): Handlers["getSourceQuality"] {
  return (exchange, caller, { id }) => {
    const body = readQuality(id);
    if (body === null) return sendProblem(exchange, QUALITY, UNKNOWN_SOURCE);
    const cache_control = toCacheControl(caller.kind, SOURCES_MAX_AGE_S);
    const ready = readyLines(QUALITY, JSON_TYPE, cache_control, exchange.token_used);
    return sendData(exchange, { status: 200, ready, headers: [], body: JSON.stringify(body) });
  };
}
