/** The parts of an imported base, opened where they lie. */
import { type BaseBorders, openBorders } from "#osm/base/base-borders.ts";
import { type Geocoder, openGeocoder } from "#osm/geocoder/geocoder.ts";
import type { GeocoderMeta } from "#osm/geocoder/geocoder-section.ts";
import { openWalk, type SearchMemories, type WalkMeta, Walker } from "#osm/walking.ts";
import { type BaseMap, openMap } from "#osm/tiles/open-tiles.ts";
import type { MapMeta } from "#osm/tiles/tiles-section.ts";
import type { BaseMeta } from "#osm/base/base-layout.ts";
import { openBasePack, type BasePack } from "#osm/base/open-base.ts";
import type { BaseInterests } from "#core/places/interest.ts";
import { openInterests } from "#providers/openstreetmap/base-interests.ts";
import { type BaseServices, openServices } from "#providers/openstreetmap/base-services.ts";

/** One page, or a base that is one pack. */
export type OpenBase = Pick<BasePack, "meta" | "covers" | "coversCircle"> &
  BaseServices & {
    /** null: it was imported before it had points of interest by class. */
    interests: BaseInterests | null;
    /** null: it was made without one. */
    geocoder: Geocoder | null;
    map: BaseMap | null;
    /** null: no boundary of a country or a region is in it. */
    borders: BaseBorders | null;
    /** null: it was made without ways on foot. */
    walker: Walker | null;
  };

/**
 * null: the bytes are not a whole base of this version. `is_summed`: their checksum was compared. `of`:
 * the base whose page they are.
 */
export function openBase(
  bytes: Uint8Array,
  is_summed = false,
  of: { head: Pick<BaseMeta, "sections">; memories: SearchMemories } | null = null,
): OpenBase | null {
  const pack = openBasePack(bytes, is_summed);
  if (pack === null) return null;
  const { meta, columns, covers, coversCircle } = pack;
  const geocoder = meta.sections["geocoder"] as GeocoderMeta | undefined;
  const map = meta.sections["map"] as MapMeta | undefined;
  const walk = openWalk(
    columns,
    meta.sections["walk"] as WalkMeta | undefined,
    of?.head.sections["walk"] as WalkMeta | undefined,
  );
  return {
    meta,
    covers,
    coversCircle,
    ...openServices(columns, meta.sections["services"]),
    interests: openInterests(columns, meta.sections["interests"]),
    geocoder: geocoder ? openGeocoder(columns, geocoder) : null,
    map: map ? openMap(columns, map) : null,
    borders: geocoder ? openBorders(columns, geocoder.areas) : null,
    walker: walk && new Walker(walk, of?.memories),
  };
}
