/** The sprites that marks are made of, as numbers for the graphics card. */
import { PER_SPRITE } from "./layer.js";
import { letterOf, lookOf, PIN } from "./looks.js";
import { CELL } from "./sprites.js";

/** @typedef {import("./marks.js").Mark} Mark @typedef {import("./layer.js").Spot} Spot */
/** @typedef {ReturnType<typeof import("./sprites.js").createSprites>} Sprites */
/**
 * @typedef {{ marks: readonly Mark[], dark: boolean, selected: string | null, pointed: string | null,
 *   before: ReadonlyMap<string, Spot>, letters: boolean, gone?: readonly Mark[] }} Shown
 * `before` has where things were seen; `letters`: those of operators are shown; `gone`: marks that fade away.
 */

/** Sizes against a thing that is neither chosen nor pointed at. */
const CHOSEN = { station: 1.3, transit: 1.45, service: 1.45, vehicle: 1.6 };
export const POINTED = 1.25;
const PIN_SIZE = 1.75;
/** Heights of the pin's middle and of what is on it above its tip, in cells. */
const PIN_RISE = PIN_SIZE * (0.5 - 2 / CELL);
const BODY_RISE = PIN_RISE + (PIN_SIZE * 3) / CELL;
/** Of a pin, in pixels: the radius of its disc, and how high its middle is. */
export const PIN_RADIUS = 15 * PIN_SIZE;
export const PIN_HEIGHT = BODY_RISE * CELL;
/** Opacity of all others where one is chosen, and of what is last known. */
const DIMMED = 0.5;
const STALE = 0.75;

/** @param {Shown} shown @param {Spot} origin @param {Sprites} sprites */
export function toBuffer(shown, origin, sprites) {
  const buffer = fillBuffer(shown, origin, sprites, false);
  if (buffer) return buffer;
  // The sheet is full: it is emptied once, and what then has no room is a dot.
  sprites.clear();
  return /** @type {Float32Array} */ (fillBuffer(shown, origin, sprites, true));
}

/** @param {Shown} shown @param {Spot} origin @param {Sprites} sprites @param {boolean} last @returns {Float32Array | null} null: the sheet is full */
function fillBuffer({ marks, dark, before, gone = [], ...shown }, origin, sprites, last) {
  // A mark is at most a pin, a body and a letter.
  const buffer = new Float32Array((gone.length + marks.length) * 3 * PER_SPRITE);
  const { selected, pointed } = shown;
  const dims = marks.some(({ key }) => key === selected);
  let at = 0;
  for (const [n, mark] of [...gone, ...marks].entries()) {
    const from = before.get(mark.item.id);
    const start = from ?? mark;
    const opacity = opacityOf(mark, dims && mark.key !== selected && mark.key !== pointed);
    for (const { look, size, right, down } of partsOf(mark, shown)) {
      const found = sprites.find(look, dark);
      if (!found && !last) return null;
      const spot = found ?? sprites.find({ ...look, ...DOT }, dark);
      if (!spot) continue;
      buffer[at++] = start.x - origin.x;
      buffer[at++] = start.y - origin.y;
      buffer[at++] = mark.x - origin.x;
      buffer[at++] = mark.y - origin.y;
      buffer[at++] = spot.left;
      buffer[at++] = spot.top;
      buffer[at++] = size;
      buffer[at++] = opacity;
      buffer[at++] = n < gone.length ? 2 : from ? 0 : 1;
      buffer[at++] = right;
      buffer[at++] = down;
    }
  }
  return buffer.subarray(0, at);
}

/** @param {Mark} mark @param {boolean} dimmed */
function opacityOf({ item }, dimmed) {
  if (dimmed) return DIMMED;
  return item.stale ? STALE : 1;
}

/** The sprites of a mark, the lowest first; places in cells. @param {Mark} mark @param {Pick<Shown, "selected" | "pointed" | "letters">} shown */
function partsOf(mark, { selected, pointed, letters }) {
  const { key, item, form, members } = mark;
  const chosen = key === selected;
  const size = chosen ? CHOSEN[item.layer] : key === pointed ? POINTED : 1;
  const rise = chosen ? BODY_RISE : 0;
  const body = { look: lookOf(mark), size, right: 0, down: -rise };
  const single = form === "whole" && members.length === 1;
  const letter = single && (letters || chosen) ? letterOf(item) : null;
  if (!chosen && !letter) return [body];
  const corner = LETTER[item.layer] * size;
  return [
    ...(chosen ? [{ look: PIN, size: PIN_SIZE, right: 0, down: -PIN_RISE }] : []),
    body,
    ...(letter ? [{ look: letter, size, right: corner, down: corner - rise }] : []),
  ];
}

/** How far a letter is right of and below the middle, in cells. */
const LETTER = { station: 0.3, transit: 0.24, service: 0.24, vehicle: 0.22 };
const DOT = /** @type {const} */ ({ form: "dot", icon: "", text: "", share: 0 });
