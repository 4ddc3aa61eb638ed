/** The map: base, circle, point and things. It knows nothing of calls; it shows and reports events. */
import { toBaseStyle, toOwnLayers, toOwnSources } from "./base-style.js";
import { readMaps } from "./base.js";
import { createCities, toCityBoxes } from "./cities.js";
import { zoomFor } from "./geometry.js";
import { apartAt } from "./marks.js";
import { createPoint, createWayBack } from "./point.js";
import { createSystems } from "./systems.js";
import { createThings } from "./things.js";
import { go, isInSight, paddingOf, roomOf, shiftFor, toCircle } from "./view.js";
import { toWay } from "./way.js";
import { createWorldLabels } from "./world-labels.js";
import { createWorld } from "./world.js";
import { toMapWorker } from "../page/script-url.js";
import { MOBILITY_REACH_M } from "../data/asks.js";
import { loadSheet } from "../page/sheet-link.js";
import { t } from "../page/texts.js";

/**
 * @typedef {{ lat: number, lon: number }} Point
 * @typedef {import("../data/items.js").Item} Item
 * @typedef {import("./marks.js").Mark} Mark
 * @typedef {{ pick(point: Point): void, select(item: Item): void, hover(item: Item | null): void, zoomed(zoom: number): void }} MapHandlers
 * @typedef {Pick<ReturnType<typeof import("./counts.js").createCounts>, "setTheme" | "find">} Over
 */

const WORLD = { center: /** @type {[number, number]} */ ([12, 30]), zoom: 1.4 };
const MAX_ZOOM = 19.5;

/**
 * @param {{ container: HTMLElement, settings: import("../page/settings.js").Settings, at: Point | null,
 *   radius: number, zoom: number | null, theme: "light" | "dark", handlers: MapHandlers }} given
 */
