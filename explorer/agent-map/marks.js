/** Marks of the view as SVG: a shape for each mode and layer, since colour alone says nothing to some. */
import { colorsOf, lookOf } from "../map/looks.js";
import { arrange, place, sizeAt, stepOf } from "../map/marks.js";
import { ICON_SIZE, ICONS } from "../page/icons.js";
import { svg } from "./svg.js";

/**
 * @typedef {import("./things.js").Thing} Thing
 * @typedef {import("./plane.js").Place} Place
 * @typedef {import("../map/marks.js").Mark} Mark
 * @typedef {Place & { mark: Mark, members: Thing[] }} Group
 */

/** Tiles of 512 pixels and metres of the equator, by which the explorer's zoom is a scale. */
const TILE = 512;
const EQUATOR_M = 40_075_016.7;

/** @param {number} scale pixels of a metre */
export function toZoom(scale) {
  return Math.log2((scale * EQUATOR_M) / TILE);
}

/** The step of zoom within which groups stay the same. @param {number} scale */
export function toStep(scale) {
  return stepOf(toZoom(scale));
}

/** Size of marks, up to 1. @param {number} scale */
export function toSize(scale) {
  return sizeAt(toZoom(scale));
}

/**
 * Groups of things that would lie on each other at a step of zoom, the uppermost last.
 * @param {readonly Thing[]} things @param {(thing: Thing) => Place} placeOf @param {number} step
 * @returns {Group[]}
 */
export function group(things, placeOf, step) {
  const placed = place(things).map((one) => {
    const { east, north } = placeOf(/** @type {Thing} */ (one.thing));
    return { ...one, x: east / EQUATOR_M, y: -north / EQUATOR_M };
  });
  return arrange(placed, step).map((mark) => ({
    mark,
    members: /** @type {Thing[]} */ (mark.members),
    east: mark.x * EQUATOR_M,
    north: -mark.y * EQUATOR_M,
  }));
}

/** A mark around 0,0. @param {Mark} mark @param {boolean} dark */
export function draw(mark, dark) {
  const look = lookOf(mark);
  const colors = colorsOf(look, dark);
  const { usable } = mark.item;
  if (look.form === "dot") return toDot(/** @type {Thing} */ (mark.item), colors);
  const drawn = DRAWN[look.form === "cluster" || look.form === "station" ? look.form : "thing"];
  const parts = drawn(look, colors, usable === "unknown");
  return [...parts, ...(usable === "no" ? [toStroke(colors)] : [])];
}

/** @typedef {import("../map/looks.js").Look} Look @typedef {import("../map/looks.js").Colors} Colors */

/** Of what is not known the edge is dashed, and the body empty. */
const DASHES = "3 2.5";
const ROUND = 2 * Math.PI * 13;

/** @type {Record<"cluster" | "station" | "thing", (look: Look, colors: Colors, isUnknown: boolean) => SVGElement[]>} */
const DRAWN = {
  station: ({ share, text }, { paper, track, ring, number }, isUnknown) => [
    svg("circle", { r: 16, fill: paper }),
    svg("circle", {
      ...{
        r: 13,
        fill: "none",
        stroke: isUnknown ? ring : track,
        "stroke-width": isUnknown ? 2 : 4,
      },
      "stroke-dasharray": isUnknown ? DASHES : null,
    }),
    share > 0
      ? svg("circle", {
          ...{ r: 13, fill: "none", stroke: ring, "stroke-width": 4, transform: "rotate(-90)" },
          "stroke-dasharray": `${share * ROUND} ${ROUND}`,
        })
      : svg("g"),
    write(text, 0, text.length > 2 ? 10 : 13, number),
  ],
  thing: ({ form, icon }, { body, rim, icon: ink, paper }, isUnknown) => {
    const r = form === "round" ? 10 : 11;
    const [fill, stroke, own] = isUnknown ? [paper, body, body] : [body, rim, ink];
    return [
      toBody({ wide: r, high: r, corner: form === "round" ? r : 5 }, { fill, stroke, isUnknown }),
      pictogram(icon, 0, r * 1.25, own),
    ];
  },
  cluster: ({ icon, text }, { body, rim, icon: ink, paper }, isUnknown) => {
    const wide = text.length > 2 ? 18 : text.length > 1 ? 16.5 : 14;
    const [fill, stroke, own] = isUnknown ? [paper, body, body] : [body, rim, ink];
    return [
      toBody({ wide, high: 10, corner: 10 }, { fill, stroke, isUnknown }),
      pictogram(icon, 9.5 - wide, 11.5, own),
      write(text, 8, text.length > 2 ? 10.5 : 12, own),
    ];
  },
};

/** @param {{ wide: number, high: number, corner: number }} box @param {{ fill: string, stroke: string, isUnknown: boolean }} how */
function toBody({ wide, high, corner }, { fill, stroke, isUnknown }) {
  return svg("rect", {
    ...{ x: -wide, y: -high, width: 2 * wide, height: 2 * high, rx: corner, fill, stroke },
    ...{ "stroke-width": 2, "stroke-dasharray": isUnknown ? DASHES : null },
  });
}

/** What is struck out cannot be used. @param {Colors} colors */
function toStroke({ body, paper }) {
  const d = "M-9 9L9 -9";
  return svg(
    "g",
    {},
    svg("path", { d, stroke: paper, "stroke-width": 5 }),
    svg("path", { d, stroke: body, "stroke-width": 2 }),
  );
}

/** Outlines of small marks by mode; others are a cross. @type {Readonly<Record<string, string>>} */
const OUTLINES = {
  bicycle: "M4.5 0A4.5 4.5 0 1 1 -4.5 0A4.5 4.5 0 1 1 4.5 0Z",
  scooter: "M0 -5.5L5.5 4.5H-5.5Z",
  moped: "M0 -5.5L5.5 0L0 5.5L-5.5 0Z",
  car: "M-4.2 -4.2H4.2V4.2H-4.2Z",
};
const CROSS = "M-1.8 -5H1.8V-1.8H5V1.8H1.8V5H-1.8V1.8H-5V-1.8H-1.8Z";

/** @param {Thing} thing @param {Colors} colors */
function toDot({ of, usable }, { body, rim, paper }) {
  const isKnown = usable !== "unknown";
  return [
    svg("path", {
      d: OUTLINES[of] ?? CROSS,
      ...{ fill: isKnown ? body : paper, stroke: isKnown ? rim : body, "stroke-width": 1.5 },
      "stroke-dasharray": isKnown ? null : "2 1.5",
    }),
    ...(usable === "no"
      ? [svg("path", { d: "M-5 5L5 -5", stroke: body, "stroke-width": 1.5 })]
      : []),
  ];
}

/** @param {string} text @param {number} x @param {number} size @param {string} fill */
function write(text, x, size, fill) {
  const given = { x, y: size * 0.36, fill, "font-size": size, "font-weight": 700 };
  return svg("text", { ...given, "text-anchor": "middle" }, text);
}

/** @param {string} icon @param {number} x its middle @param {number} side @param {string} fill */
function pictogram(icon, x, side, fill) {
  const scale = side / ICON_SIZE;
  const transform = `translate(${x - side / 2} ${-side / 2}) scale(${scale})`;
  return svg("path", { d: ICONS[icon] ?? ICONS["parking"] ?? "", fill, transform });
}
