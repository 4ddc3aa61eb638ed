/** Points of questions: at corners and edges of the cells of pages, and where an extract has nodes. */
import type { Dice } from "../dice.ts";

export type Point = { lat: number; lon: number };

/** Smallest cells of pages; the trial places the middles of towns at their corners. */
const CELL_ZOOM = 11;
const METRE = 1 / 111_320;

/** Near a corner of cells, at an edge of one, or where the map has a node. */
export function placeOf(
  objects: { points: readonly Point[] },
  corners: readonly Point[],
  dice: Dice,
): Point {
  const roll = dice.next();
  if (roll < 0.35) return near(dice.pick(corners), dice.pick([20, 300, 2_000]), dice);
  const point = dice.pick(objects.points);
  if (roll < 0.6) return toEdge(near(point, 100, dice), dice);
  return near(point, dice.pick([5, 100, 3_000]), dice);
}

export function near({ lat, lon }: Point, metres: number, dice: Dice): Point {
  const wide = Math.cos((lat * Math.PI) / 180);
  return {
    lat: lat + dice.between(-1, 1) * metres * METRE,
    lon: lon + (dice.between(-1, 1) * metres * METRE) / wide,
  };
}

/** On the line between two cells, or a few metres next to it. */
function toEdge({ lat, lon }: Point, dice: Dice): Point {
  const off = dice.pick([0, 3, -3, 40, -40]) * METRE;
  const edge = cornerNear({ lat, lon }, CELL_ZOOM);
  return dice.chance(0.5) ? { lat: edge.lat + off, lon } : { lat, lon: edge.lon + off };
}

/** The nearest corner of the cells of a zoom. */
export function cornerNear({ lat, lon }: Point, zoom: number): Point {
  const size = 2 ** zoom;
  const y = Math.round(southOf(lat) * size) / size;
  const x = Math.round((lon / 360 + 0.5) * size) / size;
  return {
    lat: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI,
    lon: (x - 0.5) * 360,
  };
}

/** The tile of a zoom that holds a point. */
export function tileAt({ lat, lon }: Point, z: number): string {
  const size = 2 ** z;
  const y = Math.floor(southOf(lat) * size);
  return `/tiles/${z}/${Math.floor((lon / 360 + 0.5) * size)}/${y}.mvt`;
}

/** How far south of the edge of the map, as a share of it. */
function southOf(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}
