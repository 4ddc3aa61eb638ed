/** Images of things on the map: drawn once each into one sheet, which the graphics card keeps. */
import { ICON_SIZE, ICONS } from "../page/icons.js";

/** @typedef {import("../data/items.js").Item} Item */

const SHEET = 2048;
const SCALE = 2;
/** Size of one sprite, in CSS pixels. */
export const CELL = 40;
const SIDE = CELL * SCALE;
const PER_ROW = Math.floor(SHEET / SIDE);

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
    /** Where it is, left and top in pixels of the sheet. @param {Item} item @param {boolean} dark @returns {Place} */
    find(item, dark) {
      const look = lookOf(item, dark);
      const known = places.get(look);
      if (known) return known;
      if (places.size >= PER_ROW * PER_ROW) places.clear();
      const at = places.size;
      const place = { left: (at % PER_ROW) * SIDE, top: Math.floor(at / PER_ROW) * SIDE };
      places.set(look, place);
      paint(context, () => draw(context, item, dark));
      fresh.push({ ...place, pixels: context.getImageData(0, 0, SIDE, SIDE) });
      return place;
    },
    /** What was drawn since it was last asked, for the sheet on the graphics card. */
    takeFresh() {
      const taken = fresh;
      fresh = [];
      return taken;
    },
  };
}

const STEPS = 12;

/** Things that look the same share a sprite. @param {Item} item @param {boolean} dark */
function lookOf(item, dark) {
  const { layer, kind, icon, free, state } = item;
  const shade = dark ? "d" : "l";
  if (layer !== "station") return `${shade}/${layer}/${kind}/${icon}/${isUsable(item)}`;
  return `${shade}/${layer}/${kind}/${free ?? "?"}/${Math.round(shareOf(item) * STEPS)}/${state === "operational"}`;
}

/** @param {Item} item */
export function shareOf({ free, total }) {
  return free === null || total === null || total === 0 ? 0 : Math.min(1, free / total);
}

/** @param {Item} item */
function isUsable({ state }) {
  return state !== "unavailable" && state !== "maintenance" && state !== "closed";
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

/** @param {CanvasRenderingContext2D} context @param {Item} item @param {boolean} dark */
function draw(context, item, dark) {
  const paper = dark ? "#1f252c" : "#ffffff";
  const color = isUsable(item) ? item.color : "#7d8794";
  shadow(context, dark);
  if (item.layer === "station") return drawStation(context, item, { paper, color, dark });
  if (item.layer === "vehicle")
    return drawBadge(context, item.icon, { r: 10, paper, color, round: true });
  drawBadge(context, item.icon, { r: 11.5, paper, color, round: false });
}

/** @param {CanvasRenderingContext2D} context @param {boolean} dark */
function shadow(context, dark) {
  context.shadowColor = dark ? "rgba(0,0,0,.6)" : "rgba(30,35,45,.28)";
  context.shadowBlur = 4 * SCALE;
  context.shadowOffsetY = 1.2 * SCALE;
}

/** A ring that is as full as the station, and how many are free. @param {CanvasRenderingContext2D} context @param {Item} item @param {{ paper: string, color: string, dark: boolean }} look */
function drawStation(context, item, { paper, color, dark }) {
  const share = shareOf(item);
  context.fillStyle = paper;
  circle(context, 16);
  context.fill();
  context.shadowColor = "transparent";
  context.lineWidth = 4;
  context.strokeStyle = dark ? "#39424c" : "#e3e6ea";
  circle(context, 13);
  context.stroke();
  if (share > 0) {
    context.strokeStyle = color;
    context.lineCap = "round";
    context.beginPath();
    context.arc(0, 0, 13, -Math.PI / 2, -Math.PI / 2 + share * 2 * Math.PI);
    context.stroke();
  }
  const text =
    item.state === "operational" || (item.free ?? 0) > 0
      ? item.free === null
        ? "?"
        : String(Math.min(item.free, 999))
      : "×";
  context.fillStyle =
    text === "0" || text === "×" ? (dark ? "#98a3af" : "#707a86") : dark ? lighter(color) : color;
  context.font = `700 ${text.length > 2 ? 10 : 13}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, 0, 0.8);
}

/** @param {CanvasRenderingContext2D} context @param {string} name @param {{ r: number, paper: string, color: string, round: boolean }} look */
function drawBadge(context, name, { r, paper, color, round }) {
  context.fillStyle = color;
  context.strokeStyle = paper;
  context.lineWidth = 2;
  if (round) circle(context, r);
  else square(context, r, 6.5);
  context.fill();
  context.shadowColor = "transparent";
  context.stroke();
  const side = r * 1.25;
  context.translate(-side / 2, -side / 2);
  context.scale(side / ICON_SIZE, side / ICON_SIZE);
  context.fillStyle = "#ffffff";
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas is no array
  context.fill(new Path2D(ICONS[name] ?? ""));
}

/** @param {CanvasRenderingContext2D} context @param {number} r */
function circle(context, r) {
  context.beginPath();
  context.arc(0, 0, r, 0, 2 * Math.PI);
}

/** @param {CanvasRenderingContext2D} context @param {number} half @param {number} corner */
function square(context, half, corner) {
  context.beginPath();
  context.roundRect(-half, -half, 2 * half, 2 * half, corner);
}

/** The same colour for a dark ground. @param {string} color */
function lighter(color) {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `rgb(${parts.map((part) => Math.round(part + (255 - part) * 0.5)).join(",")})`;
}
