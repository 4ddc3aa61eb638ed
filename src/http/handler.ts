/** What an operation does once the caller is known and its parameters are decoded. */
import type { Caller } from "#app/access/caller.ts";
import type { Problem } from "./errors.ts";
import type { Exchange } from "./exchange.ts";

/** A promise only when the answer is not at hand; a rejection is a defect. */
export type Handler = (
  exchange: Exchange,
  caller: Caller | null,
  value: Record<string, unknown>,
) => void | Promise<void>;

/** Of an operation that takes a body: it is read after the credential and before the scope. */
export type BodyHandler = {
  /**
   * What the body says; `free`: whatever comes of it costs nothing, so no quota is in its way.
   * `caller`: null when it is read to refuse him.
   */
  read(exchange: Exchange, caller: Caller | null, bytes: Uint8Array): ReadBody | Promise<ReadBody>;
  /** Decoded parameters, and what was read as `body`. */
  run: Handler;
  /** Of a caller who asks too much: tells him so in the words of the body that `read` gave. */
  refuse?(exchange: Exchange, problem: Problem, value: unknown): void | Promise<void>;
};

export type ReadBody = { ok: true; value: unknown; free: boolean } | ({ ok: false } & Problem);
