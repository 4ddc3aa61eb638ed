/** The box of a stream: the view, grown a little so that small pans keep it. Pure. */

/**
 * In degrees. East may be beyond 180 and west beyond -180, so that it is never less than west.
 * @typedef {{ west: number, south: number, east: number, north: number }} Box
 */

/** From here on things are drawn one by one; from farther away they are numbers. */
export const NEAR_ZOOM = 14;
/** What the service takes is 25; a margin, since its circle of the Earth may be another one. */
const MOST_KM2 = 24.5;
const RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;
/** Of the view, on each of its sides. */
const GROWTH = 0.2;
/** A box of less growth than this is left at each pan. */
const LEAST_GROWTH = 0.02;

/** Square kilometres. @param {Box} box */
export function areaOf({ west, south, east, north }) {
  const high = Math.sin(north * RADIANS) - Math.sin(south * RADIANS);
  return RADIUS_KM ** 2 * (east - west) * RADIANS * high;
}

/** The view and what is around it; null: it is too large for a stream. @param {Box} view @returns {Box | null} */
export function grow(view) {
  const room = Math.sqrt(MOST_KM2 / areaOf(view));
  const by = Math.min(GROWTH, (room - 1) / 2);
  if (!(by >= LEAST_GROWTH)) return null;
  const { west, south, east, north } = view;
  const [wide, high] = [(east - west) * by, (north - south) * by];
  return {
    west: west - wide,
    south: Math.max(-90, south - high),
    east: east + wide,
    north: Math.min(90, north + high),
  };
}

/** Whether a box has all of a view, also one that is counted a turn around the world further. @param {Box} box @param {Box} view */
export function holds(box, view) {
  const turn = 360 * Math.round((box.west + box.east - view.west - view.east) / 720);
  return (
    view.west + turn >= box.west &&
    view.east + turn <= box.east &&
    view.south >= box.south &&
    view.north <= box.north
  );
}

/** Whether a point is in a box. @param {Box} box @param {{ lat: number, lon: number }} point */
export function has(box, { lat, lon }) {
  return holds(box, { west: lon, east: lon, south: lat, north: lat });
}

/** As the service takes it: from -180 to 180, west greater than east across the antimeridian. @param {Box} box */
export function toText({ west, south, east, north }) {
  return [wrap(west), south, wrap(east), north].map((part) => Number(part.toFixed(5))).join(",");
}

/** @param {number} lon */
function wrap(lon) {
  return lon - 360 * Math.floor((lon + 180) / 360);
}
