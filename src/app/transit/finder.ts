/** A source of public transport stations as a question sees it; none is known by name from here. */
import type { FailureStatus } from "#core/outcome.ts";
import type { TransitProvider, TransitStation } from "#core/transit/station.ts";
import type { AskOptions } from "#upstream/lookup/ask.ts";
import type { Circle } from "#world/system-entry.ts";

export type TransitQuestion = AskOptions & {
  circle: Circle;
  language: string | null;
  now_ms: number;
  /** Its deadline, epoch ms. */
  until_ms: number;
};

export type TransitFinding = {
  /** Key of the debug block. */
  key: string;
  status: "ok" | FailureStatus;
  reason: string | null;
  /** The stations of each publisher: within one, every station is another. */
  groups: readonly (readonly TransitStation[])[];
  raw: number;
  calls: number;
  cache: "hit" | "miss" | "partial";
  /** Until when this may be reused, epoch ms; null: it was a failure. */
  good_until_ms: number | null;
};

export type TransitFinder = {
  /** Under which token of `providers` it is asked. */
  provider: TransitProvider;
  key: string;
  /** Absent: always. What is not there is not served by this deployment. */
  isThere?(): boolean;
  covers(question: TransitQuestion): boolean;
  find(question: TransitQuestion): Promise<TransitFinding>;
};
