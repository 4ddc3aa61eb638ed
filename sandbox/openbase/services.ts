// Services and docking stations on the open map, as its simulated server has them: the same ids, tags
// and places. What that prints as the middle of a way or relation is the middle of its box here.
import { docksOf, mappedOperators } from "../openmap/docks.ts";
import { type Element, printed } from "../openmap/element.ts";
import type { Sheet } from "../openmap/elements.ts";
import type { World } from "../world/world.ts";
import { type Drawing, type Position, toPosition } from "./drawing.ts";

const HALF_TURN_7 = 1_800_000_000;
/** Half the sides of a building, and of a car park: about 8 and 17 metres. */
const BUILDING_7 = 700;
const PARKING_7 = 1_500;

export function drawServices({ elements }: Sheet, drawing: Drawing): void {
  for (const element of elements) drawElement(element, drawing);
}

/** As one who reads the server's answer has it. */
const placeOf = ({ lat, lon, id }: Element): Position =>
  toPosition({ lat: printed(lat, id % 10), lon: printed(lon, (id + 3) % 10) });

function drawElement(element: Element, drawing: Drawing): void {
  const { type, id, tags } = element;
  const at = placeOf(element);
  if (type === "node") return void drawing.node(at, tags, id);
  const ring = box(at, tags["amenity"] === "parking" ? PARKING_7 : BUILDING_7);
  if (type === "way") return void drawing.area(ring, tags, id);
  const outer = drawing.area(ring, {});
  if (outer === null) return;
  const members = [{ type: "way", id: outer, role: "outer" }] as const;
  drawing.relation(members, { type: "multipolygon", ...tags }, id);
}

/** A box whose middle is exactly there, on one side of the antimeridian. */
function box({ lat7, lon7 }: Position, half_7: number): Position[] {
  const wide_7 = Math.min(half_7, HALF_TURN_7 - Math.abs(lon7));
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const;
  return corners.map(([east, north]) => ({
    lat7: lat7 + north * half_7,
    lon7: lon7 + east * wide_7,
  }));
}

export function drawDocks(world: World, city: World["cities"][number], drawing: Drawing): void {
  for (const operator of mappedOperators(world))
    if (operator.city === city)
      for (const dock of docksOf(world, operator))
        drawing.node(toPosition(dock), dock.tags, dock.id);
}
