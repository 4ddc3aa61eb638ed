/** From which zoom something is shown. */
import type { OsmTags } from "../base/base-features.ts";
import { FULL_BITS, MAX_ZOOM } from "./grid.ts";
import { fameOf } from "./marks.ts";
import type { Kind } from "./tile-kinds.ts";

/** From which sidings are shown: they are many, and no one looks for them. */
const SIDING_ZOOM = 13;
/** Pixels of an area that is worth drawing, and of one that has room for its name. */
const AREA_PX = 12;
const NAMED_PX = 2500;
const LEAST_LABEL_ZOOM = 9;

/** A place of many inhabitants is shown from farther. */
export function zoomOfPoint({ zoom }: Kind, tags: OsmTags): number {
  return Math.max(0, zoom - Math.max(0, fameOf(tags) - 1));
}

export function zoomOfLine({ layer, zoom }: Kind, tags: OsmTags): number {
  return layer === "rail" && tags.has("service") ? SIDING_ZOOM : zoom;
}

/** `size`: twice the area, in units of the full grid. */
export function zoomOfArea({ zoom }: Kind, size: number): number {
  return Math.max(zoom, zoomOfSize(size, AREA_PX));
}

/** Of the name that is written in an area. */
export function zoomOfAreaLabel(size: number): number {
  return Math.max(LEAST_LABEL_ZOOM, zoomOfSize(size, NAMED_PX));
}

/** The zoom at which an area has a number of pixels, at most the last. */
function zoomOfSize(size: number, pixels: number): number {
  const side = Math.sqrt(size / 2 / pixels);
  return Math.min(MAX_ZOOM, Math.max(0, Math.ceil(Math.log2(2 ** (FULL_BITS - 9) / side))));
}
