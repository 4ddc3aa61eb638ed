/** The base map of a deployment: vector tiles of all its bases, and of a file where they have none. */
import { CELL_ZOOM } from "#osm/base/cover-cells.ts";
import { bufferOf, extentOf, FULL_BITS, toLat, toLon } from "#osm/tiles/grid.ts";
import { toUnopenedSource } from "#osm/base/other-version.ts";
import { sayRefusal } from "#core/failure-words.ts";
import type { BaseMapRow, BaseMaps, PinnedTile, TileFile } from "#ports/base-maps.ts";
import type { Bases } from "./shelf.ts";
import { type Tile, TilePages } from "./tile-pages.ts";

export function createBaseMaps(bases: Bases, file: TileFile | null = null): BaseMaps {
  const listMaps = () =>
    bases.list().flatMap((base) => (base.map_box ? [{ base, box: base.map_box }] : []));
  const covers = (lat: number, lon: number): boolean =>
    listMaps().some(({ base }) => base.covers(lat, lon));
  const pin = async (z: number, x: number, y: number, signal?: AbortSignal) => {
    const pages = new TilePages(
      listMaps().flatMap(({ base, box }) => (isTouching(box, { z, x, y }) ? [base.pages] : [])),
      { z, x, y },
      signal,
    );
    await pages.pinMore();
    return pages;
  };
  const pinBoth = async (z: number, x: number, y: number, signal?: AbortSignal) => {
    const wins = probesOf(z, x, y).every(([lat, lon]) => covers(lat, lon));
    return wins
      ? await pin(z, x, y, signal)
      : ofFile(file!, { z, x, y }, await pin(z, x, y, signal));
  };
  return {
    list: () => [
      ...listMaps().map(({ base, box }) => ({
        id: base.id,
        box,
        version: base.version,
        data_as_of: base.statement.data_at,
        attribution: base.statement.attribution,
      })),
      ...(file ? [toRow(file)] : []),
    ],
    listUnopened: () =>
      bases.listUnread().map((base) => {
        const { name, status, reason } = toUnopenedSource(base);
        return { id: base.id, box: base.box, message: sayRefusal(name, { status, reason }) };
      }),
    covers: (lat, lon) => covers(lat, lon) || (file?.covers(lat, lon) ?? false),
    pin: file ? pinBoth : pin,
  };
}

/** The file's tile, or that of the bases where it has none. */
function ofFile(file: TileFile, { z, x, y }: Tile, ofBases: PinnedTile): PinnedTile {
  return {
    async draw() {
      const bytes = await file.tile(z, x, y);
      return bytes ? { bytes, lacks: null } : await ofBases.draw();
    },
    [Symbol.dispose]: () => ofBases[Symbol.dispose](),
  };
}

/** Whether a base has something on a tile or on its margin. */
function isTouching([south, west, north, east]: BaseMapRow["box"], tile: Tile): boolean {
  const size = 2 ** (FULL_BITS - tile.z);
  const margin = bufferOf(tile.z) / extentOf(tile.z);
  const at = (place: number): number => place * size;
  return (
    toLon(at(tile.x - margin)) <= east &&
    toLon(at(tile.x + 1 + margin)) >= west &&
    toLat(at(tile.y - margin)) >= south &&
    toLat(at(tile.y + 1 + margin)) <= north
  );
}

/** No id of a base has a dot. */
function toRow({ name, box, version, attribution }: TileFile): BaseMapRow {
  const id = name.includes(".") ? name : `${name}.pmtiles`;
  return { id, box, version, data_as_of: null, attribution };
}

/**
 * Points of a tile that a base must cover to be drawn instead of the file: its middle, and of a tile
 * that is larger than a cell of coverage the middles of its quarters, too.
 */
function probesOf(z: number, x: number, y: number): [lat: number, lon: number][] {
  const steps = z >= CELL_ZOOM ? [[0.5, 0.5]] : QUARTERS;
  return steps.map(([dx, dy]) => {
    const north = Math.PI * (1 - (2 * (y + dy!)) / 2 ** z);
    const lat = Math.atan(Math.sinh(north)) * (180 / Math.PI);
    return [lat, ((x + dx!) / 2 ** z) * 360 - 180];
  });
}

const QUARTERS = [
  [0.5, 0.5],
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
];
