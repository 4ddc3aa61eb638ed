/** What becomes of an event of the feed runtime: a count, a line where it failed, a span. */
import type { TracedCall, Tracing } from "#core/trace.ts";
import { explainFailure } from "#core/failure-words.ts";
import type { NoteFault } from "#kit/guard.ts";
import type { Metrics } from "#http/metrics.ts";
import type { FeedEvent } from "#upstream/feeds/feed-types.ts";

type Say = (fields: object, message: string) => void;
export type FeedWitnesses = {
  metrics: Pick<Metrics, "feedIngested">;
  log: { info: Say; warn: Say };
  /** Receives what was thrown, to be logged once. */
  onFault: NoteFault;
  tracing: Tracing | null;
};

/** Counts every event, and logs each that failed. */
export function noteFeed(
  event: FeedEvent,
  { metrics, log, tracing, onFault }: FeedWitnesses,
): void {
  const { error, ...rest } = event;
  if (event.kind === "dropped") {
    const { source_id, file, seen, dropped } = event;
    return log.info({ source_id, file, seen, dropped }, "rows of a feed were left out");
  }
  if (event.kind === "repeated") {
    const { source_id, files } = event;
    return log.info(
      { source_id, files },
      "files that a discovery lists several times: the first is read",
    );
  }
  metrics.feedIngested(event.outcome);
  if (event.kind === "refresh") tracing?.called(toTracedRefresh(event));
  if (event.kind === "fault") onFault(`feed ${event.source_id}: ${event.reason}`, error);
  else if (event.outcome !== "ok") {
    const { word, message } = explainFailure({
      status: event.outcome,
      reason: event.reason ?? "unexpected",
    });
    log.warn({ ...rest, word, cause: message }, "feed");
  }
}

/** Several requests, to wherever the publisher has put its files. */
function toTracedRefresh({ source_id, outcome, reason, elapsed_ms }: FeedEvent): TracedCall {
  const [provider = source_id] = source_id.split(":");
  const call = { provider, operation: source_id, status: outcome };
  return { ...call, reason, elapsed_ms, resend: 0, sent: null };
}
