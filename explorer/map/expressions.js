/** Pieces of layers that several parts of the style have. */

/** A layer of the tiles. @param {string} layer */
export const from = (layer) => ({ source: "base", "source-layer": layer });

/** @param {string[]} classes */
export const within = (...classes) => ["match", ["get", "class"], classes, true, false];

/** @param {Record<string, string>} colours @param {string} other */
export const byClass = (colours, other) => [
  "match",
  ["get", "class"],
  ...Object.entries(colours).flat(),
  other,
];

/** An opacity. @param {number} none @param {number} whole */
export const appear = (none, whole) => ["interpolate", ["linear"], ["zoom"], none, 0, whole, 1];

/** A width that grows with the zoom. @param {...[zoom: number, width: any]} stops */
export const grow = (...stops) => ["interpolate", ["exponential", 1.5], ["zoom"], ...stops.flat()];
