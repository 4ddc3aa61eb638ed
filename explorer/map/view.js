/** What of the map is in sight: the page's panels lie over the rest. */
import { toRing, travel } from "./geometry.js";
import { toOutline } from "./outline.js";

/** @typedef {{ lat: number, lon: number }} Point @typedef {{ x: number, y: number }} Pixel */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Padding */

/** The circle is not glued to the edges. */
const MARGIN_PX = 14;

/** Widths that the panels take, in pixels. @returns {Padding} */
export function paddingOf() {
  const style = getComputedStyle(document.documentElement);
  const read = (/** @type {string} */ name) => Number.parseFloat(style.getPropertyValue(name)) || 0;
  return {
    left: read("--map-left"),
    right: read("--map-right"),
    top: read("--map-top"),
    bottom: (read("--map-bottom") / 100) * innerHeight,
  };
}

/** Pixels that a circle may take. @param {HTMLElement} container */
export function roomOf({ clientWidth, clientHeight }) {
  const { left, right, top, bottom } = paddingOf();
  return Math.min(clientWidth - left - right, clientHeight - top - bottom) * 0.86;
}

/** Whether a place on the screen is in sight. @param {HTMLElement} container @param {Pixel} at @param {number} [edge_px] */
export function isInSight({ clientWidth, clientHeight }, { x, y }, edge_px = 0) {
  const { left, right, top, bottom } = paddingOf();
  return (
    x > left + edge_px &&
    x < clientWidth - right - edge_px &&
    y > top + edge_px &&
    y < clientHeight - bottom - edge_px
  );
}

/**
 * How far the map must be moved so that a circle is whole in sight; null: it is already, or it is
 * larger than what is in sight and its middle is there.
 * @param {any} map @param {HTMLElement} container @param {Point} at @param {number} radius_m @returns {[number, number] | null}
 */
export function shiftFor(map, container, at, radius_m) {
  const { left, right, top, bottom } = paddingOf();
  const middle = map.project([at.lon, at.lat]);
  const edge = travel(at, 0, radius_m);
  const reach = Math.abs(map.project([edge.lon, edge.lat]).y - middle.y);
  const along = (
    /** @type {number} */ place,
    /** @type {number} */ low,
    /** @type {number} */ high,
  ) => {
    const own = Math.min(reach, (high - low) / 2 - MARGIN_PX) + MARGIN_PX;
    return Math.min(0, place - own - low) + Math.max(0, place + own - high);
  };
  const shift = /** @type {[number, number]} */ ([
    along(middle.x, left, container.clientWidth - right),
    along(middle.y, top, container.clientHeight - bottom),
  ]);
  const whole = 2 * (reach + MARGIN_PX);
  const room = Math.min(
    container.clientWidth - left - right,
    container.clientHeight - top - bottom,
  );
  if (shift.every((by) => Math.abs(by) < 1)) return null;
  return whole > room && isInSight(container, middle, MARGIN_PX) ? null : shift;
}

/** Moves at once where the reader wants no motion. @param {any} map @param {any} to @param {number} duration_ms */
export function go(map, to, duration_ms) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) map.jumpTo(to);
  else map.easeTo({ ...to, duration: duration_ms });
}

/**
 * Rings of the circle for the map, or in place of it the outline of what can be reached.
 * @param {Point | null} at @param {number} radius_m @param {number} inner_m radius of the inner ring; none where it is as large
 * @param {any} [outline] GeoJSON; null: a circle
 */
export function toCircle(at, radius_m, inner_m, outline = null) {
  const ring = (/** @type {number} */ r, /** @type {string} */ kind) => ({
    type: "Feature",
    properties: { kind },
    geometry: { type: "Polygon", coordinates: at ? [toRing(at, r)] : [] },
  });
  const reach = toOutline(outline);
  const features = at === null ? [] : reach.length > 0 ? reach : [ring(radius_m, "reach")];
  if (at && radius_m > inner_m) features.push(ring(inner_m, "mobility"));
  return { type: "FeatureCollection", features };
}
