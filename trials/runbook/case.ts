/** What a case of the runbook is made of: a fault, what is seen of it, the documented cure. */
import type { Stage, StageKind } from "./stage.ts";

export type Doc = "operations" | "accounts" | "fleet" | "compose";

export type FaultCase = {
  name: string;
  stage: StageKind;
  /** Passages of the documents that it tries, word for word. */
  says: readonly [doc: Doc, passage: string][];
  /** null: it was done; otherwise why it cannot be done here. */
  fault(stage: Stage): Promise<string | null>;
  seen: Seen;
  /** What still works, and what does not, while the fault lasts; what is wrong of that. */
  during?(stage: Stage): Promise<string[]>;
  /** What callers may get while the fault lasts, in addition to 200, such as `keyed 503 store_unavailable`. */
  allowed?: readonly string[];
  /** Bringing it about starts nodes again: callers count from then on. */
  restarts?: true;
  /** Nodes whose callers do not count, since the fault is theirs. */
  victims?: readonly number[];
  /** As the passages say. */
  cure(stage: Stage): Promise<void>;
  /** What must hold afterwards, in addition to the answers; what is wrong of that. */
  after?(stage: Stage): Promise<string[]>;
};

type Seen = {
  /** Expressions that have a result while the fault lasts, and none before. */
  metrics: readonly string[];
  /** Line of the log of any node, written since the fault. */
  log: RegExp | null;
  /** Names of the alerts that must fire. */
  alerts: readonly string[];
  /** How long after the minute the product itself takes by design, s, with the reason. */
  later?: readonly [seconds: number, because: string];
};

/** What a case has shown. */
export type Row = {
  name: string;
  /** Seconds after the fault; null: not in time. */
  metric_s: number | null;
  log_s: number | null;
  alerts: readonly { alert: string; after_s: number | null; bound_s: number }[];
  /** Seconds after the cure: metric and alerts back, answers right. */
  back_s: number | null;
  /** Callers while it lasted, by outcome. */
  callers: ReadonlyMap<string, number>;
  findings: readonly string[];
  skipped: string | null;
};
