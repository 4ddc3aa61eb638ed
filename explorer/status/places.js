/** Where the sources are: one dot for those of a city, as well as all of them together. */
import { healthOf, together } from "./health.js";

/**
 * @typedef {{ lat: number, lon: number }} Point
 * @typedef {Point & { health: import("./health.js").Health, sources: any[] }} Spot
 */

const NEAR_KM = 30;
const MOST_DEGREES = 15;
const KM_PER_DEGREE = 111.2;

/** The middle of its largest part; null: it has none, or is of half a continent. @param {any} source @returns {Point | null} */
export function middleOf({ areas, bbox }) {
  const box = areas?.[0] ?? bbox;
  if (!box) return null;
  const { south, west, north, east } = box;
  if (north - south > MOST_DEGREES) return null;
  const lon = (west + (east < west ? east + 360 : east)) / 2;
  return { lat: (south + north) / 2, lon: lon > 180 ? lon - 360 : lon };
}

/** Address of the map at a point. @param {Point} point */
export function toMapAddress({ lat, lon }) {
  return `/?at=${lat.toFixed(5)},${lon.toFixed(5)}`;
}

/** @param {readonly any[]} sources @returns {Spot[]} */
export function listSpots(sources) {
  /** @type {Spot[]} */
  const spots = [];
  for (const source of sources) {
    const at = middleOf(source);
    if (!at) continue;
    const spot = spots.find((each) => isNear(each, at));
    if (spot) spot.sources.push(source);
    else spots.push({ ...at, health: "quiet", sources: [source] });
  }
  for (const spot of spots) spot.health = together(spot.sources.map(healthOf));
  return spots;
}

/** The closest of named points within reach; null: none is. @param {Point} at @param {readonly (Point & { name: string })[]} named */
export function findName(at, named) {
  return named.find((each) => isNear(each, at))?.name ?? null;
}

/** @param {Point} a @param {Point} b */
function isNear(a, b) {
  const north_km = Math.abs(a.lat - b.lat) * KM_PER_DEGREE;
  if (north_km > NEAR_KM) return false;
  const turn = Math.abs(a.lon - b.lon);
  const east_km = Math.min(turn, 360 - turn) * KM_PER_DEGREE * Math.cos((a.lat * Math.PI) / 180);
  return Math.hypot(north_km, east_km) <= NEAR_KM;
}
