/**
 * Which marks show the things at one zoom. Vehicles of a kind that would overlap are one mark with
 * their count; of other marks that would overlap the less useful is a dot. Pure: equal things give
 * equal marks, in whatever order they come.
 */
import { toMercator } from "./geometry.js";
import { isGrey, isUsable } from "./looks.js";

/** @typedef {import("./looks.js").Thing} Thing */
/**
 * @typedef {{ thing: Thing, x: number, y: number, rank: number, group: string | null }} Placed
 * A thing with its place in Web Mercator from 0 to 1; those of a group may share a mark.
 * @typedef {{ key: string, item: Thing, members: Thing[], x: number, y: number, rank: number,
 *   form: "whole" | "dot" }} Mark
 * `item` is where the mark lies. Members are in order of their ids.
 */

/** Marks are made for the lower end of such a step of zoom, and keep within it. */
const STEP = 0.5;
/** Radii of marks and reach of a cluster, in pixels at full size. */
const RADIUS = { station: 16, transit: 12, service: 12, vehicle: 11 };
const CLUSTER_RADIUS = 16;
const DOT_RADIUS = 5;
const REACH = 30;
/** Of the sum of two radii, how far marks must be apart: a number stays legible under an edge. */
const APART = 0.78;
/** The size of marks from afar, and the zooms at which it begins and ends to grow. */
const SMALL = { size: 0.78, from: 13, to: 15.5 };

/** Size of marks, up to 1. @param {number} zoom */
export function sizeAt(zoom) {
  const { size, from, to } = SMALL;
  const share = Math.min(1, Math.max(0, (zoom - from) / (to - from)));
  return size + (1 - size) * share;
}

/** @param {number} zoom */
export function stepOf(zoom) {
  return Math.floor(zoom / STEP) * STEP;
}

/** Pixels from the middle of a mark to its edge, at full size. @param {Mark} mark */
export function radiusOf({ form, members, item }) {
  if (form === "dot") return DOT_RADIUS;
  return members.length > 1 ? CLUSTER_RADIUS : RADIUS[item.layer];
}

/** Things that are shown on a map, in order of their ids. @param {readonly Thing[]} things @returns {Placed[]} */
export function place(things) {
  const sorted = things.filter(({ onMap }) => onMap).toSorted(byId);
  const middle = sorted[0] ? toMercator(sorted[0]).x : 0;
  return sorted.map((thing) => {
    const { x, y } = toMercator(thing);
    const group = thing.layer === "vehicle" ? `${thing.kind}/${isGrey(thing)}` : null;
    // Across the antimeridian the next world is the nearer one.
    return { thing, x: x + Math.round(middle - x), y, rank: rankOf(thing), group };
  });
}

/** @param {Thing} a @param {Thing} b */
const byId = (a, b) => compare(a.id, b.id) || a.lat - b.lat || a.lon - b.lon;

/** @template {string | number} T @param {T} a @param {T} b */
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** How much it is of use: full stations above others, what cannot be used below all. @param {Thing} thing */
function rankOf(thing) {
  const { layer, free } = thing;
  if (!isUsable(thing)) return 0;
  if (thing.stale) return 1;
  if (layer === "transit") return 4;
  if (layer !== "station") return layer === "vehicle" ? 3 : 3.5;
  return free === null || free === 0 ? 2 : 5 + Math.min(free, 999) / 1000;
}

/**
 * Marks of all things at a step of zoom, those to be drawn first at the beginning.
 * @param {readonly Placed[]} placed @param {number} step @returns {Mark[]}
 */
export function arrange(placed, step) {
  const world_px = (512 * 2 ** step) / sizeAt(step);
  const marks = [...placed.filter(({ group }) => group === null).map((one) => toMark([one]))];
  for (const group of Map.groupBy(placed, (one) => one.group).entries())
    if (group[0] !== null) marks.push(...gather(group[1], REACH / world_px).map(toMark));
  return declutter(marks, world_px).toSorted(byHeight);
}

/** @param {Mark} a @param {Mark} b */
const byHeight = (a, b) =>
  compare(a.form, b.form) || a.rank - b.rank || a.y - b.y || compare(a.key, b.key);

/** @param {Placed[]} members the first is where the mark lies @returns {Mark} */
function toMark(members) {
  const [{ thing, x, y, rank }] = /** @type {[Placed]} */ (members);
  const more = members.length > 1 ? 0.4 + Math.min(members.length, 999) / 10_000 : 0;
  return {
    key: thing.id,
    item: thing,
    members: members.map((one) => one.thing),
    x,
    y,
    rank: rank + more,
    form: "whole",
  };
}

