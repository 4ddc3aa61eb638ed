/** The way on foot to the chosen thing: its line, and the ends of it off the streets, which are dashed. */

/** @typedef {[lon: number, lat: number]} Position @typedef {{ coordinates: readonly Position[] } | null} Line */

const EMPTY = { type: "FeatureCollection", features: [] };

/** A source of the style. */
export const WAY_SOURCE = { way: { type: "geojson", data: EMPTY } };

/**
 * The line begins at the point and ends at the thing: its first and last pieces lead to and from the
 * nearest street, and are `end`, what is between is `way`.
 * @param {Line} line null: nothing
 */
export function toWay(line) {
  const all = line?.coordinates ?? [];
  const last = all.length - 1;
  const pieces =
    last < 2
      ? [{ kind: "end", coordinates: all }]
      : [
          { kind: "end", coordinates: all.slice(0, 2) },
          { kind: "way", coordinates: all.slice(1, -1) },
          { kind: "end", coordinates: all.slice(-2) },
        ];
  const features = pieces.filter(isLong).map(({ kind, coordinates }) => ({
    type: "Feature",
    properties: { kind },
    geometry: { type: "LineString", coordinates },
  }));
  return { type: "FeatureCollection", features };
}

/** A piece of no length is none. @param {{ coordinates: readonly Position[] }} piece */
function isLong({ coordinates }) {
  const [first] = coordinates;
  return coordinates.some(([lon, lat]) => lon !== first?.[0] || lat !== first?.[1]);
}

/** A width that grows with the zoom. @param {number} more */
const wide = (more) => ["interpolate", ["linear"], ["zoom"], 12, 2.5 + more, 17, 6 + more];

/** @param {{ way: string, halo: string }} palette @returns {any[]} */
export function toWayLayers({ way, halo }) {
  const layer = { type: "line", source: "way" };
  const round = { "line-cap": "round", "line-join": "round" };
  const only = (/** @type {string} */ kind) => ["==", ["get", "kind"], kind];
  return [
    {
      ...layer,
      id: "way-casing",
      layout: round,
      paint: { "line-color": halo, "line-width": wide(3), "line-opacity": 0.9 },
    },
    {
      ...layer,
      id: "way",
      filter: only("way"),
      layout: round,
      paint: { "line-color": way, "line-width": wide(0) },
    },
    {
      ...layer,
      id: "way-ends",
      filter: only("end"),
      paint: { "line-color": way, "line-width": wide(-1), "line-dasharray": [1.2, 0.9] },
    },
  ];
}
