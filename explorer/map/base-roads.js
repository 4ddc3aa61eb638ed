/** Streets, paths and rails: edges below, faces above, tunnels below all and bridges above all. */
import { from, grow, within } from "./expressions.js";

/** @typedef {import("./base-palettes.js").Palette} Palette */

const BIG = ["motorway", "trunk", "primary", "secondary", "tertiary"];
const SMALL = ["minor", "pedestrian", "service", "runway", "taxiway", "pier"];
const ROUND = { "line-cap": "round", "line-join": "round" };
const FLAT = { "line-cap": "butt", "line-join": "round" };

/** Width of a face by class, at one zoom. @param {Record<string, number>} widths @param {number} other @param {number} [edge] */
const widths = (widths, other, edge = 0) => {
  const byClass = ["match", ["get", "class"], ...Object.entries(widths).flat(), other];
  const own = ["*", byClass, ["case", ["has", "ramp"], 0.62, 1]];
  return edge === 0 ? own : ["+", own, edge];
};

/** @param {number} edge Pixels that the edges add at great zooms. */
const roadWidth = (edge) =>
  grow(
    [5, widths({ motorway: 0.9, trunk: 0.7 }, 0.3, edge && 0.4)],
    [8, widths({ motorway: 1.6, trunk: 1.3, primary: 0.8 }, 0.4, edge && 0.6)],
    [
      11,
      widths(
        { motorway: 2.6, trunk: 2.2, primary: 1.7, secondary: 1.3, tertiary: 0.8 },
        0.4,
        edge && 0.9,
      ),
    ],
    [
      13,
      widths(
        {
          motorway: 4.2,
          trunk: 3.8,
          primary: 3.3,
          secondary: 2.8,
          tertiary: 2.2,
          minor: 1.2,
          runway: 6,
          taxiway: 1.5,
        },
        0.7,
        edge && 1.2,
      ),
    ],
    [
      14,
      widths(
        {
          motorway: 6,
          trunk: 5.4,
          primary: 4.8,
          secondary: 4.2,
          tertiary: 3.6,
          minor: 2.4,
          pedestrian: 2,
          runway: 12,
          taxiway: 3,
        },
        1.1,
        edge && 1.4,
      ),
    ],
    [
      16,
      widths(
        {
          motorway: 13,
          trunk: 12,
          primary: 11.5,
          secondary: 10.5,
          tertiary: 9.5,
          minor: 7.5,
          pedestrian: 6,
          service: 3.6,
          runway: 40,
          taxiway: 10,
        },
        3,
        edge && 1.8,
      ),
    ],
    [
      19,
      widths(
        {
          motorway: 52,
          trunk: 50,
          primary: 48,
          secondary: 44,
          tertiary: 42,
          minor: 36,
          pedestrian: 28,
          service: 18,
          runway: 240,
          taxiway: 60,
        },
        14,
        edge && 2.4,
      ),
    ],
  );

/** @param {Palette} p */
const faces = (p) => [
  "match",
  ["get", "class"],
  "motorway",
  p.motorway,
  "trunk",
  p.trunk,
  "primary",
  p.primary,
  "secondary",
  p.secondary,
  "pedestrian",
  p.paved,
  ["runway", "taxiway"],
  p.runway,
  "pier",
  p.land,
  p.minor,
];
/** @param {Palette} p */
const edges = (p) => [
  "match",
  ["get", "class"],
  "motorway",
  p.motorwayCasing,
  "trunk",
  p.trunkCasing,
  "primary",
  p.primaryCasing,
  "secondary",
  p.secondaryCasing,
  "runway",
  p.runway,
  "taxiway",
  p.runway,
  p.minorCasing,
];
const order = [
  "match",
  ["get", "class"],
  "motorway",
  9,
  "trunk",
  8,
  "primary",
  7,
  "secondary",
  6,
  "tertiary",
  5,
  "minor",
  4,
  "pedestrian",
  3,
  2,
];

/** @param {"tunnel" | "bridge" | null} structure */
const being = (structure) =>
  structure === null ? ["!", ["has", "structure"]] : ["==", ["get", "structure"], structure];

const road = { type: "line", ...from("road") };
const rail = { type: "line", ...from("rail") };

