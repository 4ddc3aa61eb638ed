/** What an operation does once the caller is known and its parameters are decoded. */
import type { Caller } from "#app/access/request-caller.ts";
import type { RouteId, RouteOf } from "#api/mcp-operation.ts";
import type { Content, Operation } from "#api/operation.ts";
import type { OperationId, OperationOf, ReplyAt } from "#api/operations.ts";
import type { Decoded } from "#api/primitives.ts";
import type { Problem } from "./error-replies.ts";
import type { Exchange } from "./http-exchange.ts";

/** A promise only when the answer is not at hand; a rejection is a defect. */
export type Handler<V = Record<string, unknown>, C = Caller | null> = (
  exchange: Exchange,
  caller: C,
  value: V,
) => void | Promise<void>;

/** Of an operation that takes a body: it is read after the credential and before the scope. */
export type BodyHandler<B = unknown> = {
  /**
   * Reads the body; `free`: the execution costs nothing, so no quota is in its way. `caller`: null
   * when it is read to refuse them.
   */
  read(
    exchange: Exchange,
    caller: Caller | null,
    bytes: Uint8Array,
  ): ReadBody<B> | Promise<ReadBody<B>>;
  /** `value`: decoded parameters, and what was read as `body`. */
  run(
    exchange: Exchange,
    caller: Caller,
    value: Record<string, unknown> & { body: B },
  ): void | Promise<void>;
  /** Refuses a caller over their rate in the words of the body that `read` gave. */
  refuse?(exchange: Exchange, problem: Problem, value: B): void | Promise<void>;
};

export type ReadBody<B = unknown> =
  | { ok: true; value: B; free: boolean }
  | ({ ok: false } & Problem);

/** The decoded parameters of a route. */
export type QuestionOf<Id extends RouteId> = Decoded<RouteOf<Id>["parameters"]>;

/** The JSON of a route's 200, as its use case makes it. */
export type ReplyOf<Id extends OperationId> = ReplyAt<OperationOf<Id>["path"]>;

type HandlerOf<Id extends RouteId, O extends Operation> = O extends { body: Content }
  ? BodyHandler
  : Handler<QuestionOf<Id>, O["auth"] extends "none" ? null : Caller>;

/** One for each row of the contract's table: a missing one does not compile. */
export type Handlers = { [Id in RouteId]: HandlerOf<Id, RouteOf<Id>> };
