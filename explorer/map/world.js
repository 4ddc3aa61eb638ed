/** Coasts and borders, read when somebody looks from so far that they matter. */

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
    land: feature(topology, countries),
    borders: mesh(topology, countries, (/** @type {any} */ a, /** @type {any} */ b) => a !== b),
  };
}
