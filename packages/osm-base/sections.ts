/** What sections of a base are made from, and their columns: for those who make bases without an extract. */
export type { NodeFeature, OsmTags, RelationFeature, WayFeature } from "./base/base-features.ts";
export { columnName } from "./base/base-layout.ts";
export type { ForwardQuery } from "./geocoder/forward.ts";
export { ownColumns } from "./geocoder/own-columns.ts";
export type { CountryAt } from "./geocoder/locality.ts";
export type { GeocoderSection } from "./geocoder/geocoder-section.ts";
export { openView, type View } from "./geocoder/geocoder-view.ts";
