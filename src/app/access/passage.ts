/**
 * What a face that carries several operations in one request lets them know of it: who asks, what he
 * may, and where the price of what he gets is written down. Use cases never see it.
 */
import type { ErrorCode } from "#contract/errors.ts";
import type { Operation } from "#contract/operation.ts";
import type { Metered } from "#core/metering/units.ts";
import type { Caller } from "./caller.ts";

export type Refusal = {
  code: ErrorCode;
  message: string;
  /** Which of those the code may have; absent: the one that the operation documents first. */
  status?: number;
  retry_after_s?: number | null;
};

export type Passage = {
  caller: Caller;
  /** Scope, standing, quota; null: go on. `free`: this one costs nothing, though others may. */
  permit(operation: Operation, free: boolean): Refusal | null;
  /** Of the caller's period, once he was permitted; null: any number. */
  remainingUnits(): number | null;
  /** Resolves when the units are written down, or with why the reply must not leave. */
  charge(operation: Operation, metered: Omit<Metered, "status">): Promise<Refusal | null>;
  /** Aborts when the caller leaves. */
  signal: AbortSignal;
};
