/** What a tile is to show: its place and, of its layers, those that its zoom has. */
import type { TileLayer } from "#api/live.ts";
import { LIMITS } from "#api/limits.ts";
import type { TilePlace } from "./tile-place.ts";

export type TileScope = Record<TileLayer, boolean> & {
  place: TilePlace;
  /** Counts of cells in place of the things. */
  counts: boolean;
  /** Equal for equal scopes. */
  key: string;
};

export function scopeOf({ z, x, y }: TilePlace, layers: readonly TileLayer[]): TileScope {
  const counts = z < LIMITS.live.tile_objects_from;
  const has = (layer: TileLayer): boolean => layers.includes(layer);
  const wanted = {
    stations: has("stations"),
    vehicles: has("vehicles"),
    stops: !counts && has("stops"),
    zones: !counts && has("zones"),
    places: !counts && has("places"),
  };
  return {
    ...wanted,
    place: { z, x, y },
    counts,
    key: `${z}/${x}/${y} ${Object.values(wanted).map(Number).join("")}`,
  };
}
