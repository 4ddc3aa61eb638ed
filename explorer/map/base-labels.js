/** Names on the base map, in the reader's language where the map has them. */
import { language, LANGUAGES as NAMES } from "../page/texts.js";
import { from, within } from "./expressions.js";

/** @typedef {import("./tile-palettes.js").Palette} Palette */

/** The browser's own fonts are drawn, since the style names no glyphs; the first name is a weight. */
const PLAIN = ["sans-serif"];
const STRONG = ["Semibold", "sans-serif"];
const SLANTED = ["Italic", "sans-serif"];

/** Languages that tiles have. */
export const LANGUAGES = Object.keys(NAMES);

/** @param {string} tag of a language */
function nameIn(tag) {
  const short = tag.slice(0, 2).toLowerCase();
  const plain = ["get", "name"];
  return LANGUAGES.includes(short) ? ["coalesce", ["get", `name:${short}`], plain] : plain;
}

/** @param {Palette} p @param {string} [tag] of the language, by default that of the page @returns {any[]} */
export function toLabelLayers(p, tag = language()) {
  const name = nameIn(tag);
  return [...toLineNames(p, name), ...toAreaNames(p, name), ...toPlaceNames(p, name)];
}

/** @param {Palette} p @param {string} colour @param {number} [halo] */
const ink = (p, colour, halo = 1.4) => ({
  "text-color": colour,
  "text-halo-color": p.halo,
  "text-halo-width": halo,
  "text-halo-blur": 0.4,
});

/** @param {Palette} p @param {any} name */
function toLineNames(p, name) {
  const along = (/** @type {string} */ id, /** @type {object} */ given) => ({
    ...from("road"),
    id: `base-${id}`,
    type: "symbol",
    paint: ink(p, p.roadLabel),
    ...given,
  });
  const line = {
    "symbol-placement": "line",
    "text-field": name,
    "text-font": PLAIN,
    "symbol-spacing": 320,
    "text-padding": 4,
    "text-max-angle": 35,
    "text-letter-spacing": 0.01,
  };
  return [
    along("road-names", {
      minzoom: 12.5,
      filter: within("motorway", "trunk", "primary", "secondary", "tertiary"),
      layout: { ...line, "text-size": ["interpolate", ["linear"], ["zoom"], 13, 10.5, 17, 13.5] },
    }),
    along("street-names", {
      minzoom: 14.6,
      filter: within("minor", "pedestrian", "service"),
      layout: { ...line, "text-size": ["interpolate", ["linear"], ["zoom"], 15, 10, 18, 12.5] },
    }),
    along("path-names", {
      minzoom: 16.5,
      filter: within("path", "cycleway", "steps", "track"),
      layout: { ...line, "text-size": 10.5 },
      paint: ink(p, p.suburb),
    }),
    along("river-names", {
      "source-layer": "water",
      minzoom: 11,
      filter: ["==", ["geometry-type"], "LineString"],
      layout: { ...line, "text-font": SLANTED, "text-size": 11.5, "symbol-spacing": 400 },
      paint: ink(p, p.waterLabel, 1),
    }),
    along("road-refs", {
      minzoom: 9,
      maxzoom: 16,
      filter: [
        "all",
        within("motorway", "trunk"),
        ["has", "ref"],
        ["<=", ["length", ["get", "ref"]], 7],
      ],
      layout: {
        "symbol-placement": "line",
        "text-field": ["get", "ref"],
        "text-font": STRONG,
        "text-size": 9.5,
        "text-rotation-alignment": "viewport",
        "symbol-spacing": 420,
        "text-padding": 20,
      },
      paint: ink(p, p.town, 2),
    }),
  ];
}

/** @param {Palette} p @param {any} name */
function toAreaNames(p, name) {
  const place = (
    /** @type {string} */ id,
    /** @type {string[]} */ classes,
    /** @type {object} */ layout,
    /** @type {string} */ colour,
  ) => ({
    ...from("place"),
    id: `base-${id}`,
    type: "symbol",
    minzoom: 10,
    filter: within(...classes),
    layout: {
      "text-field": name,
      "text-font": PLAIN,
      "text-size": 11,
      "text-max-width": 7,
      "text-padding": 6,
      "symbol-sort-key": ["get", "rank"],
      ...layout,
    },
    paint: ink(p, colour),
  });
  return [
    place(
      "ground-names",
      ["campus", "hospital", "cemetery", "airport", "square", "beach"],
      {},
      p.suburb,
    ),
    place("park-names", ["park", "wood"], {}, p.parkLabel),
    place("peak-names", ["peak"], { "text-size": 10.5 }, p.suburb),
    place("water-names", ["lake", "sea"], { "text-font": SLANTED, "text-size": 12 }, p.waterLabel),
  ];
}

/** The most important last, since later layers claim their room first. @param {Palette} p @param {any} name */
function toPlaceNames(p, name) {
  const place = (
    /** @type {string} */ id,
    /** @type {string[]} */ classes,
    /** @type {any} */ given,
  ) => ({
    ...from("place"),
    id: `base-${id}`,
    type: "symbol",
    filter: within(...classes),
    ...given.at,
    layout: {
      "text-field": name,
      "text-font": PLAIN,
      "text-max-width": 8,
      "text-padding": 5,
      "symbol-sort-key": ["get", "rank"],
      ...given.layout,
    },
    paint: ink(p, given.colour, 1.6),
  });
  const size = (/** @type {number[]} */ ...stops) => [
    "interpolate",
    ["linear"],
    ["zoom"],
    ...stops,
  ];
  const wide = { "text-transform": "uppercase", "text-letter-spacing": 0.08 };
  return [
    place("quarters", ["quarter", "neighbourhood", "locality", "islet", "hamlet"], {
      at: { minzoom: 13 },
      layout: { "text-size": size(13, 10.5, 16, 12.5) },
      colour: p.suburb,
    }),
    place("suburbs", ["suburb"], {
      at: { minzoom: 11, maxzoom: 16.5 },
      layout: { ...wide, "text-size": size(11, 9.5, 15, 12.5) },
      colour: p.suburb,
    }),
    place("villages", ["village", "island"], {
      at: { minzoom: 10, maxzoom: 17 },
      layout: { "text-size": size(10, 10.5, 15, 15) },
      colour: p.town,
    }),
    place("towns", ["town"], {
      at: { minzoom: 7, maxzoom: 16 },
      layout: { "text-size": size(8, 11, 14, 17) },
      colour: p.town,
    }),
    place("states", ["state"], {
      at: { minzoom: 5, maxzoom: 8 },
      layout: { ...wide, "text-size": 11 },
      colour: p.suburb,
    }),
    place("cities", ["city"], {
      at: { minzoom: 4, maxzoom: 14.5 },
      layout: { "text-font": STRONG, "text-size": size(5, 11.5, 11, 18, 14, 22) },
      colour: p.city,
    }),
    place("countries", ["country"], {
      // From farther away the world's are drawn (world-labels.js): a small base would hide its neighbours.
      at: { minzoom: 7, maxzoom: 9 },
      layout: { ...wide, "text-font": STRONG, "text-size": 15 },
      colour: p.city,
    }),
  ];
}
