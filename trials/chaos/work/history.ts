/** All that a run wrote down, to be judged when it is over. */
import type { Answer } from "../check/answers.ts";
import type { Probe } from "../check/availability.ts";
import type { DatasetRead, DatasetWrite } from "../check/datasets.ts";
import type { KeyUse, Revocation } from "../check/keys.ts";
import type { Demand } from "../check/limiter.ts";
import type { Attempt } from "../check/usage.ts";
import type { Fault, Span } from "../check/verdict.ts";

export type History = {
  whole: Span;
  faults: Fault[];
  attempts: Attempt[];
  demands: Demand[];
  revocations: Revocation[];
  uses: KeyUse[];
  writes: DatasetWrite[];
  reads: DatasetRead[];
  answers: Answer[];
  probes: Probe[];
};

export function createHistory(from_ms: number): History {
  return {
    whole: { from_ms, to_ms: from_ms },
    faults: [],
    attempts: [],
    demands: [],
    revocations: [],
    uses: [],
    writes: [],
    reads: [],
    answers: [],
    probes: [],
  };
}
