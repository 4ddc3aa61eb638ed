/** The checks before an operation is executed, in the order of the decisions (Errors). */
import type { Caller } from "#app/access/request-caller.ts";
import type { Operation } from "#api/operation.ts";
import { type Problem, refusal, sendProblem } from "./error-replies.ts";
import { type Exchange, resume } from "./http-exchange.ts";
import type { Entry, Gate } from "./gate.ts";
import { receiveBody } from "./body.ts";
import type { BodyHandler, Handler } from "./handler.ts";
import type { Slots } from "./query-decoder.ts";
import { compileQuery } from "./validation.ts";

/** Attributes calls made while it runs to the request, where requests are traced. */
export function createTracedRun(run: RunOperation): RunOperation {
  return (exchange) => exchange.traced!.run(() => run(exchange));
}

export type RunOperation = (exchange: Exchange) => void | Promise<void>;

/** Runs an operation: drain, caller, parameters and body, permission, execution. */
export function createRunner(
  operation: Operation,
  handler: Handler | BodyHandler,
  gate: Pick<Gate, "enter" | "permit">,
): RunOperation {
  const decoder = compileQuery(operation);
  const execute = (typeof handler === "function" ? handler : handler.run) as Handler;
  const pass = (exchange: Exchange, caller: Caller, value: Value): void | Promise<void> => {
    const problem = gate.permit(exchange, operation, caller, value);
    if (problem === null) return execute(exchange, caller, value);
    if (!(problem instanceof Promise)) return sendProblem(exchange, operation, problem);
    return problem.then((late) =>
      late === null ? execute(exchange, caller, value) : sendProblem(exchange, operation, late),
    );
  };
  const refuse = (exchange: Exchange, problem: Problem): void | Promise<void> => {
    const describe = typeof handler === "function" ? undefined : handler.refuse;
    // Refusals for load or a bad credential are sent as cheaply as possible.
    if (!describe || problem.code !== "rate_limited")
      return sendProblem(exchange, operation, problem);
    return receiveBody(exchange, (bytes) =>
      (handler as BodyHandler).read(exchange, null, bytes),
    ).then((read) =>
      read.ok ? describe(exchange, problem, read.value) : sendProblem(exchange, operation, read),
    );
  };
  const proceed = (exchange: Exchange, slots: Slots, entry: Entry): void | Promise<void> => {
    if (!entry.ok) return refuse(exchange, entry);
    const decoded = decoder.decode(slots, exchange.request.params as Segments);
    if (!decoded.ok) return sendProblem(exchange, operation, decoded);
    const { caller } = entry;
    if (typeof handler === "function") return pass(exchange, caller, decoded.value);
    return receiveBody(exchange, (bytes) => handler.read(exchange, caller, bytes)).then((read) => {
      if (!read.ok) return sendProblem(exchange, operation, read);
      exchange.free = read.free;
      return pass(exchange, caller, { ...decoded.value, body: read.value });
    });
  };
  return (exchange) => {
    if (operation.auth === "none") return execute(exchange, null, {});
    if (exchange.wire.drain.phase === "closed") return refuseClosed(exchange, operation);
    const slots = decoder.scan(exchange.request.query);
    const token = decoder.token(slots);
    exchange.token_used = token !== undefined;
    if (token === undefined && exchange.request.raw.headers.authorization === undefined)
      if (decoder.hasStray(slots)) return sendProblem(exchange, operation, STRAY);
    const entry = gate.enter(exchange, operation, token);
    if (!(entry instanceof Promise)) return proceed(exchange, slots, entry);
    return entry.then((late) => {
      resume(exchange);
      return proceed(exchange, slots, late);
    });
  };
}

/** If it were ignored, the caller would silently be anonymous. */
const STRAY = refusal(
  "invalid_api_key",
  "a key in the query is not read here; send it in the header: Authorization: Bearer <API_KEY>",
);

type Value = Record<string, unknown>;
type Segments = Readonly<Record<string, string>>;

/** 503 where it is documented, else 429 (decisions, Errors). */
function refuseClosed(exchange: Exchange, operation: Operation): void {
  const documents503 = operation.errors[503] !== undefined;
  const code = documents503 ? "shutting_down" : "overloaded";
  sendProblem(exchange, operation, {
    code,
    message: "this instance is shutting down; try again",
  });
}