export async function openMap(given) {
  const { container, settings, at, radius, handlers } = given;
  let { theme } = given;
  const [gl, { base, labels }] = await Promise.all([
    import(`${settings.assets}/maplibre-gl/maplibre-gl.mjs`),
    readMaps(),
    loadSheet(settings.assets, "map/map.css"),
  ]);
  settings.base = base;
  const bases = base?.boxes ?? [];
  const covered = [...bases, ...toCityBoxes(settings.cities)];
  const toStyle = () => toBaseStyle(theme, base, covered);
  gl.setWorkerUrl(toMapWorker(settings.assets));
  gl.setWorkerCount(1);
  const map = toMap(gl, given, settings.style ?? toStyle());
  const things = createThings(map, container, paddingOf);
  things.setDark(theme === "dark");
  const world = createWorld(map, settings.assets, covered);
  const names = createWorldLabels(map, labels);
  const cities = createCities(map, settings.cities, bases);
  const systems = createSystems(map, container, paddingOf);
  /** `outline`: in place of the circle; `line`: the way to the chosen thing. @type {{ at: Point | null, radius: number, outline: any, line: any }} */
  const shown = { at, radius, outline: null, line: null };
  const drawCircle = (/** @type {Point | null} */ middle) => {
    const outline = middle === shown.at ? shown.outline : null;
    const rings = toCircle(middle, shown.radius, MOBILITY_REACH_M, outline);
    map.getSource("circle")?.setData(rings);
  };
  const drawWay = () => map.getSource("way")?.setData(toWay(shown.line));
  const point = createPoint(gl, map, {
    pick: (next) => handlers.pick(next),
    drag: drawCircle,
    // What lies under it can be chosen all the same.
    click: (event) => choose(map, things, toPixel(container, event), handlers),
  });
  if (at) point.put(at);

  map.on("style.load", () => {
    if (settings.style !== null) wearOver(map, theme);
    drawCircle(shown.at);
    drawWay();
    systems.again();
    world.again();
    void names.again();
    cities.again();
  });
  // An online style that does not come: ours is always there.
  map.on("error", (/** @type {any} */ event) => {
    if (settings.style === null || map.isStyleLoaded() || event.sourceId) return;
    settings.style = null;
    map.setStyle(toStyle());
  });

  const opened = {
    map,
    things,
    /** What is laid over the map later than at first. @type {Over | null} */
    over: null,
    /** Without `fly` the view is moved no farther than the circle needs. @param {Point} next @param {{ fly?: boolean, fit?: boolean }} [how] */
    move(next, { fly = false, fit = false } = {}) {
      shown.at = next;
      point.put(next);
      drawCircle(next);
      wayBack.show(false);
      if (fly) flyTo(map, container, next, shown.radius, fit);
      else bringInSight(map, container, next, shown.radius);
    },
    /** @param {number} metres */
    setRadius(metres) {
      shown.radius = metres;
      drawCircle(shown.at);
      opened.refit();
    },
    /** Draws what can be reached in place of the circle. @param {any} outline GeoJSON; null: the circle */
    setOutline(outline) {
      if (outline === shown.outline) return;
      shown.outline = outline;
      drawCircle(shown.at);
    },
    /** Draws the way on foot to the chosen thing. @param {any} line null: none */
    showWay(line) {
      shown.line = line;
      drawWay();
    },
    /** The free part of the page has changed. */
    refit() {
      if (shown.at) opened.move(shown.at, { fly: true, fit: true });
    },
    /** @param {"light" | "dark"} next */
    setTheme(next) {
      theme = next;
      things.setDark(next === "dark");
      if (settings.style !== null) return;
      opened.over?.setTheme(next);
      map.setStyle(toStyle());
    },
    /** Where systems are, for those who look from far; those that were shown before stay. @param {any[]} sources */
    showSystems(sources) {
      systems.add(sources);
    },
    /** @param {Item} item */
    reveal(item) {
      if (!item.onMap || isInSight(container, map.project([item.lon, item.lat]), 20)) return;
      go(map, { center: [item.lon, item.lat], padding: paddingOf() }, 400);
    },
  };
  const wayBack = createWayBack(container, t("map.back"), () => {
    if (shown.at) opened.move(shown.at, { fly: true });
  });
  map.on("moveend", () => {
    const lies = shown.at && map.project([shown.at.lon, shown.at.lat]);
    wayBack.show(lies !== null && !isInSight(container, lies));
  });
  listen(map, things, systems, handlers, opened);
  return opened;
}

/** Goes there, and so near that the circle fits where it would be out of sight. @param {any} map @param {HTMLElement} container @param {Point} at @param {number} radius @param {boolean} fit */
function flyTo(map, container, at, radius, fit) {
  const center = [at.lon, at.lat];
  const far = fit || !map.getBounds().contains(center) || map.getZoom() < 12;
  const zoom = far ? { zoom: zoomFor(at, radius, roomOf(container)) } : {};
  go(map, { center, ...zoom, padding: paddingOf() }, 600);
}

/** Moves no farther than the circle needs. @param {any} map @param {HTMLElement} container @param {Point} at @param {number} radius */
function bringInSight(map, container, at, radius) {
  const shift = shiftFor(map, container, at, radius);
  if (!shift) return;
  const { x, y } = map.project(map.getCenter());
  go(map, { center: map.unproject([x + shift[0], y + shift[1]]) }, 350);
}

/** @param {any} gl @param {Parameters<typeof openMap>[0]} given @param {any} style */
function toMap(gl, { container, at, radius, zoom }, style) {
  const view = at
    ? { center: [at.lon, at.lat], zoom: zoom ?? zoomFor(at, radius, roomOf(container)) }
    : WORLD;
  const map = new gl.Map({
    container,
    ...view,
    style,
    attributionControl: false,
    maxPitch: 0,
    pitchWithRotate: false,
    dragRotate: false,
    touchPitch: false,
    fadeDuration: 120,
    renderWorldCopies: true,
    maxZoom: MAX_ZOOM,
    minZoom: 0.8,
  });
  map.setPadding(paddingOf());
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  return map;
}

