/** Who asks, as use cases and faces see it (§5): an address, or a key of an account. */
import { PUBLIC_OWNER } from "#core/datasets/id.ts";
import type { AddressKeys } from "#core/limits/address.ts";
import type { Plan } from "#core/plans.ts";
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

/** Whose units these are: an account's, which its keys share, or those of an address. */
export function ownerOf(caller: Caller): string {
  return caller.kind === "keyed" ? caller.account_id : caller.address.narrow;
}

/** Whose datasets these are: an account's, or everybody's where nobody says who he is (§4.8). */
export function datasetOwnerOf(caller: Caller): string {
  return caller.kind === "keyed" ? caller.account_id : PUBLIC_OWNER;
}

/** Whose datasets he may read: his own account's, and those of everybody. */
export function datasetOwnersOf(caller: Caller): string[] {
  return caller.kind === "keyed" ? [caller.account_id, PUBLIC_OWNER] : [PUBLIC_OWNER];
}
