/** A tool as the protocol's server sees it: arguments, question and outcome. */
import type { Caller, Passage, Refusal } from "#app/access/caller.ts";
import type { TermsOf } from "#app/capabilities/observation.ts";
import type { ReadDataset } from "#app/capabilities/read.ts";
import type { SearchCapability } from "#app/capabilities/search.ts";
import type { LookAround } from "#app/surroundings.ts";
import type { Searches } from "#app/places/searches.ts";
import type { Deadlines, findOperation } from "#contract/operations.ts";
import type { Metered } from "#core/metering/units.ts";
import type { Clock } from "#ports.ts";

export type ToolDeps = {
  clock: Pick<Clock, "now">;
  searches: Searches;
  search: SearchCapability;
  read: ReadDataset;
  termsOf: TermsOf;
  lookAround: LookAround;
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

export type Times = { clock: Pick<Clock, "now">; deadlines_ms: Deadlines };

/** Of one operation, from now on. */
export function toAsking(
  { deadline }: ReturnType<typeof findOperation>,
  passage: Passage,
  { clock, deadlines_ms }: Times,
): Asking {
  const now_ms = clock.now();
  return {
    caller: passage.caller,
    remaining_units: passage.remainingUnits(),
    now_ms,
    deadline_ms: deadline === null ? Infinity : now_ms + deadlines_ms[deadline.name],
    signal: passage.signal,
  };
}

type Metering = Omit<Metered, "status">;

/** Outcome of a call. `answer` fits the tool's output schema; `dataset` holds all results. */
export type ToolOutcome =
  | {
      kind: "answered";
      answer: object;
      dataset?: { id: string; version: string; bytes: number } | undefined;
      /** Of a tool that runs its operation several times: of each. */
      metered: Metering | readonly Metering[];
    }
  /** `charged`: it was executed, and what came of it is a failure (§7 rule 5): written down, at 0. */
  | ({ kind: "refused"; charged: boolean } & Failure);

/** The match that was used, as answers state it. */
export type Near = { label: string; lat: number; lon: number };
type NearCandidate = Near & { kind: string };

/** A code of contract/errors, or of an error observation (§4.8). */
export type Failure = Omit<Refusal, "code"> & {
  code: string;
  /** What to choose from, where a place was not certain. */
  candidates?: readonly NearCandidate[];
  /** What `near` was taken for. */
  near?: Near;
  /** Which place of several it is about. */
  argument?: string;
  /** What is wrong with the other places. */
  others?: readonly Failure[];
};

/** `args` are decoded by the parameters of contract/agent-tools. */
export type RunTool<A> = (args: A, asking: Asking) => Promise<ToolOutcome>;
