/** A tool as the protocol's server sees it: arguments, question and outcome. */
import type { Caller, Passage, Refusal } from "#app/access/request-caller.ts";
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import type { ReadDataset } from "#app/capabilities/dataset-read.ts";
import type { SearchCapability } from "#app/capabilities/stored-search.ts";
import type { LookAround } from "#app/surroundings.ts";
import type { Searches } from "#app/places/searches.ts";
import type { FindIntended } from "#app/nearby-beyond.ts";
import type { FindOne } from "#app/nearby-one.ts";
import type { WeatherSoon } from "#app/weather/soon.ts";
import type { AGENT_TOOLS, AgentToolName } from "#api/agent-tools.ts";
import type { Decoded } from "#api/primitives.ts";
import type { Deadlines, findOperation, Immutable, OperationId } from "#api/operations.ts";
import { type Metered, ONE_ANSWER } from "#core/metering/metered-units.ts";
import type { Clock } from "#ports.ts";
import type { Walks } from "#ports/walks.ts";
import type { Static } from "typebox";
import type { Clocks } from "./local.ts";

export type ToolDeps = {
  clock: Pick<Clock, "now">;
  searches: Searches;
  search: SearchCapability;
  read: ReadDataset;
  termsOf: TermsOf;
  findOne: FindOne;
  weather: WeatherSoon;
  lookAround: LookAround;
  findIntended: FindIntended;
  walks: Walks;
} & Clocks & {
    /** Resolves at the next turn of the event loop; absent: what follows needs none. */
    pause?: () => Promise<void>;
  };

/**
 * Waits until its turn, so that searches which begin together follow each other: none of them holds the
 * others' requests up, and all wait for late sources at the same time.
 */
export async function takeTurn({ pause }: Pick<ToolDeps, "pause">, index: number): Promise<void> {
  // A search, its rendering and its reading are a turn each.
  for (let turn = 0; turn < 3 * index; turn++) await pause?.();
}

/** The caller, the time, and until when the tool's operation may take. */
export type ToolCall = {
  caller: Caller;
  remaining_units: number | null;
  now_ms: number;
  /** Infinity: the operation has none. */
  deadline_ms: number;
  signal: AbortSignal;
};

export type ToolTimes = { clock: Pick<Clock, "now">; deadlines_ms: Deadlines };

/** Of one operation, from now on. */
export function toToolCall(
  { deadline }: ReturnType<typeof findOperation>,
  passage: Passage,
  { clock, deadlines_ms }: ToolTimes,
): ToolCall {
  const now_ms = clock.now();
  return {
    caller: passage.caller,
    remaining_units: passage.remainingUnits(),
    now_ms,
    deadline_ms: deadline === null ? Infinity : now_ms + deadlines_ms[deadline.name],
    signal: passage.signal,
  };
}

/** An operation that a tool asked, and what its price depends on. */
export type RequestedOperation = { operation: OperationId; metered: Omit<Metered, "status"> };

/** A search of GET /v1/nearby that a tool made; `objects` is 0 where it failed. */
export function toAskedNearby({ objects }: { objects: number }): RequestedOperation {
  return { operation: "getNearby", metered: { ...ONE_ANSWER, objects } };
}

export type ArgumentsOf<N extends AgentToolName> = Decoded<(typeof AGENT_TOOLS)[N]["parameters"]>;
export type AnswerOf<N extends AgentToolName> = Immutable<
  Static<(typeof AGENT_TOOLS)[N]["output"]>
>;

/**
 * Outcome of a call. `dataset` holds all results. `asked`:
 * what a tool of several questions (`others` or `each` of its row) did ask.
 */
export type ToolOutcome<B = AnswerOf<AgentToolName>> =
  | ({
      kind: "answered";
      answer: B;
      dataset?: { id: string; version: string; bytes: number } | undefined;
    } & ({ metered: Omit<Metered, "status"> } | { requested: readonly RequestedOperation[] }))
  | Refused;

/**
 * `charged`: it was executed, and what came of it is a failure (§7 rule 5): written down, at 0.
 * `asked`: what it did ask, which costs what an answer without results costs.
 */
export type Refused = {
  kind: "refused";
  charged: boolean;
  requested?: readonly RequestedOperation[];
} & ToolFailure;

/** The match that was used, as answers state it; `kind`: its type as a candidate of geocoding. */
export type Near = { label: string; kind: string; lat: number; lon: number };

/** A code of packages/api/errors, or of an error observation (§4.8). */
export type ToolFailure = Omit<Refusal, "code"> & {
  code: string;
  /** What to choose from, where a place was not certain. */
  candidates?: readonly Near[];
  /** What `near` was taken for. */
  near?: Near;
  /** Its message names sources as they call themselves. */
  untrusted_text?: true;
  /** Which place of several it is about. */
  argument?: string;
  /** What is wrong with the other places. */
  others?: readonly ToolFailure[];
};

/** `args` are decoded by the parameters of packages/api/agent-tools, and the answer fits the tool's output. */
export type RunTool<N extends AgentToolName, A = ArgumentsOf<N>> = (
  args: A,
  query: ToolCall,
) => Promise<ToolOutcome<AnswerOf<N>>>;
