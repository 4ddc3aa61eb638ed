/** Geocoding, urban services, parking, charging (§4.3 to §4.7): a question, its deadline, its reply. */
import type { Caller } from "#app/types.ts";
import type {
  GeocodeQuestion,
  GeocodeReply,
  ReverseQuestion,
  SearchQuestion,
} from "#app/places/geocoding.ts";
import type { Searches } from "#app/places/searches.ts";
import type { Search, SearchInput, SearchReply } from "#app/places/services.ts";
import { errorRow } from "#contract/errors.ts";
import type { Operation } from "#contract/operation.ts";
import { listOperations, type OperationId } from "#contract/operations.ts";
import type { Clock } from "#ports.ts";
import { readyLines, sendData, toCacheControl } from "./data.ts";
import { sendProblem } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { Handler } from "./handler.ts";
import { JSON_TYPE } from "./headers.ts";

export type SearchHandlerDeps = { clock: Clock; searches: Searches };
export type SearchConfig = {
  deadlines_ms: {
    geocoding: number;
    services: number;
    parking: number;
    charging: number;
    transport: number;
  };
};

type SearchId = Extract<
  OperationId,
  | "geocode"
  | "searchPlaces"
  | "reverseGeocode"
  | "getServicesNearby"
  | "getParkingNearby"
  | "getChargingNearby"
  | "getTransportNearby"
>;

export function createSearchHandlers(
  deps: SearchHandlerDeps,
  { deadlines_ms }: SearchConfig,
): Record<SearchId, Handler> {
  const { clock, searches } = deps;
  const { geocoding, services, parking, charging, transport } = searches;
  const searching = <Q>(budget_ms: number, search: Search<Q>): Handler =>
    asking(clock, budget_ms, search, sendFound);
  const locating = <Q>(id: SearchId, search: (input: SearchInput<Q>) => Promise<GeocodeReply>) => {
    const operation = listOperations().find((each) => each.id === id)!;
    return asking(clock, deadlines_ms.geocoding, search, (exchange, caller, reply) =>
      sendCandidates(operation, exchange, caller, reply),
    );
  };
  return {
    geocode: locating<GeocodeQuestion>("geocode", geocoding.geocode),
    searchPlaces: locating<SearchQuestion>("searchPlaces", geocoding.search),
    reverseGeocode: locating<ReverseQuestion>("reverseGeocode", geocoding.reverse),
    getServicesNearby: searching(deadlines_ms.services, services),
    getParkingNearby: searching(deadlines_ms.parking, parking),
    getChargingNearby: searching(deadlines_ms.charging, charging),
    getTransportNearby: searching(deadlines_ms.transport, transport),
  };
}

type Send<R> = (exchange: Exchange, caller: Caller, reply: R) => void;

function asking<Q, R>(
  clock: Clock,
  budget_ms: number,
  ask: (input: SearchInput<Q>) => Promise<R>,
  send: Send<R>,
): Handler {
  return async (exchange, caller, value) => {
    const now_ms = clock.now();
    const presence = watch(exchange);
    const reply = await ask({
      ...{ question: value as Q, deadline_ms: now_ms + budget_ms, now_ms },
      signal: presence.signal,
    });
    presence.end();
    send(exchange, caller as Caller, reply);
  };
}

/** Aborts when the caller leaves before he was answered. */
function watch({ reply }: Exchange): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const leave = (): void => controller.abort();
  if (reply.raw.destroyed) leave();
  else reply.raw.once("close", leave);
  return { signal: controller.signal, end: () => reply.raw.off("close", leave) };
}

function sendFound(exchange: Exchange, caller: Caller, { body, max_age_s }: SearchReply): void {
  sendJson(exchange, caller, body, max_age_s);
}

function sendJson(
  exchange: Exchange,
  caller: Caller,
  body: object,
  max_age_s: number | null,
): void {
  const cache_control = toCacheControl(caller.kind, max_age_s);
  const ready = readyLines(JSON_TYPE, cache_control, exchange.token_used);
  sendData(exchange, { status: 200, ready, headers: [], body: JSON.stringify(body) });
}

function sendCandidates(
  operation: Operation,
  exchange: Exchange,
  caller: Caller,
  reply: GeocodeReply,
): void {
  if (reply.kind === "ok") return sendJson(exchange, caller, reply.body, reply.max_age_s);
  const { code, retry_after_s } = reply;
  sendProblem(exchange, operation, { code, message: errorRow(code).example, retry_after_s });
}
