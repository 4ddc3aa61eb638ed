/** The legacy routes (§4.10 to §4.12): a question, its deadline, its reply in the historic shape. */
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import type { Caller } from "#app/access/request-caller.ts";
import type { LegacyReply } from "#app/legacy/legacy-reply.ts";
import type { LegacyVehicleSearch as Vehicles } from "#app/legacy/legacy-vehicles.ts";
import type { LegacyWaterSearch } from "#app/legacy/water-search.ts";
import type { Operation } from "#api/operation.ts";
import { type Deadlines, findOperation } from "#api/operations.ts";
import type { Clock } from "#ports.ts";
import { dataLines, sendData, toCacheControl } from "./data.ts";
import { sendProblem } from "./error-replies.ts";
import { resume } from "./http-exchange.ts";
import type { Gate } from "./gate.ts";
import type { Handler, Handlers, QuestionOf, ReplyOf } from "./handler.ts";
import { JSON_TYPE } from "./reply-headers.ts";

export type LegacyHandlerDeps = {
  clock: Clock;
  gate: Gate;
  legacy: { vehicles: Vehicles; water: LegacyWaterSearch };
};

type LegacyId = "getLegacyWater" | "getLegacyVehicles" | "getLegacyScooters";

export function createLegacyHandlers(
  { clock, gate, legacy }: LegacyHandlerDeps,
  deadlines_ms: Deadlines,
): Pick<Handlers, LegacyId> {
  type Times = { now_ms: number; deadline_ms: number };
  const listing = <Id extends LegacyId>(
    id: Id,
    ask: (question: QuestionOf<Id> & Times) => Promise<LegacyReply<ReplyOf<Id>>>,
  ): Handler<QuestionOf<Id>, Caller> => {
    const operation: Operation = findOperation<LegacyId>(id);
    const budget_ms = deadlines_ms[findOperation<LegacyId>(id).deadline.name];
    return async (exchange, caller, question) => {
      const now_ms = clock.now();
      const reply = await ask({ ...question, now_ms, deadline_ms: now_ms + budget_ms });
      resume(exchange);
      if (reply.kind !== "ok") return sendProblem(exchange, operation, toProblem(reply));
      const { body, shown, partial, max_age_s } = reply;
      const cache_control = toCacheControl(caller.kind, max_age_s);
      const ready = dataLines(operation, JSON_TYPE, cache_control, {
        token_used: exchange.token_used,
        successor: operation.successor,
      });
      const headers = partial ? ["x-coverage", "partial"] : [];
      const send = (): void =>
        sendData(exchange, { status: 200, ready, headers, body: JSON.stringify(body) });
      const metered = { ...ONE_ANSWER, void: partial && shown === 0 };
      return gate.release(exchange, { operation, caller, metered }, { send });
    };
  };
  return {
    getLegacyWater: listing("getLegacyWater", legacy.water),
    getLegacyVehicles: listing("getLegacyVehicles", legacy.vehicles.ofBrand),
    getLegacyScooters: listing("getLegacyScooters", legacy.vehicles.scooters),
  };
}

/** A longer list would be unreadable. */
const MOST_NAMED = 200;

const NONE_KNOWN = "no such provider; no system of shared mobility is configured";

function toProblem(reply: Exclude<LegacyReply, { kind: "ok" }>) {
  if (reply.kind === "failed") {
    const { code, message, retry_after_s } = reply;
    return { code, message, retry_after_s };
  }
  if (reply.known.length === 0) return { code: "unknown_provider" as const, message: NONE_KNOWN };
  const names = reply.known.slice(0, MOST_NAMED);
  const more = reply.known.length - names.length;
  const rest = more > 0 ? ` and ${more} more` : "";
  const message = `no such provider; known are ${names.join(", ")}${rest}`;
  return { code: "unknown_provider" as const, message };
}
