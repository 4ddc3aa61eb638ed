/** Whether what is chosen is the nearest on foot, by the simulator's own ways. */
import { distance } from "../../sandbox/geo.ts";
import { type Here, holds, type Truth, type Wants } from "./judge.ts";

type Point = { lat: number; lon: number };
/** Metres on foot to a point; null: there is no way. */
export type WalkTo = (to: Point) => Promise<number | null>;

/** Sources draw a place at most so far from where it is, on either side, and so does a way to it. */
const PIN_M = 40;
const FARTHER_M = 4 * PIN_M;
/** Metres a minute. */
const PACE = 80;

export async function judgeOnFoot(
  chosen: Record<string, unknown>,
  wants: Wants,
  { truth, here, walkTo }: { truth: readonly Truth[]; here: Here; walkTo: WalkTo },
): Promise<boolean> {
  const at = chosen["location"] as Point | undefined;
  if (!at || typeof chosen["walk_minutes"] !== "number") return false;
  const fitting = truth.filter((thing) => holds(thing, wants, here) === true);
  const metres = new Map<Truth, number>();
  for (const thing of fitting) metres.set(thing, (await walkTo(thing.location)) ?? Infinity);
  const nearest_m = Math.min(...metres.values());
  const most_m =
    wants.within_minutes === undefined
      ? nearest_m + FARTHER_M
      : wants.within_minutes * PACE + FARTHER_M;
  return fitting.some(
    (thing) => distance(thing.location, at) <= PIN_M && metres.get(thing)! <= most_m,
  );
}
