/** The checks before an operation is executed, in the order of the decisions (Errors). */
import type { Operation } from "#contract/operation.ts";
import { sendProblem } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { Entry, Gate } from "./gate.ts";
import type { Handler } from "./handler.ts";
import type { Slots } from "./query.ts";
import { compileQuery } from "./validation.ts";

export type Run = (exchange: Exchange) => void | Promise<void>;

/** Drain, who asks, parameters, what he may, execution. */
export function createRunner(operation: Operation, handler: Handler, gate: Gate): Run {
  const decoder = compileQuery(operation);
  const proceed = (exchange: Exchange, slots: Slots, entry: Entry): void | Promise<void> => {
    if (!entry.ok) return sendProblem(exchange, operation, entry);
    const decoded = decoder.decode(slots);
    if (!decoded.ok) return sendProblem(exchange, operation, decoded);
    const { caller } = entry;
    const problem = gate.permit(exchange, operation, caller, decoded.value);
    if (problem !== null) return sendProblem(exchange, operation, problem);
    return handler(exchange, caller, decoded.value);
  };
  return (exchange) => {
    if (operation.auth === "none") return handler(exchange, null, {});
    if (exchange.wire.drain.phase === "closed") return refuseClosed(exchange, operation);
    const slots = decoder.scan(exchange.request.query as string);
    const token = decoder.token(slots);
    exchange.token_used = token !== undefined;
    const entry = gate.enter(exchange, operation, token);
    if (!(entry instanceof Promise)) return proceed(exchange, slots, entry);
    return entry.then((late) => proceed(exchange, slots, late));
  };
}

/** 503 where it is documented, else 429 (decisions, Errors). */
function refuseClosed(exchange: Exchange, operation: Operation): void {
  const documents503 = operation.errors[503] !== undefined;
  const code = documents503 ? "shutting_down" : "overloaded";
  sendProblem(exchange, operation, {
    code,
    message: "this instance is shutting down; try again",
  });
}
