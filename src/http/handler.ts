/** What an operation does once the caller is known and its parameters are decoded. */
import type { Caller } from "#app/access/caller.ts";
import type { Exchange } from "./exchange.ts";

/** A promise only when the answer is not at hand; a rejection is a defect. */
export type Handler = (
  exchange: Exchange,
  caller: Caller | null,
  value: Record<string, unknown>,
) => void | Promise<void>;
