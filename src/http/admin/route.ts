/** Types of the rows of the admin API and of their dependencies. */
import type { Static, TObject, TProperties } from "typebox";
import { Type } from "typebox";
import type { Logger } from "pino";
import type { KeyPrefix } from "#core/keys/key.ts";
import type { Plan } from "#core/plans.ts";
import type { Accounts, Clock, MaybePromise, Usage, UsageRow } from "#ports.ts";
import type { AdminAnswer } from "./admin-answer.ts";

export type AdminApiDeps = {
  accounts: Accounts;
  usage: { listUsage(filter: Parameters<Usage["listUsage"]>[0]): MaybePromise<UsageRow[]> };
  /** Plans that an account may have, by name. */
  plans: Readonly<Record<string, Plan>>;
  /** Prefix of the mode: keys made here work in it alone. */
  key_prefix: KeyPrefix;
  /** Returns this number of bytes of a CSPRNG. */
  draw: (size: number) => Uint8Array;
  clock: Pick<Clock, "now">;
  log: Logger;
  token: string;
  /** Address of the admin listener, which requests may name as their Host. */
  host: string;
};

export type AdminRoute = {
  method: "GET" | "POST" | "PATCH";
  path: string;
  /** Name in the audit log; null: it changes nothing. */
  action: string | null;
  /** Kind of thing that `:id` names. */
  of?: "account" | "key";
  /** The members of the body; of the query, where nothing is changed. */
  takes: TObject;
  run(input: unknown, id: string): AdminAnswer | Promise<AdminAnswer>;
};

type Typed<S extends TObject> = Omit<AdminRoute, "takes" | "run"> & {
  takes: S;
  run(input: Static<S>, id: string): AdminAnswer | Promise<AdminAnswer>;
};

/** Types a row; `run` is called with members that match `takes`. */
export function toRoute<S extends TObject>({ run, ...row }: Typed<S>): AdminRoute {
  return { ...row, run: (input, id) => run(input as Static<S>, id) };
}

/** Describes an object that refuses unlisted members: a typing error must not pass as a wish. */
export function members<const P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

export function planMember({ plans }: Pick<AdminApiDeps, "plans">) {
  return Type.Enum(Object.keys(plans));
}
