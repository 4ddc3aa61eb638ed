/** Stations and vehicles of a tile as counts of its cells: one point in the middle of each that has some. */
import { LayerWriter } from "#osm/tiles/mvt.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { CELLS_A_SIDE, type CellCounts, newCells } from "./cell-counts.ts";
import type { CountsOfSystems } from "./system-counts.ts";
import type { DrawnLayer, ThingQuery } from "./thing-layers.ts";
import { EXTENT, type TilePlace } from "./tile-place.ts";

const CELL = EXTENT / CELLS_A_SIDE;

export class CountLayers {
  readonly #counts: CountsOfSystems;

  constructor(counts: CountsOfSystems) {
    this.#counts = counts;
  }

  /** Makes what is not at hand, a system a step; what is published meanwhile is made by `draw`. */
  *prepare(systems: readonly SystemEntry[], now_ms: number): Generator<void, void> {
    for (const entry of systems) {
      if (this.#counts.has(entry, now_ms)) continue;
      this.#counts.of(entry, now_ms);
      yield;
    }
  }

  draw(systems: readonly SystemEntry[], query: ThingQuery): DrawnLayer[] {
    const { place, stations, vehicles, now_ms } = query;
    const counts = systems.flatMap((entry) => this.#counts.of(entry, now_ms) ?? []);
    const layers: DrawnLayer[] = [];
    if (stations)
      layers.push(
        layerOf(
          "stations",
          counts.map((each) => each.stations),
          place,
        ),
      );
    if (vehicles)
      layers.push(
        layerOf(
          "vehicles",
          counts.flatMap((each) => each.vehicles ?? []),
          place,
        ),
      );
    return layers.filter(({ objects }) => objects > 0);
  }
}

function layerOf(name: string, counts: readonly CellCounts[], place: TilePlace): DrawnLayer {
  const cells = newCells();
  for (const each of counts) each.addTile(place, cells);
  const writer = new LayerWriter(name, EXTENT);
  const shared = writer.tagsOf([]);
  let objects = 0;
  for (let row = 0; row < CELLS_A_SIDE; row++)
    for (let column = 0; column < CELLS_A_SIDE; column++) {
      const count = cells[row * CELLS_A_SIDE + column]!;
      if (count === 0) continue;
      objects++;
      writer.point({ x: middleOf(column), y: middleOf(row) }, shared, [["count", count]]);
    }
  return { writer, objects };
}

function middleOf(cell: number): number {
  return (cell + 0.5) * CELL;
}
