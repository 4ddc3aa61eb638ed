/** The tiles of the live layer, over the parts that they are drawn from. */
import { hash } from "node:crypto";
import { TileStore } from "#app/live/tiles/live-tiles.ts";
import { createPlaceLookUp } from "#app/live/tiles/place-layer.ts";
import { createStopLookUp } from "#app/live/tiles/stop-layer.ts";
import type { LiveTiles } from "#app/live/live-types.ts";
import { createFindRetained, type HeldDeps } from "#app/places/held.ts";
import type { StatesAt } from "#app/places/open-states.ts";
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { Turns } from "#http/pages/page-turns.ts";
import type { Inputs, Made } from "./parts/given.ts";
import type { OpenFeeds } from "./open-feeds.ts";

type Input = Pick<Inputs, "clock" | "onFault" | "serving"> &
  Pick<Made, "transit" | "whereabouts"> & { feeds: OpenFeeds };

export function openLiveTiles(
  { clock, onFault, serving, feeds: { world, feeds }, transit, whereabouts }: Input,
  { held, openStates }: { held: HeldDeps; openStates: StatesAt },
): LiveTiles {
  const turns = new Turns(BOUNDS_OF_ALL.live_tiles, (error) => onFault("live tiles", error));
  const timetables = transit.finders.find(
    ({ provider, isHeld }) => provider === "gtfs" && isHeld === true,
  );
  return new TileStore({
    ...{ world, feeds, clock, countries: whereabouts.countries.load },
    turns: {
      take: (work, block) =>
        turns.take(() => {
          // The request for which a tile is drawn pays for it.
          serving.resume();
          return work();
        }, block),
    },
    hash: (bytes) => hash("sha256", bytes, "base64url"),
    stops: timetables ? createStopLookUp(timetables) : null,
    places: createPlaceLookUp(createFindRetained(held), openStates),
  });
}