/** Each in turn takes those around it that none has taken yet. @param {readonly Placed[]} placed @param {number} reach @returns {Placed[][]} */
function gather(placed, reach) {
  const near = createGrid(reach);
  for (const [n, { x, y }] of placed.entries()) near.add(x, y, n);
  const taken = new Uint8Array(placed.length);
  return placed.flatMap((one, n) => {
    if (taken[n]) return [];
    taken[n] = 1;
    /** @type {number[]} */
    const others = [];
    near.visit(one.x, one.y, (other) => {
      const { x, y } = /** @type {Placed} */ (placed[other]);
      if (taken[other] || (x - one.x) ** 2 + (y - one.y) ** 2 > reach * reach) return;
      taken[other] = 1;
      others.push(other);
    });
    const members = others
      .toSorted((a, b) => a - b)
      .map((at) => /** @type {Placed} */ (placed[at]));
    return [[one, ...members]];
  });
}

/** What would lie on a more useful mark is a dot. @param {Mark[]} marks @param {number} world_px @returns {Mark[]} */
function declutter(marks, world_px) {
  const near = createGrid((2 * RADIUS.station * APART) / world_px);
  const sorted = marks.toSorted((a, b) => b.rank - a.rank || compare(a.key, b.key));
  return sorted.map((mark, n) => {
    let free = true;
    near.visit(mark.x, mark.y, (other) => {
      const one = /** @type {Mark} */ (sorted[other]);
      const least = ((radiusOf(mark) + radiusOf(one)) * APART) / world_px;
      if ((mark.x - one.x) ** 2 + (mark.y - one.y) ** 2 < least * least) free = false;
    });
    if (!free) return { ...mark, form: "dot" };
    near.add(mark.x, mark.y, n);
    return mark;
  });
}

/** Numbers by the square they lie in, so that neighbours are found without a look at all. @param {number} side */
function createGrid(side) {
  /** @type {Map<number, number[]>} */
  const cells = new Map();
  const keyOf = (/** @type {number} */ cx, /** @type {number} */ cy) => cx * 2 ** 25 + cy;
  return {
    /** @param {number} x @param {number} y @param {number} value */
    add(x, y, value) {
      const key = keyOf(Math.floor(x / side), Math.floor(y / side));
      const cell = cells.get(key);
      if (cell) cell.push(value);
      else cells.set(key, [value]);
    },
    /** All that may be within one side. @param {number} x @param {number} y @param {(value: number) => void} visitor */
    visit(x, y, visitor) {
      const [cx, cy] = [Math.floor(x / side), Math.floor(y / side)];
      for (let dx = -1; dx <= 1; dx += 1)
        for (let dy = -1; dy <= 1; dy += 1)
          for (const value of cells.get(keyOf(cx + dx, cy + dy)) ?? []) visitor(value);
    },
  };
}

/**
 * The same marks, but that things which are chosen or pointed at have whole marks of their own, on
 * top of all others.
 * @param {readonly Mark[]} marks @param {readonly (string | null)[]} ids the uppermost last @returns {Mark[]}
 */
export function lift(marks, ids) {
  const wanted = new Set(ids.filter((id) => id !== null));
  if (wanted.size === 0) return [...marks];
  /** @type {Map<string, Mark>} */
  const lifted = new Map();
  const rest = marks.flatMap((mark) => {
    const own = mark.members.filter(({ id }) => wanted.has(id));
    for (const item of own) lifted.set(item.id, { ...mark, ...alone(item, mark) });
    if (own.length === 0) return [mark];
    const members = mark.members.filter(({ id }) => !wanted.has(id));
    const [first] = members;
    return first ? [{ ...mark, ...alone(first, mark), members, form: mark.form }] : [];
  });
  const above = [...wanted].flatMap((id) => lifted.get(id) ?? []);
  return [...rest, ...above];
}

/** @param {Thing} item @param {Mark} mark @returns {Pick<Mark, "key" | "item" | "members" | "x" | "y" | "form">} */
function alone(item, mark) {
  const { x, y } = toMercator(item);
  const form = /** @type {const} */ ("whole");
  return { key: item.id, item, members: [item], x: x + Math.round(mark.x - x), y, form };
}

/**
 * The zoom from which the members of a cluster are no longer one mark; infinite where they lie on
 * one point. @param {Mark} mark
 */
export function apartAt({ members }) {
  const [first, ...others] = members.map((thing) => toMercator(thing));
  if (!first) return Infinity;
  const far = others.map(({ x, y }) =>
    Math.hypot(x - first.x - Math.round(x - first.x), y - first.y),
  );
  const most = Math.max(0, ...far);
  const small = Math.log2((REACH * SMALL.size) / (512 * most));
  const zoom = small < SMALL.from ? small : Math.log2(REACH / (512 * most));
  return zoom + STEP;
}