/** @param {Palette} p @returns {any[]} */
export function toRoadLayers(p) {
  return [
    ...toPair(p, "tunnel"),
    ...toPaths(p),
    ...toPair(p, null),
    ...toRails(p),
    ...toPair(p, "bridge"),
    toFerries(p),
  ];
}

/** Edges and faces of the same streets. @param {Palette} p @param {"tunnel" | "bridge" | null} structure */
function toPair(p, structure) {
  const name = structure ?? "road";
  const tunnel = structure === "tunnel";
  const filter = ["all", within(...BIG, ...SMALL), being(structure)];
  return [
    {
      ...road,
      id: `base-${name}-edge`,
      minzoom: tunnel ? 13 : 7,
      filter: ["all", filter, ["step", ["zoom"], within(...BIG), 13, true]],
      layout: { ...(structure === null ? ROUND : FLAT), "line-sort-key": order },
      paint: {
        "line-color": edges(p),
        "line-width": roadWidth(1),
        ...(tunnel ? { "line-dasharray": [1.2, 0.8], "line-opacity": 0.6 } : {}),
      },
    },
    {
      ...road,
      id: `base-${name}`,
      minzoom: tunnel ? 11 : 5,
      filter,
      layout: { ...ROUND, "line-sort-key": order },
      paint: {
        "line-color": faces(p),
        "line-width": roadWidth(0),
        ...(tunnel ? { "line-opacity": 0.45 } : {}),
      },
    },
  ];
}

/** @param {Palette} p */
function toPaths(p) {
  const line = (
    /** @type {string} */ id,
    /** @type {string[]} */ classes,
    /** @type {object} */ paint,
  ) => ({
    ...road,
    id: `base-${id}`,
    minzoom: 14,
    filter: ["all", within(...classes), ["!=", ["get", "structure"], "tunnel"]],
    layout: FLAT,
    paint: { "line-width": grow([14, 0.7], [16, 1.3], [19, 4]), ...paint },
  });
  return [
    line("track", ["track"], { "line-color": p.track, "line-dasharray": [4, 1.5] }),
    line("path", ["path"], { "line-color": p.path, "line-dasharray": [2, 1.6] }),
    line("cycleway", ["cycleway"], { "line-color": p.cycleway, "line-dasharray": [3, 1.2] }),
    line("steps", ["steps"], {
      "line-color": p.path,
      "line-dasharray": [0.5, 0.5],
      "line-width": grow([14, 1.2], [16, 2.6], [19, 9]),
    }),
  ];
}

/** @param {Palette} p */
function toRails(p) {
  const heavy = within("rail", "narrow_gauge", "light_rail");
  return [
    {
      ...rail,
      id: "base-rail",
      minzoom: 9,
      filter: ["all", heavy, ["!=", ["get", "structure"], "tunnel"]],
      layout: FLAT,
      paint: { "line-color": p.railway, "line-width": grow([9, 0.6], [14, 1.3], [19, 4]) },
    },
    {
      ...rail,
      id: "base-rail-ties",
      minzoom: 14,
      filter: ["all", heavy, ["!=", ["get", "structure"], "tunnel"]],
      layout: FLAT,
      paint: {
        "line-color": p.railway,
        "line-width": grow([14, 3.2], [19, 12]),
        "line-dasharray": [0.25, 2],
      },
    },
    {
      ...rail,
      id: "base-tram",
      minzoom: 13,
      filter: ["all", within("tram", "funicular", "cable"), ["!=", ["get", "structure"], "tunnel"]],
      layout: FLAT,
      paint: { "line-color": p.tram, "line-width": grow([13, 0.7], [16, 1.2], [19, 2.5]) },
    },
    {
      ...rail,
      id: "base-underground",
      minzoom: 13,
      filter: ["==", ["get", "structure"], "tunnel"],
      layout: FLAT,
      paint: {
        "line-color": p.railway,
        "line-width": grow([13, 0.7], [19, 2.5]),
        "line-dasharray": [3, 3],
        "line-opacity": 0.5,
      },
    },
  ];
}

/** @param {Palette} p */
function toFerries(p) {
  return {
    ...road,
    id: "base-ferry",
    minzoom: 9,
    filter: within("ferry"),
    layout: FLAT,
    paint: { "line-color": p.ferry, "line-width": 1.1, "line-dasharray": [5, 4] },
  };
}
