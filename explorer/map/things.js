/** The things on the map: which marks show them at this zoom, which is chosen, which is pointed at. */
import { createNames } from "./label.js";
import { createLayer } from "./layer.js";
import { arrange, lift, place, radiusOf, sizeAt, stepOf } from "./marks.js";
import { PIN_HEIGHT, PIN_RADIUS, toBuffer } from "./parts.js";
import { createSprites } from "./sprites.js";

/** @typedef {import("./looks.js").Thing} Thing @typedef {import("./marks.js").Mark} Mark @typedef {import("./layer.js").Spot} Spot */

/**
 * Ids of what is chosen, of what the page points at, and of what the pointer is on.
 * @typedef {{ selected: string | null, hovered: string | null, under: string | null }} Keys
 */

/** How long things take to where they are now; and the parts of a cluster from where it was. */
const MOVE_MS = 1600;
const PART_MS = 240;
/** From farther away the letters of operators would hide what they are on. */
const LETTERS_FROM = 14.5;
/** Pixels beyond the edge of a mark that still find it. */
const NEAR_PX = 6;

/** @param {any} map @param {HTMLElement} container @param {() => import("./view.js").Padding} paddingOf */
export function createThings(map, container, paddingOf) {
  const sprites = createSprites();
  const layer = createLayer(map, sprites);
  const names = createNames(container, paddingOf, layer);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let placed = place([]);
  let step = stepOf(map.getZoom());
  let arranged = arrange(placed, step);
  /** @type {Mark[]} */
  let marks = [];
  let way = { began: 0, lasts: MOVE_MS };
  /** Where each thing was seen before. @type {Map<string, Spot>} */
  let before = new Map();
  /** What was there a moment ago, where it was last seen. @type {Mark[]} */
  let gone = [];
  let dark = false;
  let asked = false;
  let keys = /** @type {Keys} */ ({ selected: null, hovered: null, under: null });
  let chosen = /** @type {Mark | null} */ (null);

  const share = () =>
    still.matches ? 1 : Math.min(1, (performance.now() - way.began) / way.lasts);
  const later = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
  /** Made when something changes, so that a frame has only to hand it over. */
  const change = () => {
    const { selected, hovered, under } = keys;
    marks = lift(arranged, [hovered, selected]);
    const find = (/** @type {string | null} */ key) =>
      (key !== null && marks.findLast((mark) => mark.key === key)) || null;
    chosen = find(selected);
    const pointed = find(under) ?? find(hovered);
    names.show(chosen, pointed === chosen ? null : pointed);
    const origin = marks[0] ?? { x: 0, y: 0 };
    const letters = step >= LETTERS_FROM;
    const shown = { marks, dark, selected, pointed: pointed?.key ?? null, before, letters, gone };
    layer.load(toBuffer(shown, origin, sprites), { x: origin.x, y: origin.y });
    later();
  };
  /** @param {Partial<Keys>} some */
  const mark = (some) => {
    const next = { ...keys, ...some };
    const { selected, hovered, under } = keys;
    if (next.selected === selected && next.hovered === hovered && next.under === under) return;
    keys = next;
    change();
  };
  /** What there is, or how near it is seen, has changed. @param {number} lasts */
  const rearrange = (lasts) => {
    const last = { marks, spots: spotsOf(marks, before, share()) };
    before = last.spots;
    gone = still.matches ? [] : leaving(last, placed);
    way = { began: performance.now(), lasts };
    arranged = arrange(placed, step);
    change();
  };
  const draw = () => {
    const now = stepOf(map.getZoom());
    if (now !== step) {
      step = now;
      rearrange(PART_MS);
    }
    const size = sizeAt(map.getZoom());
    layer.draw({ share: share(), size });
    names.put(size);
    if (share() < 1) later();
  };
  const fit = () => {
    layer.fit();
    later();
  };
  fit();
  map.on("resize", fit);
  map.on("render", draw);
  const findMark = (/** @type {Spot} */ at) => {
    const { spot, world } = layer.fromScreen(at);
    return findAt(marks, chosen, { spot, world, size: sizeAt(map.getZoom()) });
  };

  return {
    /** @param {Thing[]} next */
    show(next) {
      placed = place(next);
      rearrange(MOVE_MS);
    },
    /** Emphasises one, also where it is not there yet. @param {string | null} id */
    select: (id) => mark({ selected: id }),
    /** @param {string | null} id */
    hover: (id) => mark({ hovered: id }),
    /** What the pointer is on: a thing or a cluster. @param {Mark | null} one */
    point: (one) => mark({ under: one?.key ?? null }),
    /** @param {boolean} is */
    setDark(is) {
      dark = is;
      change();
    },
    /** The uppermost mark at a point of the screen. @type {(at: Spot) => Mark | null} */
    findMark,
    /** What is at a point of the screen; a cluster is no thing. @param {Spot} at @returns {Thing | null} */
    find(at) {
      const found = findMark(at);
      return found?.members.length === 1 ? found.item : null;
    },
  };
}

/** @param {readonly Mark[]} marks @param {Mark | null} chosen @param {{ spot: Spot, world: number, size: number }} at `world`: how many pixels it has */
function findAt(marks, chosen, { spot, world, size }) {
  if (chosen) {
    const rise = (PIN_HEIGHT * size) / world;
    const away = Math.hypot(chosen.x - spot.x, chosen.y - rise - spot.y) * world;
    if (away < PIN_RADIUS * size) return chosen;
  }
  let best = null;
  let least = NEAR_PX;
  for (let n = marks.length - 1; n >= 0; n -= 1) {
    const mark = /** @type {Mark} */ (marks[n]);
    const middle = Math.hypot(mark.x - spot.x, mark.y - spot.y) * world;
    const away = middle - radiusOf(mark) * size;
    if (away <= 0) return mark;
    if (away < least) [best, least] = [mark, away];
  }
  return best;
}

/** Marks of which no thing is there any more, where they are seen. @param {{ marks: readonly Mark[], spots: ReadonlyMap<string, Spot> }} last @param {readonly import("./marks.js").Placed[]} placed @returns {Mark[]} */
function leaving({ marks, spots }, placed) {
  const there = new Set(placed.map(({ thing }) => thing.id));
  return marks
    .filter(({ members }) => !members.some(({ id }) => there.has(id)))
    .map((mark) => ({ ...mark, ...spots.get(mark.item.id) }));
}

/** Where each thing is seen on its way. @param {readonly Mark[]} marks @param {ReadonlyMap<string, Spot>} before @param {number} share */
function spotsOf(marks, before, share) {
  const ease = share * share * (3 - 2 * share);
  /** @type {Map<string, Spot>} */
  const spots = new Map();
  for (const { item, members, x, y } of marks) {
    const from = before.get(item.id) ?? { x, y };
    const spot = { x: from.x + (x - from.x) * ease, y: from.y + (y - from.y) * ease };
    for (const { id } of members) spots.set(id, spot);
  }
  return spots;
}
