/** The legacy routes (§4.10 to §4.12b): a question, its deadline, its reply in the historic shape. */
import type { Caller } from "#app/access/caller.ts";
import type { LegacyQuestion, LegacyReply } from "#app/legacy/reply.ts";
import type { LegacyVehicles as Vehicles } from "#app/legacy/vehicles.ts";
import type { LegacyWaterSearch } from "#app/legacy/water.ts";
import { errorRow } from "#contract/errors.ts";
import type { LEGACY_WATER_PARAMETERS } from "#contract/legacy-water.ts";
import { findOperation, type OperationId } from "#contract/operations.ts";
import type { Decoded } from "#contract/primitives.ts";
import type { Clock } from "#ports.ts";
import { dataLines, sendData, toCacheControl } from "./data.ts";
import { sendProblem } from "./errors.ts";
import type { Gate } from "./gate.ts";
import type { Handler } from "./handler.ts";
import { JSON_TYPE } from "./headers.ts";
import { ONE } from "./search-handlers.ts";

export type LegacyHandlerDeps = {
  clock: Clock;
  gate: Gate;
  legacy: { vehicles: Vehicles; water: LegacyWaterSearch };
};
export type LegacyConfig = { deadlines_ms: { legacy: number } };

type LegacyId = Extract<OperationId, "getLegacyWater" | "getLegacyVehicles" | "getLegacyScooters">;

export function createLegacyHandlers(
  { clock, gate, legacy }: LegacyHandlerDeps,
  { deadlines_ms }: LegacyConfig,
): Record<LegacyId, Handler> {
  type Ask = (question: LegacyQuestion, value: Record<string, unknown>) => Promise<LegacyReply>;
  const listing = (id: LegacyId, ask: Ask): Handler => {
    const operation = findOperation(id);
    return async (exchange, caller, value) => {
      const now_ms = clock.now();
      const coords = value["coords"] as LegacyQuestion["coords"];
      const times = { now_ms, deadline_ms: now_ms + deadlines_ms.legacy };
      const reply = await ask({ coords, ...times }, value);
      if (reply.kind !== "ok") return sendProblem(exchange, operation, toProblem(reply));
      const { items, body = items, partial, max_age_s } = reply;
      const cache_control = toCacheControl((caller as Caller).kind, max_age_s);
      const ready = dataLines(JSON_TYPE, cache_control, {
        token_used: exchange.token_used,
        successor: operation.successor,
      });
      const headers = partial ? ["x-coverage", "partial"] : [];
      const send = (): void =>
        sendData(exchange, { status: 200, ready, headers, body: JSON.stringify(body) });
      const metered = { ...ONE, void: partial && items.length === 0 };
      return gate.release(exchange, { operation, caller: caller as Caller, metered }, { send });
    };
  };
  return {
    getLegacyWater: listing("getLegacyWater", (question, value) => {
      const { distance, rows } = value as Decoded<typeof LEGACY_WATER_PARAMETERS>;
      return legacy.water({ ...question, distance, rows });
    }),
    getLegacyVehicles: listing("getLegacyVehicles", (question, { provider }) =>
      legacy.vehicles.ofBrand({ ...question, provider: provider as string }),
    ),
    getLegacyScooters: listing("getLegacyScooters", legacy.vehicles.scooters),
  };
}

/** More would be a list that nobody reads. */
const MOST_NAMED = 200;

function toProblem(reply: Exclude<LegacyReply, { kind: "ok" }>) {
  if (reply.kind === "failed") {
    const { code, message = errorRow(code).example, retry_after_s } = reply;
    return { code, message, retry_after_s };
  }
  const named = reply.known.slice(0, MOST_NAMED);
  const more = reply.known.length - named.length;
  const rest = more > 0 ? ` and ${more} more` : "";
  const message = `no such provider; known are ${named.join(", ")}${rest}`;
  return { code: "unknown_provider" as const, message };
}
