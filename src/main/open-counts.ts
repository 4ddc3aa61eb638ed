/** The counts of 24 hours of places (app/history), which follow what is shown of stations. */
import { CountRecorder } from "#app/history/count-recorder.ts";
import { byLabel } from "#http/metric-family.ts";
import { createTurn } from "#kit/run/turn.ts";
import type { OpenFeeds } from "./open-feeds.ts";
import type { Inputs, Made } from "./parts/given.ts";

type Parts = Pick<Made, "metrics" | "places"> & { feeds: OpenFeeds };

/** Follows what is shown of stations, from now on. */
export function openCounts({
  options,
  feeds,
  clock,
  places,
  metrics,
  onFault,
}: Inputs & Parts): CountRecorder {
  const counts = new CountRecorder({
    world: feeds.world,
    clock,
    turn: createTurn({}),
    max_mb: options.config.place_history.max_mb,
    maps_id: places.maps.id,
    onFault: (error) => onFault("counts of places", error),
  });
  feeds.follow((source_id) => counts.noteShown(source_id));
  metrics.watch("svc_place_history", () => byLabel("what", counts.size));
  return counts;
}
