/** The outline of what can be reached, as it is drawn: the squares that it is made of have round corners. */

/** @typedef {[lon: number, lat: number]} Position */

/** Metres that are cut off each side of a corner, once for each pass: half a square, then less. */
const CUTS_M = [12.5, 6];
const METRE = 1 / 111_195;

/** Polygons of an answer, for the map. @param {any} outline a feature or several of them; null: none @returns {any[]} */
export function toOutline(outline) {
  /** @type {any[]} */
  const all = outline?.features ?? (outline?.geometry ? [outline] : []);
  return all.flatMap(({ geometry }) => {
    const polygons = polygonsOf(geometry);
    if (polygons.length === 0) return [];
    const coordinates = polygons.map((rings) => rings.map(round));
    return [
      {
        type: "Feature",
        properties: { kind: "outline" },
        geometry: { type: "MultiPolygon", coordinates },
      },
    ];
  });
}

/** @param {any} geometry @returns {Position[][][]} */
function polygonsOf(geometry) {
  if (geometry?.type === "MultiPolygon") return geometry.coordinates;
  return geometry?.type === "Polygon" ? [geometry.coordinates] : [];
}

/** Cuts the corners of a closed ring. @param {Position[]} ring */
export function round(ring) {
  return CUTS_M.reduce(cut, ring);
}

/** @param {Position[]} ring @param {number} most_m @returns {Position[]} */
function cut(ring, most_m) {
  const [first] = ring;
  if (first === undefined) return ring;
  const narrow = Math.cos((first[1] * Math.PI) / 180);
  const points = ring.slice(1).flatMap((end, n) => {
    const [lon, lat] = /** @type {Position} */ (ring[n]);
    const [east, north] = [end[0] - lon, end[1] - lat];
    const long = Math.hypot(east * narrow, north);
    const share = Math.min(0.5, long === 0 ? 0.5 : (most_m * METRE) / long);
    const at = (/** @type {number} */ part) =>
      /** @type {Position} */ ([lon + east * part, lat + north * part]);
    return share === 0.5 ? [at(0.5)] : [at(share), at(1 - share)];
  });
  const [begin] = points;
  return begin === undefined ? ring : [...points, begin];
}
