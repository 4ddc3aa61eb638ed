/** The base map of a deployment: vector tiles of all its bases. */
import { makeTile } from "#core/base/map/tile.ts";
import type { BaseMaps } from "#ports/base-maps.ts";
import type { Bases } from "./shelf.ts";

export function createBaseMaps(bases: Bases): BaseMaps {
  const listMaps = () =>
    bases.list().flatMap((base) => (base.map?.box ? [{ base, map: base.map }] : []));
  return {
    list: () =>
      listMaps().map(({ base, map }) => ({
        id: base.id,
        box: map.box!,
        version: base.version,
        data_as_of: base.statement.data_at,
      })),
    tile: (z, x, y) =>
      makeTile(
        listMaps().map(({ map }) => map),
        z,
        x,
        y,
      ),
  };
}
