/** What traces are made of (docs/operations.md, Traces). */
import type { SourceStatus } from "./outcome.ts";

/** W3C Trace Context: the span of whoever asks, as he tells it. */
export type TraceParent = { trace_id: string; span_id: string; sampled: boolean };

/** A call to an upstream that has ended. Nothing here may tell what was asked. */
export type TracedCall = {
  provider: string;
  /** Of a lookup or a feed: which of the provider's operations, or which system. */
  operation: string;
  status: SourceStatus;
  /** A token of ours; null: it went well. */
  reason: string | null;
  elapsed_ms: number;
  /** Attempts before this one. */
  resend: number;
  /** null: several requests, to wherever the source publishes. */
  sent: { method: string; host: string } | null;
};
