/** Metres around the point that was asked about, and the part of that plane which is seen. Pure. */

/** @typedef {{ lat: number, lon: number }} Point @typedef {{ east: number, north: number }} Place */
/**
 * The middle of what is seen, in metres; `scale`: pixels of a metre.
 * @typedef {Place & { scale: number }} Sight
 * @typedef {{ width: number, height: number }} Size
 */

/** As long as a degree of latitude of a sphere with the mean radius of the Earth. */
const DEGREE_M = 111_195.08;
/** Within a pole's reach every direction is south. */
const LEAST_COSINE = 1e-6;
/** Pixels of a metre: at the most, a bicycle is as long as its mark. */
const CLOSEST = 20;
/** Pixels around a circle that is shown whole. */
const MARGIN = 22;

/**
 * Metres east and north of the origin: the shorter way around the Earth. Right to 1 in 1,000 within
 * 10 km of an origin below 80 degrees.
 * @param {Point} origin @param {Point} point @returns {Place}
 */
export function toPlace(origin, { lat, lon }) {
  const turned = lon - origin.lon;
  const degrees = turned - 360 * Math.round(turned / 360);
  const middle = ((lat + origin.lat) / 2) * (Math.PI / 180);
  const cosine = Math.max(LEAST_COSINE, Math.cos(middle));
  return { east: degrees * DEGREE_M * cosine, north: (lat - origin.lat) * DEGREE_M };
}

/** A sight of the whole circle. @param {number} radius_m @param {Size} size @returns {Sight} */
export function fit(radius_m, { width, height }) {
  const room = Math.max(40, Math.min(width, height) / 2 - MARGIN);
  return { east: 0, north: 0, scale: Math.min(CLOSEST, room / Math.max(1, radius_m)) };
}

/** Pixels from the upper left corner. @param {Sight} sight @param {Size} size @param {Place} place */
export function toPixels(sight, { width, height }, { east, north }) {
  return {
    x: width / 2 + (east - sight.east) * sight.scale,
    y: height / 2 - (north - sight.north) * sight.scale,
  };
}

/** @param {Sight} sight @param {Size} size @param {{ x: number, y: number }} pixels @returns {Place} */
export function toMetres(sight, { width, height }, { x, y }) {
  return {
    east: sight.east + (x - width / 2) / sight.scale,
    north: sight.north - (y - height / 2) / sight.scale,
  };
}

/**
 * The sight after a zoom that leaves what lies at `at` where it is, in pixels; never farther than
 * the whole circle, and never closer than is of use.
 * @param {Sight} sight @param {number} factor @param {{ x: number, y: number }} at
 * @param {{ size: Size, radius_m: number }} within
 */
export function zoom(sight, factor, at, { size, radius_m }) {
  const least = fit(radius_m, size).scale;
  const scale = Math.min(CLOSEST, Math.max(least, sight.scale * factor));
  const fixed = toMetres(sight, size, at);
  const moved = {
    east: fixed.east - (at.x - size.width / 2) / scale,
    north: fixed.north + (at.y - size.height / 2) / scale,
    scale,
  };
  return keep(moved, { size, radius_m });
}

/** The sight after a drag by pixels. @param {Sight} sight @param {{ x: number, y: number }} by @param {{ size: Size, radius_m: number }} within */
export function move(sight, by, within) {
  const { east, north, scale } = sight;
  return keep({ east: east - by.x / scale, north: north + by.y / scale, scale }, within);
}

/** The middle stays within the circle, and in its centre where the whole circle is seen. @param {Sight} sight @param {{ size: Size, radius_m: number }} within @returns {Sight} */
function keep({ east, north, scale }, { size, radius_m }) {
  if (scale <= fit(radius_m, size).scale * 1.001) return fit(radius_m, size);
  const away = Math.hypot(east, north);
  const share = away > radius_m ? radius_m / away : 1;
  return { east: east * share, north: north * share, scale };
}

/** The sight of some places: in their middle, as close as shows all of them. @param {readonly Place[]} places @param {{ size: Size, radius_m: number }} within @returns {Sight} */
export function gather(places, within) {
  const [east, north] = [places.map((one) => one.east), places.map((one) => one.north)];
  const [left, right] = [Math.min(...east), Math.max(...east)];
  const [low, high] = [Math.min(...north), Math.max(...north)];
  const reach = Math.max(1, Math.hypot(right - left, high - low) / 2);
  const { scale } = fit(reach, within.size);
  return keep({ east: (left + right) / 2, north: (low + high) / 2, scale }, within);
}

/** The longest of 1, 2, 5, 10 … that is at most so long. @param {number} most */
export function roundDown(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  const digit = most / power;
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}

/** Radii of the rings, in metres, the outermost last: that of the circle. @param {number} radius_m */
export function toRings(radius_m) {
  const step = roundDown(radius_m / 3);
  const count = Math.ceil(radius_m / step) - 1;
  const inner = Array.from({ length: count }, (_, n) => (n + 1) * step);
  // A ring next to the edge would only blur it.
  return [...inner.filter((ring) => ring < radius_m - step / 3), radius_m];
}
