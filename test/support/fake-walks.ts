/** Ways on foot that a test makes up, in place of those of a base's streets. */
import type { Location } from "#kit/geo.ts";
import type { Walker } from "#osm/walking.ts";
import type { PinnedWalks, WalkBase, Walks } from "#ports/walks.ts";

export type FakeWay =
  | { meters: number; step_free: boolean | null }
  | "target_off_network"
  | "no_street_between"
  | "not_reached";

export const FAKE_BASE: WalkBase["statement"] = {
  id: "town",
  data_at: "2026-11-20T00:00:00Z",
  licence: "ODbL-1.0",
  attribution: "© OpenStreetMap contributors",
};

/** Walks that have the ways of one base, pinned and not. */
export function walksOfBase(base: PinnedWalks["base"]): Walks & PinnedWalks {
  const pinned = { base, [Symbol.dispose]: () => undefined };
  return { ...pinned, pin: () => Promise.resolve(pinned) };
}

/** Walks whose ways are what `wayTo` says; longer ones than a question looks for are not reached. */
export function fakeWalks(wayTo: (point: Location) => FakeWay): Walks & PinnedWalks {
  const walker: Pick<Walker, "walkSteps"> = {
    // oxlint-disable-next-line require-yield -- there is nothing to give way for
    *walkSteps(_start, points, { most_m }) {
      const ways = points.map((point) => {
        const way = wayTo(point);
        if (typeof way === "string") return way;
        if (way.meters > most_m) return "not_reached";
        return { ...way, from_snap_meters: 0, to_snap_meters: 0 };
      });
      return { ways, looked_m: most_m };
    },
  };
  return walksOfBase({ statement: FAKE_BASE, walker: walker as Walker });
}
