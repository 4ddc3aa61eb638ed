/** What a question says of ways on foot where it asks for none. */
import { defaultsOf } from "#api/primitives.ts";
import { WALK_PARAMETERS } from "#api/walk.ts";
import type { Location } from "#kit/geo.ts";
import type { WalkBase, Walks } from "#ports/walks.ts";

export const NO_WALKS = defaultsOf(WALK_PARAMETERS);

const STATEMENT = { id: "town", region: null, data_at: null } as unknown as WalkBase["statement"];

/** Ways of a drawn map: what `wayOf` says of each point; `covers`: where its streets are known. */
export function drawnWalks(
  wayOf: (start: Location, point: Location, profile: WalkOptions["profile"]) => Drawn,
  covers: (point: Location) => ReturnType<Walks["at"]> | true = () => true,
): Walks & { searches: number } {
  const drawn = {
    searches: 0,
    at(start: Location) {
      const covered = covers(start);
      if (covered !== true) return covered;
      const walker = {
        *walkSteps(from: Location, points: readonly Location[], options: WalkOptions) {
          drawn.searches += 1;
          yield;
          return points.map((point): FootWay | NoWay => {
            const way = wayOf(from, point, options.profile);
            if (typeof way === "string") return way;
            const [meters, step_free] = way;
            if (meters > options.most_m) return "not_reached";
            return { meters, step_free, from_snap_meters: 0, to_snap_meters: 0 };
          });
        },
      };
      return { statement: STATEMENT, walker } as unknown as WalkBase;
    },
  };
  return drawn;
}

/** Metres, and whether it has no step. */
type Drawn = [meters: number, step_free: boolean | null] | NoWay;
type WalkOptions = { most_m: number; profile: "foot" | "step_free" };
type FootWay = Exclude<ReturnType<WalkBase["walker"]["walkTo"]>[number], string>;
type NoWay = Extract<ReturnType<WalkBase["walker"]["walkTo"]>[number], string>;

/** No base is there. */
export const UNMAPPED: Walks = { at: () => "outside_bases" };
