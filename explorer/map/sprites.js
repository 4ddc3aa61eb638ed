/** Images of marks on the map: drawn once each into one sheet, which the graphics card keeps. */
import { ICON_SIZE, ICONS } from "../page/icons.js";
import { colorsOf, inkOn, keyOf } from "./looks.js";

/** @typedef {import("./looks.js").Look} Look @typedef {import("./looks.js").Colors} Colors */

const SHEET = 2048;
const SCALE = 2;
/** Size of one sprite, in CSS pixels. */
export const CELL = 40;
const SIDE = CELL * SCALE;
const PER_ROW = Math.floor(SHEET / SIDE);
const ROOM = PER_ROW * PER_ROW;
/** One for each colour, in use and not, light and dark. */
const FOR_DOTS = 60;

/** @typedef {{ left: number, top: number }} Place */

export function createSprites() {
  const canvas = document.createElement("canvas");
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = /** @type {CanvasRenderingContext2D} */ (
    canvas.getContext("2d", { willReadFrequently: true })
  );
  /** @type {Map<string, Place>} */
  const places = new Map();
  /** @type {(Place & { pixels: ImageData })[]} */
  let fresh = [];
  return {
    side: SIDE,
    sheet: SHEET,
    /** Where it is, left and top in pixels of the sheet; null: the sheet is full. @param {Look} look @param {boolean} dark @returns {Place | null} */
    find(look, dark) {
      const key = keyOf(look, dark);
      const known = places.get(key);
      if (known) return known;
      if (places.size >= (look.form === "dot" ? ROOM : ROOM - FOR_DOTS)) return null;
      const at = places.size;
      const place = { left: (at % PER_ROW) * SIDE, top: Math.floor(at / PER_ROW) * SIDE };
      places.set(key, place);
      paint(context, () => draw(context, look, dark));
      fresh.push({ ...place, pixels: context.getImageData(0, 0, SIDE, SIDE) });
      return place;
    },
    /** Makes room: all that was found is invalid. */
    clear() {
      places.clear();
      fresh = [];
    },
    /** What was drawn since it was last asked, for the sheet on the graphics card. */
    takeFresh() {
      const taken = fresh;
      fresh = [];
      return taken;
    },
  };
}

/** @param {CanvasRenderingContext2D} context @param {() => void} drawing */
function paint(context, drawing) {
  context.save();
  context.scale(SCALE, SCALE);
  context.clearRect(0, 0, CELL, CELL);
  context.translate(CELL / 2, CELL / 2);
  drawing();
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {Look} look @param {boolean} dark */
function draw(context, look, dark) {
  const colors = colorsOf(look, dark);
  const drawn = {
    station: drawStation,
    cluster: drawCluster,
    round: drawThing,
    square: drawThing,
    dot: drawDot,
    pin: drawPin,
    letter: drawLetter,
  };
  if (look.form !== "letter") shadow(context, dark);
  drawn[look.form](context, look, colors);
}

/** @param {CanvasRenderingContext2D} context @param {boolean} dark */
function shadow(context, dark) {
  context.shadowColor = dark ? "rgba(0,0,0,.6)" : "rgba(30,35,45,.28)";
  context.shadowBlur = 4 * SCALE;
  context.shadowOffsetY = 1.2 * SCALE;
}

/** A ring that is as full as the station, and how many are free. @param {CanvasRenderingContext2D} context @param {Look} look @param {Colors} colors */
function drawStation(context, { share, text }, { paper, track, ring, number }) {
  context.fillStyle = paper;
  circle(context, 16);
  context.fill();
  context.shadowColor = "transparent";
  context.lineWidth = 4;
  context.strokeStyle = track;
  circle(context, 13);
  context.stroke();
  if (share > 0) {
    context.strokeStyle = ring;
    context.lineCap = "round";
    context.beginPath();
    context.arc(0, 0, 13, -Math.PI / 2, -Math.PI / 2 + share * 2 * Math.PI);
    context.stroke();
  }
  write(context, text, { x: 0, color: number, size: text.length > 2 ? 10 : 13 });
}

/** @param {CanvasRenderingContext2D} context @param {Look} look @param {Colors} colors */
function drawThing(context, { form, icon }, { body, rim, icon: ink }) {
  const round = form === "round";
  const r = round ? 10 : 11.5;
  context.fillStyle = body;
  context.strokeStyle = rim;
  context.lineWidth = 2;
  if (round) circle(context, r);
  else box(context, r, r, 6.5);
  context.fill();
  context.shadowColor = "transparent";
  context.stroke();
  drawIcon(context, icon, { x: 0, side: r * 1.25, color: ink });
}

/** A pictogram and how many. @param {CanvasRenderingContext2D} context @param {Look} look @param {Colors} colors */
function drawCluster(context, { icon, text }, { body, rim, icon: ink }) {
  const wide = text.length > 2 ? 18 : text.length > 1 ? 16.5 : 14;
  context.fillStyle = body;
  context.strokeStyle = rim;
  context.lineWidth = 2;
  box(context, wide, 10, 10);
  context.fill();
  context.shadowColor = "transparent";
  context.stroke();
  drawIcon(context, icon, { x: 9.5 - wide, side: 11.5, color: ink });
  write(context, text, { x: 8, color: ink, size: text.length > 2 ? 10.5 : 12 });
}

/** @param {CanvasRenderingContext2D} context @param {Look} _ @param {Colors} colors */
function drawDot(context, _, { body, rim }) {
  context.fillStyle = body;
  context.strokeStyle = rim;
  context.lineWidth = 1.5;
  circle(context, 4);
  context.fill();
  context.shadowColor = "transparent";
  context.stroke();
}

/** The ground of the chosen thing: a disc whose tip lies where the thing is, at the lower edge. @param {CanvasRenderingContext2D} context @param {Look} _ @param {Colors} colors */
function drawPin(context, _, { paper, ring }) {
  context.fillStyle = paper;
  context.strokeStyle = ring;
  context.lineWidth = 2;
  context.lineJoin = "round";
  context.beginPath();
  context.arc(0, -3, 14, 0.73 * Math.PI, 0.27 * Math.PI);
  context.lineTo(0, CELL / 2 - 2);
  context.closePath();
  context.fill();
  context.shadowColor = "transparent";
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {Look} look @param {Colors} colors */
function drawLetter(context, { text, color }, { rim }) {
  context.fillStyle = color;
  context.strokeStyle = rim;
  context.lineWidth = 1.5;
  const wide = text.length > 1 ? 7.5 : 6;
  box(context, wide, 6, 6);
  context.fill();
  context.stroke();
  write(context, text, { x: 0, color: inkOn(color), size: 8.5 });
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {{ x: number, color: string, size: number }} how */
function write(context, text, { x, color, size }) {
  context.fillStyle = color;
  context.font = `700 ${size}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, 0.8);
}

/** @param {CanvasRenderingContext2D} context @param {string} name @param {{ x: number, side: number, color: string }} how */
function drawIcon(context, name, { x, side, color }) {
  context.save();
  context.translate(x - side / 2, -side / 2);
  context.scale(side / ICON_SIZE, side / ICON_SIZE);
  context.fillStyle = color;
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas is no array
  context.fill(new Path2D(ICONS[name] ?? ""));
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {number} r */
function circle(context, r) {
  context.beginPath();
  context.arc(0, 0, r, 0, 2 * Math.PI);
}

/** @param {CanvasRenderingContext2D} context @param {number} wide @param {number} high @param {number} corner */
function box(context, wide, high, corner) {
  context.beginPath();
  context.roundRect(-wide, -high, 2 * wide, 2 * high, corner);
}
