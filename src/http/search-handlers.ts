/** Geocoding, urban services, parking, charging (§4.3 to §4.7): a question, its deadline, its reply. */
import type { Caller } from "#app/access/caller.ts";
import type {
  GeocodeQuestion,
  GeocodeReply,
  ReverseQuestion,
  SearchQuestion,
} from "#app/places/geocoding.ts";
import type { Failed } from "#app/one-source.ts";
import type { Searches } from "#app/places/searches.ts";
import type { Search, SearchInput } from "#app/places/services.ts";
import { errorRow } from "#contract/errors.ts";
import type { Operation } from "#contract/operation.ts";
import { findOperation, type OperationId } from "#contract/operations.ts";
import type { Clock } from "#ports.ts";
import { readyLines, sendData, toCacheControl } from "./data.ts";
import { sendProblem } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { Gate } from "./gate.ts";
import type { Handler } from "./handler.ts";
import { JSON_TYPE } from "./headers.ts";
import { watch } from "./presence.ts";

export type SearchHandlerDeps = { clock: Clock; gate: Gate; searches: Searches };
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
  const { clock, gate, searches } = deps;
  const { geocoding, services, parking, charging, transport } = searches;
  const searching = <Q>(id: SearchId, budget_ms: number, search: Search<Q>): Handler => {
    const operation = findOperation(id);
    return asking(clock, budget_ms, search, (exchange, caller, { body, max_age_s, metered }) => {
      const reply = { send: () => sendJson(exchange, caller, body, max_age_s) };
      return gate.release(exchange, { operation, caller, metered }, reply);
    });
  };
  const locating = <Q>(id: SearchId, search: (input: SearchInput<Q>) => Promise<GeocodeReply>) => {
    const operation = findOperation(id);
    return asking(clock, deadlines_ms.geocoding, search, (exchange, caller, reply) => {
      if (reply.kind === "failed") return sendFailed(operation, exchange, reply);
      const send = (): void => sendJson(exchange, caller, reply.body, reply.max_age_s);
      return gate.release(exchange, { operation, caller, metered: ONE }, { send });
    });
  };
  return {
    geocode: locating<GeocodeQuestion>("geocode", geocoding.geocode),
    searchPlaces: locating<SearchQuestion>("searchPlaces", geocoding.search),
    reverseGeocode: locating<ReverseQuestion>("reverseGeocode", geocoding.reverse),
    getServicesNearby: searching("getServicesNearby", deadlines_ms.services, services),
    getParkingNearby: searching("getParkingNearby", deadlines_ms.parking, parking),
    getChargingNearby: searching("getChargingNearby", deadlines_ms.charging, charging),
    getTransportNearby: searching("getTransportNearby", deadlines_ms.transport, transport),
  };
}

/** An empty list of candidates is an answer, and costs as much (§7 rule 2). */
export const ONE = { void: false, objects: 0, maps_categories: 0 };

type Send<R> = (exchange: Exchange, caller: Caller, reply: R) => void | Promise<void>;

export function asking<Q, R>(
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
      ...{ signal: presence.signal, keyed: (caller as Caller).kind === "keyed" },
    });
    presence.end();
    await send(exchange, caller as Caller, reply);
  };
}

export function sendJson(
  exchange: Exchange,
  caller: Caller,
  body: object,
  max_age_s: number | null,
): void {
  const cache_control = toCacheControl(caller.kind, max_age_s);
  const ready = readyLines(JSON_TYPE, cache_control, exchange.token_used);
  sendData(exchange, { status: 200, ready, headers: [], body: JSON.stringify(body) });
}

export function sendFailed(
  operation: Operation,
  exchange: Exchange,
  { code, message = errorRow(code).example, retry_after_s }: Failed,
): void {
  sendProblem(exchange, operation, { code, message, retry_after_s });
}
