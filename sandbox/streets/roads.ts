// Roads out of a city.
import { around } from "../geo.ts";
import type { Draft } from "./draft.ts";

const BUILT_M = 2_700;
const ROADS = 12;
const ROAD_STEP_M = 500;
const ROAD_END_M = 9_500;

export function layRoads(draft: Draft): void {
  for (let n = 0; n < ROADS; n += 1) {
    const turn = (n + 0.5) / ROADS;
    const steps = Math.floor((ROAD_END_M - BUILT_M) / ROAD_STEP_M);
    const nodes = Array.from({ length: steps + 1 }, (_, step) =>
      draft.addPoint(
        around(draft.city, turn + 0.004 * Math.sin(step), BUILT_M - 200 + step * ROAD_STEP_M),
      ),
    );
    // It ends at the river.
    const cut = nodes.findIndex((node, i) => i > 0 && draft.isCut(nodes[i - 1]!, node));
    const tags = { highway: n % 2 === 0 ? "primary" : "tertiary" };
    draft.addWay(cut < 0 ? nodes : nodes.slice(0, cut), { tags, footing: "free" });
  }
}
