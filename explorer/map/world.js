/** Coasts, borders and sea, read when the view is from so far, or so bare, that they matter. */

import { NEAR } from "./base-style.js";

/** @typedef {import("./base.js").Box} Box @typedef {"110m" | "50m"} Detail */

const FINE_ZOOM = 3.2;

/**
 * Coarse outlines come first, since they are a sixth of the fine ones; not from near, where they
 * would be wrong by a city.
 * @param {any} map @param {string} assets @param {readonly Box[]} [covered]
 */
export function createWorld(map, assets, covered = []) {
  let has = /** @type {Detail | null} */ (null);
  /** @type {Map<Detail, Promise<{ land: any, borders: any } | null>>} */
  const read = new Map();
  /** @param {Detail} detail */
  const show = async (detail) => {
    const shapes = read.get(detail) ?? readWorld(assets, detail);
    read.set(detail, shapes);
    const found = await shapes;
    // What failed is read again at the next move.
    if (found === null) return void read.delete(detail);
    if (has === "50m" || has === detail || !map.getSource("world")) return;
    has = detail;
    map.getSource("borders").setData(found.borders);
    map.getSource("world").setData(found.land);
    showSea(map);
  };
  const look = async () => {
    const zoom = map.getZoom();
    if (has === "50m" || !map.getSource("world")) return;
    if (zoom >= NEAR && covered.some((box) => holds(box, map.getBounds()))) return;
    if (zoom < NEAR) await show("110m");
    if (zoom >= FINE_ZOOM) await show("50m");
  };
  map.on("moveend", () => void look());
  return {
    look,
    /** The style was replaced. */
    again() {
      has = null;
      void look();
    },
  };
}

/** Once the land is drawn: a sea without land would be a lie. @param {any} map */
function showSea(map) {
  const drawn = (/** @type {any} */ event) => {
    if (event.sourceId !== "world" || !map.isSourceLoaded("world")) return;
    map.off("sourcedata", drawn);
    if (map.getLayer("sea")) map.setLayoutProperty("sea", "visibility", "visible");
  };
  map.on("sourcedata", drawn);
}

/** @param {Box} box @param {any} view */
function holds([west, south, east, north], view) {
  const [w, e] = [view.getWest(), view.getEast()];
  return w >= west && e <= east && view.getSouth() >= south && view.getNorth() <= north;
}

/** @param {string} assets @param {Detail} detail @returns {Promise<{ land: any, borders: any } | null>} */
async function readWorld(assets, detail) {
  return await readShapes(assets, detail).catch(() => null);
}

/** @param {string} assets @param {Detail} detail */
async function readShapes(assets, detail) {
  const [topology, { default: feature }, { default: mesh }] = await Promise.all([
    fetch(`${assets}/world/${detail}.json`).then((response) => response.json()),
    import(`${assets}/topojson-client/feature.js`),
    import(`${assets}/topojson-client/mesh.js`),
  ]);
  const { countries } = topology.objects;
  return {
    land: unroll(feature(topology, countries)),
    borders: unroll(
      mesh(topology, countries, (/** @type {any} */ a, /** @type {any} */ b) => a !== b),
    ),
  };
}

/** Shapes that cross the antimeridian go on beyond it, instead of around the world. @param {any} shape @returns {any} */
function unroll(shape) {
  if (shape.type === "FeatureCollection") return { ...shape, features: shape.features.map(unroll) };
  if (shape.type === "Feature")
    return { ...shape, geometry: shape.geometry && unroll(shape.geometry) };
  const { type, coordinates } = shape;
  if (type === "Polygon") return { type, coordinates: coordinates.map(unrollLine) };
  if (type === "MultiPolygon")
    return {
      type,
      coordinates: coordinates.map((/** @type {any[]} */ rings) => rings.map(unrollLine)),
    };
  return type === "MultiLineString" ? { type, coordinates: coordinates.map(unrollLine) } : shape;
}

/** @param {[number, number][]} line @returns {[number, number][]} */
function unrollLine(line) {
  let shift = 0;
  let before = line[0]?.[0] ?? 0;
  const whole = line.map(([lon, lat]) => {
    if (lon - before > 180) shift -= 360;
    else if (lon - before < -180) shift += 360;
    before = lon;
    return /** @type {[number, number]} */ ([lon + shift, lat]);
  });
  const [first, last] = [whole[0], whole.at(-1)];
  // Once around: it holds the pole.
  if (first && last && Math.abs(last[0] - first[0]) > 350)
    whole.push([last[0], -85], [first[0], -85], first);
  return whole;
}
