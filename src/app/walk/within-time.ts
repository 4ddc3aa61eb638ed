/** Ways on foot for callers that bring no deadline of their own. */
import type { Clock } from "#ports.ts";
import type { Walks } from "#ports/walks.ts";
import { createDeadline } from "#upstream/deadline.ts";

/** Waits for streets no longer than `most_ms`; what was not read by then is not known. */
export function withinTime(
  walks: Walks,
  clock: Pick<Clock, "now" | "schedule">,
  most_ms: number,
): Walks {
  return {
    async pin(circle, client) {
      using deadline = createDeadline(clock, clock.now() + most_ms, client);
      return await walks.pin(circle, deadline.signal);
    },
  };
}
