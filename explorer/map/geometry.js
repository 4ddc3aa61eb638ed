/** Circles and squares on the ground, and the plane that the screen shows. */

const EARTH_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** @typedef {{ lat: number, lon: number }} Point */

/** The point at a bearing in radians and a distance in metres. @param {Point} from @param {number} bearing @param {number} metres */
export function travel({ lat, lon }, bearing, metres) {
  const d = metres / EARTH_M;
  const from = lat * RADIANS;
  const sin = Math.sin(from) * Math.cos(d) + Math.cos(from) * Math.sin(d) * Math.cos(bearing);
  const to = Math.asin(Math.min(1, Math.max(-1, sin)));
  const turned = Math.atan2(
    Math.sin(bearing) * Math.sin(d) * Math.cos(from),
    Math.cos(d) - Math.sin(from) * Math.sin(to),
  );
  return { lat: to / RADIANS, lon: lon + turned / RADIANS };
}

/** A ring of positions. @param {Point} centre @param {number} radius_m */
export function toRing(centre, radius_m, steps = 96) {
  return Array.from({ length: steps + 1 }, (_, n) => {
    const { lat, lon } = travel(centre, (n / steps) * 2 * Math.PI, radius_m);
    return [lon, lat];
  });
}

/** Great-circle metres. @param {Point} a @param {Point} b */
export function metresBetween(a, b) {
  const sinLat = Math.sin(((b.lat - a.lat) * RADIANS) / 2);
  const sinLon = Math.sin(((b.lon - a.lon) * RADIANS) / 2);
  const h = sinLat ** 2 + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * sinLon ** 2;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Web Mercator from 0 to 1, north up. @param {Point} point */
export function toMercator({ lat, lon }) {
  const sin = Math.sin(Math.max(-85.05, Math.min(85.05, lat)) * RADIANS);
  return { x: (lon + 180) / 360, y: 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI) };
}

/** The zoom at which a circle takes `pixels` pixels of a screen. @param {Point} centre @param {number} radius_m @param {number} pixels */
export function zoomFor(centre, radius_m, pixels) {
  const per_pixel = (2 * radius_m) / Math.max(120, pixels);
  return Math.log2((40_075_016 * Math.cos(centre.lat * RADIANS)) / (512 * per_pixel));
}
