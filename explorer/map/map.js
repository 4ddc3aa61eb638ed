/** The map: base, circle, point and things. It knows nothing of calls; it shows and reports events. */
import { toBaseStyle, toOwnLayers, toOwnSources } from "./base-style.js";
import { readBase } from "./base-tiles.js";
import { metresBetween, toRing, travel, zoomFor } from "./geometry.js";
import { createThings } from "./things.js";
import { createWorld } from "./world.js";
import { toWorkerUrl } from "./worker-url.js";
import { MOBILITY_REACH_M } from "../data/asks.js";
import { h } from "../page/dom.js";

/**
 * @typedef {{ lat: number, lon: number }} Point
 * @typedef {import("../data/items.js").Item} Item
 * @typedef {{ pick(point: Point): void, select(item: Item): void, hover(item: Item | null): void, zoomed(zoom: number): void }} MapHandlers
 */

const CITY_REACH_M = 40_000;
const WORLD = { center: /** @type {[number, number]} */ ([12, 30]), zoom: 1.4 };

/** @param {{ container: HTMLElement, settings: import("../page/settings.js").Settings, at: Point | null, radius: number, zoom: number | null, theme: "light" | "dark", handlers: MapHandlers }} given */
export async function openMap({ container, settings, at, radius, zoom, theme, handlers }) {
  const [gl, base] = await Promise.all([
    import(`${settings.assets}/maplibre-gl/maplibre-gl.mjs`),
    readBase(),
  ]);
  settings.base = base;
  gl.setWorkerUrl(toWorkerUrl(settings.assets));
  gl.setWorkerCount(1);
  const view = at
    ? {
        center: /** @type {[number, number]} */ ([at.lon, at.lat]),
        zoom: zoom ?? zoomFor(at, radius, roomOf(container)),
      }
    : WORLD;
  const map = new gl.Map({
    container,
    ...view,
    style: settings.style ?? toBaseStyle(theme, base),
    attributionControl: false,
    maxPitch: 0,
    pitchWithRotate: false,
    dragRotate: false,
    touchPitch: false,
    fadeDuration: 120,
    renderWorldCopies: true,
    maxZoom: 19.5,
    minZoom: 0.8,
  });
  map.setPadding(paddingOf());
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  const things = createThings(map);
  things.setDark(theme === "dark");
  const world = createWorld(map, settings.assets);
  const cities = createCities(map, settings);
  const shown = { at, radius, boxes: /** @type {any[]} */ ([]) };
  const point = createPoint(gl, map, handlers);
  if (at) point.put(at);

  const dress = () => {
    if (settings.style !== null) wearOver(map, theme);
    drawCircle(map, shown.at, shown.radius);
    drawBoxes(map, shown.boxes);
    world.again();
    cities.again();
  };
  map.on("style.load", dress);
  listen(map, things, handlers);
  // An online style that does not come: ours is always there.
  map.on("error", (/** @type {any} */ event) => {
    if (settings.style === null || map.isStyleLoaded() || event.sourceId) return;
    settings.style = null;
    map.setStyle(toBaseStyle(theme, base));
  });

  return {
    map,
    things,
    /** @param {Point} next @param {{ fly?: boolean, fit?: boolean }} [how] */
    move(next, { fly = false, fit = false } = {}) {
      shown.at = next;
      point.put(next);
      drawCircle(map, next, shown.radius);
      if (!fly) return;
      const far = fit || !map.getBounds().contains([next.lon, next.lat]) || map.getZoom() < 12;
      const to = {
        center: [next.lon, next.lat],
        ...(far ? { zoom: zoomFor(next, shown.radius, roomOf(container)) } : {}),
      };
      if (matchMedia("(prefers-reduced-motion: reduce)").matches)
        map.jumpTo({ ...to, padding: paddingOf() });
      else map.easeTo({ ...to, duration: 600, padding: paddingOf() });
    },
    /** @param {number} metres */
    setRadius(metres) {
      shown.radius = metres;
      drawCircle(map, shown.at, metres);
      if (shown.at) this.move(shown.at, { fly: true, fit: true });
    },
    /** The free part of the page has changed. */
    refit() {
      if (shown.at) this.move(shown.at, { fly: true, fit: true });
    },
    /** @param {"light" | "dark"} next */
    setTheme(next) {
      theme = next;
      things.setDark(next === "dark");
      if (settings.style === null) map.setStyle(toBaseStyle(next, base));
    },
    /** Where systems are, for those who look from far. @param {any[]} sources */
    showSystems(sources) {
      shown.boxes = sources.flatMap(({ areas }) => areas ?? []);
      drawBoxes(map, shown.boxes);
    },
    /** @param {Item} item */
    reveal(item) {
      if (!item.onMap) return;
      const { x, y } = map.project([item.lon, item.lat]);
      const pad = paddingOf();
      const { clientWidth: width, clientHeight: height } = container;
      const inside =
        x > pad.left + 20 &&
        x < width - pad.right - 20 &&
        y > pad.top + 20 &&
        y < height - pad.bottom - 20;
      if (!inside) map.easeTo({ center: [item.lon, item.lat], duration: 400, padding: pad });
    },
  };
}

