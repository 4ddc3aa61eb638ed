/** The map itself: rings of distance around the point, and a mark for everything that was found. */
import { fill } from "../page/dom.js";
import { watch } from "./gestures.js";
import { draw, group, toSize, toStep } from "./marks.js";
import { fit, gather, move, roundDown, toPixels, toPlace, toRings, zoom } from "./plane.js";
import { svg } from "./svg.js";
import { distance } from "./words.js";

/**
 * @typedef {import("./things.js").Thing} Thing
 * @typedef {import("./plane.js").Sight} Sight
 * @typedef {{ map: HTMLElement, scale: HTMLElement }} Parts
 * @typedef {{ origin: { lat: number, lon: number }, radius_m: number, things: readonly Thing[] }} Area
 */

/** Pixels that the bar of the scale takes at most. */
const BAR = 96;

/** @param {Parts} parts @param {(thing: Thing | null) => void} choose called for what is pressed */
export function createChart({ map, scale: bar }, choose) {
  /** @type {Area} */
  let area = { origin: { lat: 0, lon: 0 }, radius_m: 0, things: [] };
  /** @type {Sight} */
  let sight = { east: 0, north: 0, scale: 1 };
  let size = { width: 0, height: 0 };
  let dark = false;
  /** @type {Thing | null} */
  let chosen = null;
  /** What is drawn, by its element, with the step of zoom that it was grouped at. */
  let drawn = {
    step: Number.NaN,
    groups: /** @type {[SVGElement, import("./marks.js").Group][]} */ ([]),
  };
  const rings = svg("g", { class: "rings" });
  const marks = svg("g", { class: "marks" });
  const above = svg("g", { class: "chosen" });
  const root = svg("svg", { "aria-hidden": "true" }, rings, marks, above);
  map.append(root);

  const within = () => ({ size, radius_m: area.radius_m });
  const at = (/** @type {import("./plane.js").Place} */ place) => toPixels(sight, size, place);
  const placeOf = (/** @type {Thing} */ thing) => toPlace(area.origin, thing);

  function regroup() {
    const step = toStep(sight.scale);
    if (step === drawn.step) return;
    const groups = group(area.things, placeOf, step);
    drawn = { step, groups: groups.map((one) => [toElement(one, dark), one]) };
    marks.replaceChildren(...drawn.groups.map(([element]) => element));
  }
  function put() {
    if (area.radius_m === 0 || size.width === 0) return;
    regroup();
    root.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    const grown = toSize(sight.scale);
    for (const [element, one] of drawn.groups) {
      const { x, y } = at(one);
      element.setAttribute("transform", `translate(${x} ${y}) scale(${grown})`);
    }
    rings.replaceChildren(...toGround(at, { radius_m: area.radius_m, scale: sight.scale }));
    above.replaceChildren(...(chosen ? [toChosen(chosen, at(placeOf(chosen)), dark)] : []));
    const metres = roundDown(BAR / sight.scale);
    bar.style.setProperty("--long", `${metres * sight.scale}px`);
    fill(bar, distance(metres));
    // The page around the map scrolls by a finger until there is something to drag.
    map.style.touchAction = isWhole() ? "pan-y" : "none";
  }
  const isWhole = () => sight.scale <= fit(area.radius_m, size).scale * 1.001;
  const look = (/** @type {Sight} */ next) => {
    const changed =
      next.scale !== sight.scale || next.east !== sight.east || next.north !== sight.north;
    sight = next;
    if (changed) put();
    return changed;
  };
  const middle = () => ({ x: size.width / 2, y: size.height / 2 });
  const hands = {
    move: (/** @type {{ x: number, y: number }} */ by) => void look(move(sight, by, within())),
    zoom: (/** @type {number} */ factor, /** @type {{ x: number, y: number } | null} */ to) =>
      look(zoom(sight, factor, to ?? middle(), within())),
    reset: () => void look(fit(area.radius_m, size)),
    escape: () => choose(null),
    press(/** @type {Element | null} */ target) {
      const element = target?.closest("[data-count]");
      const found = drawn.groups.find(([one]) => one === element)?.[1];
      const [first] = found?.members ?? [];
      if (!found || !first) return choose(null);
      const near = gather(found.members.map(placeOf), within());
      // Those that lie on one point stay together: the list has each.
      if (found.members.length > 1 && near.scale > sight.scale * 1.2) look(near);
      else choose(first);
    },
  };
  watch(map, hands);
  new ResizeObserver(([entry]) => {
    const { width, height } = entry?.contentRect ?? size;
    const isFirst = size.width === 0 || isWhole();
    size = { width, height };
    if (isFirst) sight = fit(area.radius_m, size);
    put();
  }).observe(map);

  return {
    /** @param {Area} next */
    show(next) {
      const isSame =
        next.radius_m === area.radius_m &&
        next.origin.lat === area.origin.lat &&
        next.origin.lon === area.origin.lon;
      area = next;
      drawn.step = Number.NaN;
      if (!isSame) sight = fit(area.radius_m, size);
      put();
    },
    /** @param {Thing | null} thing */
    choose(thing) {
      chosen = thing;
      put();
    },
    /** @param {boolean} isDark */
    setDark(isDark) {
      dark = isDark;
      drawn.step = Number.NaN;
      put();
    },
    closer: () => void hands.zoom(1.5, null),
    farther: () => void hands.zoom(1 / 1.5, null),
    reset: hands.reset,
  };
}

/** @param {import("./marks.js").Group} one @param {boolean} dark */
function toElement({ mark, members }, dark) {
  const given = {
    class: "mark",
    "data-count": members.length,
    "data-usable": mark.item.usable ?? null,
  };
  // Small marks have room for a finger.
  const reach = svg("circle", { r: mark.form === "dot" ? 8 : 14, fill: "transparent" });
  return svg("g", given, reach, ...draw(mark, dark));
}

/** @param {Thing} thing @param {{ x: number, y: number }} at @param {boolean} dark */
function toChosen(thing, { x, y }, dark) {
  const mark = {
    key: thing.id,
    item: thing,
    members: [thing],
    x: 0,
    y: 0,
    rank: 0,
    form: /** @type {const} */ ("whole"),
  };
  const ring = svg("circle", { r: 19, class: "halo" });
  return svg("g", { transform: `translate(${x} ${y})` }, ring, ...draw(mark, dark));
}

/** Rings with their metres, and the point itself. @param {(place: import("./plane.js").Place) => { x: number, y: number }} at @param {{ radius_m: number, scale: number }} of */
function toGround(at, { radius_m, scale }) {
  const { x: cx, y: cy } = at({ east: 0, north: 0 });
  const all = toRings(radius_m);
  const rings = all.map((ring) => {
    const edge = ring === radius_m ? "edge" : "ring";
    return svg("circle", { cx, cy, r: ring * scale, class: edge });
  });
  const labels = all.map((ring) =>
    svg("text", { x: cx, y: cy + ring * scale - 4, "text-anchor": "middle" }, distance(ring)),
  );
  const point = svg("path", {
    d: `M${cx - 8} ${cy}H${cx + 8}M${cx} ${cy - 8}V${cy + 8}`,
    class: "point",
  });
  return [...rings.toReversed(), ...labels, point];
}
