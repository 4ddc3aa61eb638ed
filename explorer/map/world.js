/** Coasts and borders, read when the view is from so far that they matter. */

const NEAR_ZOOM = 9.5;
const FINE_ZOOM = 3.2;

/** @param {any} map @param {string} assets */
export function createWorld(map, assets) {
  let has = /** @type {"" | "110m" | "50m"} */ ("");
  /** @type {Map<string, Promise<{ land: any, borders: any }>>} */
  const read = new Map();
  /** @param {"110m" | "50m"} detail */
  const load = (detail) => {
    const known = read.get(detail) ?? readWorld(assets, detail);
    read.set(detail, known);
    return known;
  };
  const look = async () => {
    const zoom = map.getZoom();
    if (zoom >= NEAR_ZOOM || !map.getSource("world")) return;
    const wanted = zoom >= FINE_ZOOM ? "50m" : "110m";
    if (has === wanted || has === "50m") return;
    has = wanted;
    const { land, borders } = await load(wanted);
    map.getSource("world")?.setData(land);
    map.getSource("borders")?.setData(borders);
  };
  map.on("moveend", () => void look());
  return {
    look,
    /** The style was replaced. */
    again() {
      has = "";
      void look();
    },
  };
}

/** @param {string} assets @param {"110m" | "50m"} detail */
async function readWorld(assets, detail) {
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
