/** The base map that needs no other server: coasts, borders, and where the world is simulated its streets. */

import { paletteOf } from "./base-palettes.js";
import { toTileLabels, toTileLayers, toTileSources } from "./base-tiles.js";

/** @typedef {import("./base-palettes.js").Theme} Theme @typedef {import("./base-palettes.js").Palette} Palette */

const EMPTY = { type: "FeatureCollection", features: [] };
const FONT = ["sans-serif"];

/** Roads grow with the zoom. @param {number} at14 @param {number} at18 */
const width = (at14, at18) => [
  "interpolate",
  ["exponential", 1.6],
  ["zoom"],
  11,
  at14 * 0.3,
  14,
  at14,
  18,
  at18,
];
/** @param {string} kind */
const only = (kind) => ["==", ["get", "kind"], kind];

/** @param {Theme} theme @param {import("./base-tiles.js").Base | null} [base] @returns {any} */
export function toBaseStyle(theme, base = null) {
  const p = paletteOf(theme);
  const road = {
    type: "line",
    source: "city",
    layout: { "line-cap": "round", "line-join": "round" },
  };
  return {
    version: 8,
    sources: {
      world: { type: "geojson", data: EMPTY },
      borders: { type: "geojson", data: EMPTY },
      city: { type: "geojson", data: EMPTY },
      ...(base ? toTileSources(base) : {}),
      ...toOwnSources(),
    },
    layers: [
      {
        id: "ground",
        type: "background",
        paint: {
          "background-color": ["interpolate", ["linear"], ["zoom"], 7.5, p.sea, 9.5, p.land],
        },
      },
      {
        id: "land",
        type: "fill",
        source: "world",
        maxzoom: 9.5,
        paint: { "fill-color": p.land, "fill-outline-color": p.coast },
      },
      {
        id: "borders",
        type: "line",
        source: "borders",
        maxzoom: 9.5,
        paint: { "line-color": p.border, "line-width": 0.8, "line-dasharray": [3, 2] },
      },
      ...(base ? toTileLayers(p) : []),
      {
        id: "green",
        type: "fill",
        source: "city",
        filter: only("green"),
        minzoom: 10,
        paint: { "fill-color": p.green },
      },
      {
        ...road,
        id: "river",
        filter: only("river"),
        minzoom: 9,
        paint: { "line-color": p.sea, "line-width": width(22, 320) },
      },
      {
        ...road,
        id: "lane-casing",
        filter: only("lane"),
        minzoom: 13,
        paint: { "line-color": p.casing, "line-width": width(2.2, 17) },
      },
      {
        ...road,
        id: "street-casing",
        filter: ["match", ["get", "kind"], ["street", "avenue"], true, false],
        minzoom: 10,
        paint: { "line-color": p.casing, "line-width": width(6.4, 34) },
      },
      {
        ...road,
        id: "lane",
        filter: only("lane"),
        minzoom: 12,
        paint: { "line-color": p.lane, "line-width": width(1.4, 14) },
      },
      {
        ...road,
        id: "street",
        filter: only("street"),
        minzoom: 10,
        paint: { "line-color": p.street, "line-width": width(4.6, 30) },
      },
      {
        ...road,
        id: "avenue",
        filter: only("avenue"),
        minzoom: 10,
        paint: { "line-color": p.avenue, "line-width": width(5.2, 32) },
      },
      {
        ...road,
        id: "rail",
        filter: only("rail"),
        minzoom: 11,
        paint: {
          "line-color": ["coalesce", ["get", "color"], p.rail],
          "line-width": 1.6,
          "line-opacity": theme === "dark" ? 0.5 : 0.42,
        },
      },
      ...toLabels(p),
      ...(base ? toTileLabels(p) : []),
      ...toOwnLayers(theme),
    ],
  };
}

/** Without an address of glyphs the browser's own font is drawn. @param {Palette} p */
function toLabels(p) {
  const paint = { "text-color": p.label, "text-halo-color": p.halo, "text-halo-width": 1.4 };
  const text = { "text-field": ["get", "name"], "text-font": FONT };
  return [
    {
      id: "street-names",
      type: "symbol",
      source: "city",
      minzoom: 13.5,
      paint,
      filter: ["match", ["get", "kind"], ["street", "avenue"], true, false],
      layout: {
        ...text,
        "symbol-placement": "line",
        "text-size": 12,
        "symbol-spacing": 380,
        "text-letter-spacing": 0.02,
      },
    },
  ];
}

/** From near the circle is larger than the view, and would colour all of it. @param {number} most */
const tint = (most) => ["interpolate", ["linear"], ["zoom"], 14, most, 17, most * 0.25];

/** Returns the sources that are laid over any base map. @returns {Record<string, any>} */
export function toOwnSources() {
  return {
    circle: { type: "geojson", data: EMPTY },
    boxes: { type: "geojson", data: EMPTY },
  };
}

/** @param {Theme} theme @returns {any[]} */
export function toOwnLayers(theme) {
  const p = paletteOf(theme);
  return [
    {
      id: "boxes",
      type: "fill",
      source: "boxes",
      maxzoom: 11,
      paint: { "fill-color": p.box, "fill-opacity": 0.14 },
    },
    {
      id: "boxes-line",
      type: "line",
      source: "boxes",
      maxzoom: 11,
      paint: { "line-color": p.box, "line-width": 1.2, "line-opacity": 0.7 },
    },
    {
      id: "box-dots",
      type: "circle",
      source: "boxes",
      filter: ["==", ["geometry-type"], "Point"],
      maxzoom: 10,
      paint: {
        "circle-color": p.box,
        "circle-radius": 4.5,
        "circle-stroke-width": 2,
        "circle-stroke-color": p.halo,
      },
    },
    {
      id: "circle-fill",
      type: "fill",
      source: "circle",
      filter: only("reach"),
      paint: { "fill-color": p.accent, "fill-opacity": tint(theme === "dark" ? 0.1 : 0.07) },
    },
    {
      id: "circle-line",
      type: "line",
      source: "circle",
      filter: ["==", ["geometry-type"], "Polygon"],
      paint: {
        "line-color": p.accent,
        "line-width": ["match", ["get", "kind"], "reach", 2, 1.2],
        "line-opacity": 0.8,
        "line-dasharray": [2, 1.6],
      },
    },
  ];
}