/** Our sources and layers over another's style. @param {any} map @param {"light" | "dark"} theme */
function wearOver(map, theme) {
  for (const [id, source] of Object.entries(toOwnSources()))
    if (!map.getSource(id)) map.addSource(id, source);
  for (const layer of toOwnLayers(theme)) if (!map.getLayer(layer.id)) map.addLayer(layer);
}

/** @param {HTMLElement} container @param {MouseEvent} event */
function toPixel(container, { clientX, clientY }) {
  const { left, top } = container.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

/**
 * Chooses the thing at a pixel, or comes so near to a cluster that it falls apart. Of one that never
 * does, each time the next thing is chosen.
 * @param {any} map @param {ReturnType<typeof createThings>} things @param {{ x: number, y: number }} at @param {MapHandlers} handlers
 * @returns {boolean} whether there was something
 */
function choose(map, things, at, handlers) {
  const mark = things.findMark(at);
  if (!mark) return false;
  const { item, members } = mark;
  const zoom = apartAt(mark);
  if (members.length === 1 || Math.min(zoom, MAX_ZOOM) <= map.getZoom()) handlers.select(item);
  else {
    const to = Math.min(MAX_ZOOM, Math.max(zoom, map.getZoom() + 1));
    go(map, { center: [item.lon, item.lat], zoom: to }, 400);
  }
  return true;
}

/** @param {any} map @param {ReturnType<typeof createThings>} things @param {ReturnType<typeof createSystems>} systems @param {MapHandlers} handlers @param {{ move(at: Point, how: object): void, over: Over | null }} opened */
function listen(map, things, systems, handlers, opened) {
  const canvas = map.getCanvas();
  canvas.setAttribute("aria-label", t("map.keys"));
  map.on("click", (/** @type {any} */ { point, lngLat }) => {
    if (choose(map, things, point, handlers)) return;
    const area = opened.over?.find(point);
    if (area) return go(map, { center: area, zoom: map.getZoom() + 2 }, 400);
    const system = systems.find(point);
    const { lat, lng } = lngLat.wrap();
    handlers.pick(system ?? { lat, lon: lng });
    if (system) opened.move(system, { fly: true, fit: true });
  });
  watchPointer(map, things, systems, handlers, opened);
  map.on("moveend", () => handlers.zoomed(map.getZoom()));
  canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    const { lat, lng } = map.getCenter().wrap();
    handlers.pick({ lat, lon: lng });
  });
}

/** A finger points at nothing before it chooses. @param {any} map @param {ReturnType<typeof createThings>} things @param {ReturnType<typeof createSystems>} systems @param {MapHandlers} handlers @param {{ over: Over | null }} opened */
function watchPointer(map, things, systems, handlers, opened) {
  const canvas = map.getCanvas();
  let touches = false;
  let asked = false;
  for (const event of ["pointerdown", "pointermove"])
    canvas.addEventListener(event, (/** @type {PointerEvent} */ { pointerType }) => {
      touches = pointerType === "touch";
    });
  let over = /** @type {Mark | null} */ (null);
  /** @param {{ x: number, y: number } | null} at null: it is not over the map */
  const point = (at) => {
    const mark = at && things.findMark(at);
    const named = systems.point(mark ? null : at);
    const area = at && !mark && opened.over?.find(at);
    canvas.style.cursor = mark || named || area ? "pointer" : "";
    if (mark?.key === over?.key && mark?.members.length === over?.members.length) return;
    over = mark;
    things.point(mark);
    handlers.hover(mark?.members.length === 1 ? mark.item : null);
  };
  map.on("mousemove", (/** @type {any} */ event) => {
    if (asked || touches) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      point(event.point);
    });
  });
  map.on("mouseout", () => point(null));
  map.on("movestart", () => point(null));
}
