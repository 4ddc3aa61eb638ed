/** Ways on foot for tests: what a question says where it asks for none, and maps that are functions. */
import { defaultsOf } from "#api/primitives.ts";
import { WALK_PARAMETERS } from "#api/walk.ts";
import type { Location } from "#kit/geo.ts";
import type { Walker } from "#osm/walking.ts";
import type { NoWalkBase, WalkBase, Walks } from "#ports/walks.ts";
import { walksOfBase } from "./fake-walks.ts";

export const NO_WALKS = defaultsOf(WALK_PARAMETERS);

type Finder = Pick<Walker, "walkSteps">;
type Profile = Parameters<Finder["walkSteps"]>[2]["profile"];
type Way = ReturnType<Walker["walkTo"]>[number];
/** Metres, and whether it has no step. */
type Drawn = [meters: number, step_free: boolean | null] | Extract<Way, string>;

const STATEMENT: WalkBase["statement"] = {
  ...{ id: "town", data_at: null, licence: null, attribution: null },
};

/** Ways as `wayOf` says them; `covers`: where streets are known. `searches` counts questions. */
export function drawnWalks(
  wayOf: (start: Location, point: Location, profile: Profile) => Drawn,
  covers: (point: Location) => true | NoWalkBase = () => true,
): Walks & { searches: number } {
  const drawn = {
    searches: 0,
    pin(point: Location) {
      const covered = covers(point);
      const own = { statement: STATEMENT, walker: walker as Walker };
      return Promise.resolve(walksOfBase(covered === true ? own : covered));
    },
  };
  const walker: Finder = {
    *walkSteps(start, points, { most_m, profile }) {
      drawn.searches += 1;
      yield;
      const ways = points.map((point): Way => {
        const way = wayOf(start, point, profile);
        if (typeof way === "string") return way;
        const [meters, step_free] = way;
        if (meters > most_m) return "not_reached";
        return { meters, step_free, from_snap_meters: 0, to_snap_meters: 0 };
      });
      return { ways, looked_m: most_m };
    },
  };
  return drawn;
}

/** No base is there. */
export const UNMAPPED: Walks = walksOfBase("outside_bases");
