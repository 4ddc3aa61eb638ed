/** The live layer over the world: the hub of its streams, which follows what is shown (docs/live-map.md). */
import { LiveHub } from "#app/live/live-hub.ts";
import { liveBoundsOf } from "#app/live/live-places.ts";
import { createLiveWorld } from "#app/live/live-world.ts";
import { byLabel } from "#http/metric-family.ts";
import { createTurn } from "#kit/run/turn.ts";
import type { OpenFeeds } from "./open-feeds.ts";
import type { Inputs, Made } from "./parts/given.ts";

type Parts = Pick<Made, "metrics" | "whereabouts"> & { feeds: OpenFeeds };

export function openLive({
  clock,
  random,
  options,
  onFault,
  feeds,
  metrics,
  whereabouts,
}: Inputs & Parts): LiveHub {
  const { world } = feeds;
  const hub = new LiveHub({
    ...{ clock, random },
    world: createLiveWorld({
      ...{ world, clock, feeds: feeds.feeds },
      countries: whereabouts.countries.load,
    }),
    turn: createTurn({}),
    bounds: liveBoundsOf(options.config.enforce_limits),
    onFault: (error) => onFault("live streams", error),
  });
  feeds.follow((source_id) => hub.noteShown(source_id));
  metrics.watch("svc_streams_shared", () => byLabel("what", hub.count));
  metrics.watch("svc_stream_work_total", () => byLabel("what", hub.totals));
  return hub;
}
