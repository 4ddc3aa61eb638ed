/** An open base: an extract of the open map becomes one packed file, which geocodes and draws maps. */
export type { BaseSection } from "./base/features.ts";
export { type BaseBorders, openBorders } from "./base/borders.ts";
export { type BasePack, openBasePack } from "./base/open.ts";
export { openGeocoder, type Geocoder } from "./geocoder/geocoder.ts";
export type { GeocodeItem } from "./geocoder/present.ts";
export { createGeocoderSection, type GeocoderMeta } from "./geocoder/section.ts";
export { type BaseImportOptions, type BaseImportResult, importBase } from "./reader/import.ts";
export { type BaseMap, openMap } from "./tiles/open.ts";
export { createMapSection, type MapMeta } from "./tiles/section.ts";
export { makeTile } from "./tiles/tile.ts";
export { openWalk } from "./walk/graph.ts";
export { createWalkSection, type WalkMeta } from "./walk/section.ts";
export { type FootWay, type NoWay, Walker, type WalkOptions } from "./walk/walker.ts";
