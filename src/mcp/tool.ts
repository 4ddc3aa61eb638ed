/** A tool as the protocol's server sees it: arguments, question and outcome. */
import type { Caller } from "#app/access/caller.ts";
import type { Refusal } from "#app/access/caller.ts";
import type { TermsOf } from "#app/capabilities/observation.ts";
import type { ReadDataset } from "#app/capabilities/read.ts";
import type { SearchCapability } from "#app/capabilities/search.ts";
import type { Searches } from "#app/places/searches.ts";
import type { Metered } from "#core/metering/units.ts";
import type { Clock } from "#ports.ts";

export type ToolDeps = {
  clock: Pick<Clock, "now">;
  searches: Searches;
  search: SearchCapability;
  read: ReadDataset;
  termsOf: TermsOf;
};

/** The caller, the time, and until when the tool's operation may take. */
export type Asking = {
  caller: Caller;
  remaining_units: number | null;
  now_ms: number;
  /** Infinity: the operation has none. */
  deadline_ms: number;
  signal: AbortSignal;
};

/** Outcome of a call. `answer` fits the tool's output schema; `dataset` holds all results. */
export type ToolOutcome =
  | {
      kind: "answered";
      answer: object;
      dataset?: { id: string; version: string; bytes: number } | undefined;
      metered: Omit<Metered, "status">;
    }
  /** `charged`: it was executed, and what came of it is a failure (§7 rule 5): written down, at 0. */
  | ({ kind: "refused"; charged: boolean } & Failure);

/** A code of contract/errors, or of an error observation (§4.8). */
export type Failure = Omit<Refusal, "code"> & { code: string };

/** `args` are decoded by the parameters of contract/agent-tools. */
export type RunTool<A> = (args: A, asking: Asking) => Promise<ToolOutcome>;
