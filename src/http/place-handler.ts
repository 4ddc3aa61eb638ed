/** GET /v1/places/{id}: a station, vehicle or service by its id; with /history, what it had free lately. */
import type { ReadPlaceHistory } from "#app/history/place-history.ts";
import type { FindPlaceById } from "#app/nearby-one.ts";
import { LIMITS } from "#api/limits.ts";
import { type Deadlines, findOperation } from "#api/operations.ts";
import type { Clock } from "#ports.ts";
import { readyLines, sendData, toCacheControl } from "./data.ts";
import { exampleOf, refusal, sendProblem } from "./error-replies.ts";
import type { Gate } from "./gate.ts";
import type { Handlers } from "./handler.ts";
import { resume } from "./http-exchange.ts";
import { JSON_TYPE } from "./reply-headers.ts";

export type PlaceHandlerDeps = {
  clock: Clock;
  gate: Gate;
  findPlace: FindPlaceById;
  readPlaceHistory: ReadPlaceHistory;
};

const PLACE = findOperation("getPlace");
const HALF_POINT = refusal("invalid_request", "lat and lon must be given together, or neither");
const NO_POINT = refusal(
  "invalid_request",
  "lat and lon must be given with this id: where it was shown; a station alone needs no point",
);

export function createPlaceHandler(
  { clock, gate, findPlace }: PlaceHandlerDeps,
  deadlines_ms: Deadlines,
): Handlers["getPlace"] {
  return async (exchange, caller, { id, lat, lon }) => {
    if ((lat === undefined) !== (lon === undefined))
      return sendProblem(exchange, PLACE, HALF_POINT);
    const at = lat === undefined || lon === undefined ? null : { lat, lon };
    const now_ms = clock.now();
    const match = await findPlace(
      { id, at },
      {
        caller,
        remaining_units: exchange.remaining_units,
        deadline_ms: now_ms + deadlines_ms.nearby,
        now_ms,
      },
    );
    resume(exchange);
    if (match === "point") return sendProblem(exchange, PLACE, NO_POINT);
    if (match === null) return sendProblem(exchange, PLACE, exampleOf("unknown_place"));
    const { body, found, max_age_s } = match;
    const send = (): void => {
      resume(exchange);
      const cache_control = toCacheControl(caller.kind, max_age_s);
      const ready = readyLines(PLACE, JSON_TYPE, cache_control, exchange.token_used);
      sendData(exchange, { status: 200, ready, headers: [], body: JSON.stringify(body) });
    };
    const metered = { void: !found, objects: found ? 1 : 0, maps_categories: 0 };
    return gate.release(exchange, { operation: PLACE, caller, metered }, { send });
  };
}

const HISTORY = findOperation("getPlaceHistory");
/** A sample is of ten minutes. */
const HISTORY_MAX_AGE_S = LIMITS.cache_max_age_s;

export function createPlaceHistoryHandler({
  clock,
  gate,
  readPlaceHistory,
}: PlaceHandlerDeps): Handlers["getPlaceHistory"] {
  return (exchange, caller, { id }) => {
    const body = readPlaceHistory(id, clock.now());
    if (body === null) return sendProblem(exchange, HISTORY, exampleOf("unknown_place"));
    const send = (): void => {
      const cache_control = toCacheControl(caller.kind, HISTORY_MAX_AGE_S);
      const ready = readyLines(HISTORY, JSON_TYPE, cache_control, exchange.token_used);
      sendData(exchange, { status: 200, ready, headers: [], body: JSON.stringify(body) });
    };
    const isEmpty = body.samples.length === 0;
    const metered = { void: isEmpty, objects: isEmpty ? 0 : 1, maps_categories: 0 };
    return gate.release(exchange, { operation: HISTORY, caller, metered }, { send });
  };
}
