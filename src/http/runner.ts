/** The checks before an operation is executed, in the order of the decisions (Errors). */
import type { Operation } from "#contract/operation.ts";
import type { CallerFinder } from "./credentials.ts";
import { sendProblem } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { Handler } from "./handler.ts";
import { compileQuery } from "./validation.ts";

export type Run = (exchange: Exchange) => void | Promise<void>;

/** Drain, credential, parameters, execution. */
export function createRunner(
  operation: Operation,
  handler: Handler,
  findCaller: CallerFinder,
): Run {
  const decoder = compileQuery(operation);
  return (exchange) => {
    if (operation.auth === "none") return handler(exchange, null, {});
    if (exchange.wire.drain.phase === "closed") return refuseClosed(exchange, operation);
    const { request } = exchange;
    const slots = decoder.scan(request.query as string);
    const token = decoder.token(slots);
    exchange.token_used = token !== undefined;
    const found = findCaller(request.raw.headers.authorization, token);
    if (!found.ok) return sendProblem(exchange, operation, found);
    const decoded = decoder.decode(slots);
    if (!decoded.ok) return sendProblem(exchange, operation, decoded);
    return handler(exchange, found.caller, decoded.value);
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
