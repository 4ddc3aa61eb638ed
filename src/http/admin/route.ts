/** What a row of the admin API is, and what its rows are given. */
import type { Static, TObject, TProperties } from "typebox";
import { Type } from "typebox";
import type { Logger } from "pino";
import type { KeyPrefix } from "#core/keys/key.ts";
import type { Plan } from "#core/plans.ts";
import type { Accounts, Clock, MaybePromise, Usage, UsageRow } from "#ports.ts";
import type { Answer } from "./answer.ts";

export type AdminApiDeps = {
  accounts: Accounts;
  usage: { listUsage(filter: Parameters<Usage["listUsage"]>[0]): MaybePromise<UsageRow[]> };
  /** By name: what an account may be on. */
  plans: Readonly<Record<string, Plan>>;
  /** Of the mode: keys made here work in it alone. */
  key_prefix: KeyPrefix;
  /** That many bytes of a CSPRNG. */
  draw: (size: number) => Uint8Array;
  clock: Pick<Clock, "now">;
  log: Logger;
  token: string;
  /** Where the admin listener listens: a name that requests may bear. */
  host: string;
};

export type AdminRoute = {
  method: "GET" | "POST" | "PATCH";
  path: string;
  /** What the audit log calls it; null: it changes nothing. */
  action: string | null;
  /** Which kind of thing `:id` names. */
  of?: "account" | "key";
  /** The members of the body; of the query, where nothing is changed. */
  takes: TObject;
  run(given: unknown, id: string): Answer | Promise<Answer>;
};

type Typed<S extends TObject> = Omit<AdminRoute, "takes" | "run"> & {
  takes: S;
  run(given: Static<S>, id: string): Answer | Promise<Answer>;
};

/** `run` is called with what has been held against `takes`. */
export function toRoute<S extends TObject>({ run, ...row }: Typed<S>): AdminRoute {
  return { ...row, run: (given, id) => run(given as Static<S>, id) };
}

/** Members that are not listed are refused: a typing error must not pass as a wish. */
export function members<const P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

export function planMember({ plans }: Pick<AdminApiDeps, "plans">) {
  return Type.Enum(Object.keys(plans));
}
