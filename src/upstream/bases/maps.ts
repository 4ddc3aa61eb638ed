/** The base map of a deployment: vector tiles of all its bases, and of a file where they have none. */
import { CELL_ZOOM } from "#osm/base/cover-cells.ts";
import type { BaseMap } from "#osm/tiles/open-tiles.ts";
import { makeTile } from "#osm/tiles/tile.ts";
import { toUnopenedSource } from "#osm/base/other-version.ts";
import { sayRefusal } from "#core/failure-words.ts";
import type { BaseMapRow, BaseMaps, TileFile } from "#ports/base-maps.ts";
import type { Bases } from "./shelf.ts";

export function createBaseMaps(bases: Bases, file: TileFile | null = null): BaseMaps {
  const listMaps = () =>
    bases.list().flatMap((base) => (base.map_box ? [{ base, box: base.map_box }] : []));
  const covers = (lat: number, lon: number): boolean =>
    listMaps().some(({ base }) => base.covers(lat, lon));
  const make = async (z: number, x: number, y: number): Promise<Uint8Array | null> => {
    using end = new DisposableStack();
    const maps: BaseMap[] = [];
    for (const {
      base: { pages },
    } of listMaps()) {
      const own = end.use(await pages.pin(pages.ofTile(z, x, y)));
      maps.push(...own.pages.flatMap(({ page: { map } }) => map ?? []));
    }
    return makeTile(maps, z, x, y);
  };
  const tileOfBoth = async (z: number, x: number, y: number): Promise<Uint8Array | null> => {
    const wins = probesOf(z, x, y).every(([lat, lon]) => covers(lat, lon));
    return (wins ? null : await file!.tile(z, x, y)) ?? (await make(z, x, y));
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
    tile: file ? tileOfBoth : make,
  };
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
