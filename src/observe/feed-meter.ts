/** How old and in which state the feeds are: over all of them, since a series each would be thousands. */
import type { Metrics } from "#http/metrics.ts";
import type { FeedInfo } from "#upstream/feeds/feed-types.ts";

/** `now`: epoch milliseconds. */
export function watchFeeds(
  metrics: Pick<Metrics, "watch" | "watchFeedAges">,
  snapshot: () => readonly FeedInfo[],
  now: () => number,
): void {
  // The age of a feed without requests says nothing.
  metrics.watchFeedAges(() =>
    snapshot().flatMap(({ state, last_success_at_ms: at_ms }) =>
      state === "idle" || at_ms === null ? [] : [(now() - at_ms) / 1000],
    ),
  );
  metrics.watch("svc_feeds", () => {
    const states = Map.groupBy(snapshot(), ({ state }) => state);
    return Array.from(states, ([state, { length: value }]) => ({ labels: { state }, value }));
  });
}
