/** Parts of a trace (docs/operations.md, Traces). */
import type { SourceStatus } from "#kit/outcome.ts";

/** W3C Trace Context: the span of the caller, as the caller states it. */
export type TraceParent = { trace_id: string; span_id: string; sampled: boolean };

/** A call to an upstream that has ended. Nothing here may reveal what was asked. */
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

/** Spans of requests and of the calls made for them (docs/operations.md, Traces). */
export type Tracing = {
  /** A request has come, which may be part of a caller's trace. */
  open(request: {
    method: string;
    route: string | null;
    parent: TraceParent | null;
  }): TracedRequest;
  /** It belongs to the request that it was made for; without one it is not traced. */
  called(call: TracedCall): void;
  /** Hands over what is pending, within seconds. */
  close(): Promise<void>;
};

export type TracedRequest = {
  /** Runs the task: what is called in it, and in whatever follows from it, is called for the request. */
  run<T>(task: () => T): T;
  /**
   * Once the reply is out. `trusted`: a key that is good was shown, so that the caller's wish to have
   * the trace sampled counts. Returns the trace id, for the log.
   */
  end(reply: { status: number; trusted: boolean }): string;
};
