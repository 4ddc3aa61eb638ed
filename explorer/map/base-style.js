/** The base map that needs no other server: coasts, borders, and where the world is simulated its streets. */

import { paletteOf } from "./base-palettes.js";
import { toWayLayers, WAY_SOURCE } from "./way.js";
import { toWorldLabelLayers, toWorldSources } from "./world-labels.js";

/** @typedef {import("./base-palettes.js").Theme} Theme @typedef {import("./base-palettes.js").Outlines} Palette */

const EMPTY = { type: "FeatureCollection", features: [] };
const FONT = ["sans-serif"];

/** From here on outlines are coarser than the view, and land is drawn larger than it may be. */
export const NEAR = 9.5;
/** Metres of that, and of a pixel at zoom 0, at the equator. */
const MARGIN_M = 9000;
const PIXEL_M = 78_271.5;

/** A width in metres on the ground. @param {number} metres @param {number} zoom */
const ground = (metres, zoom) => (metres * 2 ** zoom) / PIXEL_M;

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

/**
 * The sea is hidden until it is known where land is.
 * @param {Theme} theme @param {import("./base.js").Base | null} [base]
 * @param {readonly import("./base.js").Box[]} [covered] where something better than outlines is drawn
 * @returns {any}
 */
export function toBaseStyle(theme, base = null, covered = []) {
  const p = paletteOf(theme);
  const road = {
    type: "line",
    source: "city",
    layout: { "line-cap": "round", "line-join": "round" },
  };
  return {
    version: 8,
    sources: {
      // Tiles of a coarse zoom, so that the margin of land has its outline near at hand.
      world: { type: "geojson", data: EMPTY, maxzoom: 7 },
      covered: { type: "geojson", data: toBoxes(covered) },
      borders: { type: "geojson", data: EMPTY },
      city: { type: "geojson", data: EMPTY },
      ...toWorldSources(),
      ...base?.sources,
      ...toOwnSources(),
    },
    layers: [
      { id: "ground", type: "background", paint: { "background-color": p.land } },
      {
        id: "sea",
        type: "background",
        layout: { visibility: "none" },
        paint: { "background-color": p.sea },
      },
      { id: "land", type: "fill", source: "world", paint: { "fill-color": p.land } },
      {
        id: "coast",
        type: "line",
        source: "world",
        maxzoom: NEAR,
        paint: { "line-color": p.coast, "line-width": 0.7 },
      },
      {
        id: "land-margin",
        type: "line",
        source: "world",
        minzoom: NEAR,
        layout: { "line-join": "round", "line-cap": "round" },
        paint: {
          "line-color": p.land,
          "line-width": [
            "interpolate",
            ["exponential", 2],
            ["zoom"],
            ...[NEAR, 0, 12, ground(MARGIN_M, 12), 20, ground(MARGIN_M, 20)],
          ],
        },
      },
      {
        id: "covered",
        type: "fill",
        source: "covered",
        minzoom: NEAR,
        paint: { "fill-color": p.land },
      },
      {
        id: "borders",
        type: "line",
        source: "borders",
        maxzoom: NEAR,
        paint: { "line-color": p.border, "line-width": 0.8, "line-dasharray": [3, 2] },
      },
      ...(base?.toLayers(theme) ?? []),
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
      ...toLines(p, road),
      ...toLabels(p),
      ...toWorldLabelLayers(theme),
      ...(base?.toLabels(theme) ?? []),
      ...toOwnLayers(theme),
    ],
  };
}

const lineColor = (/** @type {Palette} */ p) => ["coalesce", ["get", "color"], p.rail];

/** Lines of public transport, thin, in their own colours. @param {Palette} p @param {any} road */
function toLines(p, road) {
  const layout = { "line-cap": "round", "line-join": "round" };
  const shown = (/** @type {number} */ most) => [
    "interpolate",
    ["linear"],
    ["zoom"],
    11,
    0,
    12.5,
    most,
  ];
  const wide = (/** @type {number} */ more) => [
    "interpolate",
    ["linear"],
    ["zoom"],
    ...[11, 0.8 + more, 14, 1.5 + more, 18, 3 + more],
  ];
  const line = { ...road, filter: only("rail"), minzoom: 11, layout };
  return [
    {
      ...line,
      id: "rail-casing",
      paint: { "line-color": p.halo, "line-width": wide(2), "line-opacity": shown(0.6) },
    },
    {
      ...line,
      id: "rail",
      paint: { "line-color": lineColor(p), "line-width": wide(0), "line-opacity": shown(0.7) },
    },
  ];
}

/** Without an address of glyphs the browser's own font is drawn. @param {Palette} p */
function toLabels(p) {
  const paint = { "text-color": p.label, "text-halo-color": p.halo, "text-halo-width": 1.4 };
  const text = { "text-field": ["get", "name"], "text-font": FONT };
  return [
    {
      id: "rail-names",
      type: "symbol",
      source: "city",
      minzoom: 12,
      filter: only("rail"),
      paint: { ...paint, "text-color": p.place, "text-halo-width": 1.8 },
      layout: {
        ...text,
        "text-font": ["Semibold", "sans-serif"],
        "symbol-placement": "line",
        "text-size": 11,
        "symbol-spacing": 300,
        "text-padding": 8,
      },
    },
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
    ...WAY_SOURCE,
  };
}

/** @param {Theme} theme @returns {any[]} */
export function toOwnLayers(theme) {
  const p = paletteOf(theme);
  return [
    {
      id: "box-dots",
      type: "circle",
      source: "boxes",
      maxzoom: NEAR,
      paint: {
        "circle-color": p.box,
        "circle-radius": ["interpolate", ["linear"], ["zoom"], 1, 3, 6, 5],
        "circle-stroke-width": 1.5,
        "circle-stroke-color": p.halo,
      },
    },
    {
      id: "circle-fill",
      type: "fill",
      source: "circle",
      filter: ["match", ["get", "kind"], ["reach", "outline"], true, false],
      paint: { "fill-color": p.accent, "fill-opacity": tint(theme === "dark" ? 0.1 : 0.07) },
    },
    {
      id: "circle-line",
      type: "line",
      source: "circle",
      filter: ["match", ["get", "kind"], ["reach", "mobility"], true, false],
      paint: {
        "line-color": p.accent,
        "line-width": ["match", ["get", "kind"], "reach", 2, 1.2],
        "line-opacity": 0.8,
        "line-dasharray": [2, 1.6],
      },
    },
    {
      id: "outline",
      type: "line",
      source: "circle",
      filter: only("outline"),
      layout: { "line-join": "round" },
      paint: { "line-color": p.accent, "line-width": 2.2, "line-opacity": 0.9 },
    },
    ...toWayLayers(p),
  ];
}

/** @param {readonly import("./base.js").Box[]} boxes */
function toBoxes(boxes) {
  const features = boxes.map(([west, south, east, north]) => {
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    return { type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [ring] } };
  });
  return { type: "FeatureCollection", features };
}