/** What the panel leaves free. */
function paddingOf() {
  const style = getComputedStyle(document.documentElement);
  const read = (/** @type {string} */ name) => Number.parseFloat(style.getPropertyValue(name)) || 0;
  return {
    left: read("--map-left"),
    right: read("--map-right"),
    top: read("--map-top"),
    bottom: (read("--map-bottom") / 100) * innerHeight,
  };
}

/** @param {HTMLElement} container */
function roomOf({ clientWidth, clientHeight }) {
  const { left, right, top, bottom } = paddingOf();
  return Math.min(clientWidth - left - right, clientHeight - top - bottom) * 0.86;
}

/** Our sources and layers over another's style. @param {any} map @param {"light" | "dark"} theme */
function wearOver(map, theme) {
  for (const [id, source] of Object.entries(toOwnSources()))
    if (!map.getSource(id)) map.addSource(id, source);
  for (const layer of toOwnLayers(theme)) if (!map.getLayer(layer.id)) map.addLayer(layer);
}

/** @param {any} map @param {Point | null} at @param {number} radius */
function drawCircle(map, at, radius) {
  const source = map.getSource("circle");
  if (!source) return;
  const ring = (/** @type {number} */ r, /** @type {string} */ kind) => ({
    type: "Feature",
    properties: { kind },
    geometry: { type: "Polygon", coordinates: at ? [toRing(at, r)] : [] },
  });
  const features = at === null ? [] : [ring(radius, "reach")];
  if (at && radius > MOBILITY_REACH_M) features.push(ring(MOBILITY_REACH_M, "mobility"));
  source.setData({ type: "FeatureCollection", features });
}

/** @param {any} map @param {any[]} boxes */
function drawBoxes(map, boxes) {
  const features = boxes.flatMap(({ south, west, north, east }) => {
    const right = east < west ? east + 360 : east;
    const ring = [
      [west, south],
      [right, south],
      [right, north],
      [west, north],
      [west, south],
    ];
    return [
      { type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [ring] } },
      {
        type: "Feature",
        properties: {},
        geometry: { type: "Point", coordinates: [(west + right) / 2, (south + north) / 2] },
      },
    ];
  });
  map.getSource("boxes")?.setData({ type: "FeatureCollection", features });
}

/** The streets of the simulated city that is looked at. @param {any} map @param {import("../page/settings.js").Settings} settings */
function createCities(map, { cities }) {
  let shown = "";
  const look = async () => {
    const source = map.getSource("city");
    if (!source || map.getZoom() < 9.5) return;
    const { lat, lng } = map.getCenter();
    const near = cities.find((city) => metresBetween(city, { lat, lon: lng }) < CITY_REACH_M);
    if (!near || near.id === shown) return;
    shown = near.id;
    source.setData(near.plan);
  };
  map.on("moveend", () => void look());
  return {
    again() {
      shown = "";
      void look();
    },
  };
}

/** The point that is asked about: dragged, or moved with the arrow keys. @param {any} gl @param {any} map @param {MapHandlers} handlers */
function createPoint(gl, map, handlers) {
  const element = h(
    "button",
    {
      class: "point",
      type: "button",
      id: "point",
      "aria-label": "The point that is asked about. Arrow keys move it by 25 metres.",
    },
    h("span", { class: "point-dot" }),
  );
  const marker = new gl.Marker({ element, draggable: true });
  /** @type {Record<string, number>} */
  const turns = { ArrowUp: 0, ArrowRight: 0.5, ArrowDown: 1, ArrowLeft: 1.5 };
  const at = () => {
    const { lat, lng } = marker.getLngLat();
    return { lat, lon: lng };
  };
  marker.on("dragend", () => handlers.pick(at()));
  element.addEventListener("click", (/** @type {Event} */ event) => event.stopPropagation());
  element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const turn = turns[event.key];
    if (turn === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    handlers.pick(travel(at(), turn * Math.PI, event.shiftKey ? 100 : 25));
  });
  let added = false;
  return {
    /** @param {Point} point */
    put({ lat, lon }) {
      marker.setLngLat([lon, lat]);
      if (!added) marker.addTo(map);
      added = true;
    },
  };
}

/** @param {any} map @param {ReturnType<typeof createThings>} things @param {MapHandlers} handlers */
function listen(map, things, handlers) {
  const canvas = map.getCanvas();
  canvas.setAttribute(
    "aria-label",
    "Map. Arrow keys pan, plus and minus zoom, Enter asks about the middle.",
  );
  map.on("click", (/** @type {any} */ { point, lngLat }) => {
    const found = things.find(point);
    if (found) handlers.select(found);
    else handlers.pick({ lat: lngLat.lat, lon: lngLat.lng });
  });
  let asked = false;
  map.on("mousemove", (/** @type {any} */ { point }) => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      const found = things.find(point);
      canvas.style.cursor = found ? "pointer" : "";
      handlers.hover(found);
    });
  });
  map.on("mouseout", () => handlers.hover(null));
  map.on("moveend", () => handlers.zoomed(map.getZoom()));
  canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    const { lat, lng } = map.getCenter();
    handlers.pick({ lat, lon: lng });
  });
}
