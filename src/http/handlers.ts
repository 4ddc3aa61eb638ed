/** What each operation does once the caller is known and its parameters are decoded. */
import type { Caller, ListSources, Nearby, NearbyQuestion, NearbyReply } from "#app/types.ts";
import { LIMITS } from "#contract/limits.ts";
import { OPERATIONS, type OperationId } from "#contract/operations.ts";
import type { Decoded } from "#contract/primitives.ts";
import type { SOURCES_PARAMETERS } from "#contract/sources.ts";
import type { Clock } from "#ports.ts";
import { sendProblem } from "./errors.ts";
import { sendRaw, type Exchange, type Response } from "./exchange.ts";
import { sendCompressed } from "./compression.ts";
import { type Lines, toLines } from "./head.ts";
import { DEPRECATION_LINK, JSON_TYPE, LICENCE_LINK, TOKEN_DEPRECATION } from "./headers.ts";
import { pickEncoding } from "./negotiate.ts";
import { createOpenApiHandler } from "./openapi.ts";

export type HandlerDeps = { clock: Clock; nearby: Nearby; sources: ListSources };
export type HandlerConfig = {
  deadlines_ms: { nearby: number };
  version: string;
  service: string;
};

/** A promise only when the answer is not at hand; a rejection is a defect. */
export type Handler = (
  exchange: Exchange,
  caller: Caller | null,
  value: Record<string, unknown>,
) => void | Promise<void>;

export function createHandlers(
  deps: HandlerDeps,
  config: HandlerConfig,
): Record<OperationId, Handler> {
  return {
    getHealth: createHealthHandler(deps.clock, config),
    getOpenApi: createOpenApiHandler(),
    getNearby: createNearbyHandler(deps, config),
    listSources: createSourcesHandler(deps.sources),
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

/** Ready-made, since this is said on every answer. */
const PUBLIC = Array.from({ length: LIMITS.cache_max_age_s + 1 }, (_, s) => `public, max-age=${s}`);
const PRIVATE = PUBLIC.map((text) => text.replace("public", "private"));

/** Decisions, Conventions: shared caches may keep anonymous, complete answers for at most 30 s. */
export function toCacheControl(kind: Caller["kind"], max_age_s: number | null): string {
  if (max_age_s === null) return "no-store";
  const seconds = Math.max(0, Math.min(Math.floor(max_age_s), LIMITS.cache_max_age_s));
  return (kind === "anonymous" ? PUBLIC : PRIVATE)[seconds] ?? "no-store";
}

type Data = Response & { ready: Lines; body: Uint8Array | string };

/** A data reply: compressed when that is asked for and worth it. */
function sendData(exchange: Exchange, response: Data): void {
  const { body } = response;
  const accepted = exchange.request.raw.headers["accept-encoding"];
  const worth = accepted !== undefined && body.length >= LIMITS.compress_from_bytes;
  const encoding = worth ? pickEncoding(accepted) : null;
  if (encoding === null) sendRaw(exchange, response);
  else sendCompressed(exchange, response, encoding);
}

const known = new Map<string, Lines>();

/** What a data reply says of itself, ready-made: there are some hundred ways at most. */
function readyLines(content_type: string, cache_control: string, token_used: boolean): Lines {
  const key = `${token_used}${content_type}${cache_control}`;
  let lines = known.get(key);
  if (lines === undefined) {
    lines = toLines([
      ...["content-type", content_type, "cache-control", cache_control],
      ...(token_used ? ["deprecation", TOKEN_DEPRECATION] : []),
      ...["link", token_used ? `${LICENCE_LINK}, ${DEPRECATION_LINK}` : LICENCE_LINK],
      ...["vary", "Accept-Encoding"],
    ]);
    known.set(key, lines);
  }
  return lines;
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
