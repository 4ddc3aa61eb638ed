/** Callers as use cases and faces see them (§5): an address, or a key of an account. */
import type { ErrorCode } from "#api/errors.ts";
import type { Operation } from "#api/operation.ts";
import { PUBLIC_OWNER } from "#core/datasets/id.ts";
import type { AddressKeys } from "#core/limits/address-block.ts";
import type { Metered } from "#core/metering/metered-units.ts";
import type { Plan } from "#core/plans.ts";
import type { StreamOwner } from "#core/limits/stream-owner.ts";
import type { KeyScope, Standing } from "#ports.ts";

export type AnonymousCaller = { kind: "anonymous"; plan: Plan; address: AddressKeys };

export type KeyedCaller = {
  kind: "keyed";
  plan: Plan;
  key_id: string;
  account_id: string;
  scopes: readonly KeyScope[];
  standing: Standing;
};

export type Caller = AnonymousCaller | KeyedCaller;

/** The owner of a caller's units: the account, whose keys share them, or the address. */
export function ownerOf(caller: Caller): string {
  return caller.kind === "keyed" ? caller.account_id : caller.address.narrow;
}

/** Returns whose streams are bounded together: those of the account, or of the address and its block. */
export function streamOwnerOf(caller: Caller): StreamOwner {
  return {
    own: ownerOf(caller),
    block: caller.kind === "anonymous" ? caller.address.wide : null,
  };
}

/** The owner of a caller's datasets: the account; those of anonymous callers are public (§4.8). */
export function datasetOwnerOf(caller: Caller): string {
  return caller.kind === "keyed" ? caller.account_id : PUBLIC_OWNER;
}

/** The owners whose datasets a caller may read: the own account, and the public. */
export function datasetOwnersOf(caller: Caller): string[] {
  return caller.kind === "keyed" ? [caller.account_id, PUBLIC_OWNER] : [PUBLIC_OWNER];
}

export type Refusal = {
  code: ErrorCode;
  message: string;
  /** One of those the code may have; absent: the one that the operation documents first. */
  status?: number;
  retry_after_s?: number | null;
};

/**
 * Access of one of several operations that a request carries (/mcp): the caller, what it may do, and
 * where the price of the result is recorded. Use cases never see it.
 */
export type Passage = {
  caller: Caller;
  /**
   * Scope, standing, quota; null: go on. `free`: this one costs nothing, though others may. `types`:
   * those asked, where they decide the price.
   */
  permit(
    operation: Operation,
    free: boolean,
    types?: unknown,
  ): Refusal | null | Promise<Refusal | null>;
  /** Of the caller's period, once permitted; null: any number. */
  remainingUnits(): number | null;
  /** Records the units. A refusal: they could not be recorded, and the reply must not leave. */
  charge(operation: Operation, metered: Omit<Metered, "status">): Promise<Refusal | null>;
  /** Aborts when the caller leaves. */
  signal: AbortSignal;
};
