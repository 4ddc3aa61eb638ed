/** An open base: an extract of the open map becomes one packed file, which geocodes and draws maps. */
export type { BaseSection } from "./base/base-features.ts";
export { type BaseBorders, openBorders } from "./base/base-borders.ts";
export { type BasePack, openBasePack } from "./base/open-base.ts";
export { openGeocoder, type Geocoder } from "./geocoder/geocoder.ts";
export type { GeocodeItem } from "./geocoder/present-answers.ts";
export { createGeocoderSection, type GeocoderMeta } from "./geocoder/geocoder-section.ts";
export {
  type BaseImportOptions,
  type BaseImportResult,
  importBase,
} from "./reader/import-extract.ts";
export {
  cellAt,
  isInCell,
  isWithinCell,
  levelOfZoom,
  PAGE_LEVELS,
  type PageCell,
  type PageLevel,
} from "./pages/page-cell.ts";
export { numbersAround } from "./pages/near-pages.ts";
export { PageTable } from "./pages/page-table.ts";
export { type BaseMap, openMap } from "./tiles/open-tiles.ts";
export { createMapSection, type MapMeta } from "./tiles/tiles-section.ts";
export { makeTile } from "./tiles/tile.ts";
export { openPagedHead, type PagedHead } from "./pages/paged-head.ts";
export { PagedWriter } from "./pages/paged-writer.ts";
export { readPage } from "./pages/read-page.ts";
export { openWalk } from "./walk/walk-graph.ts";
export type { WalkMeta } from "./walk/walk-layout.ts";
export { createWalkSection } from "./walk/walk-section.ts";
export { type FootWay, type NoWay, Walker, type WalkOptions } from "./walk/walker.ts";
