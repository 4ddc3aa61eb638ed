/** From afar: how many vehicles and stations there are, by area; and the things of tiles where there is no stream. */
import { paletteOf } from "./base-palettes.js";
import { currentKey } from "../docs/key.js";
import { KINDS } from "../page/kinds.js";

/** @typedef {import("./base-palettes.js").Theme} Theme @typedef {"none" | "counts" | "objects"} What */

/** From farther away systems are dots. */
const FROM_ZOOM = 9;
/** Tiles have numbers up to 13, and the things themselves from 14 on. */
const NUMBERS_TO = 13;
const FADE_MS = 250;
const NUMBERS = "live-numbers";
const OBJECTS = "live-objects";

/** @param {any} map @param {Theme} theme */
export function createCounts(map, theme) {
  let what = /** @type {What} */ ("none");
  let dark = theme;
  let timer = 0;
  /** The style is there; another one is on its way after a change of colours. */
  let isWhole = true;
  const layers = () => (map.getStyle()?.layers ?? []).map((/** @type {any} */ { id }) => id);
  const add = () => {
    const tiles = [`${location.origin}/v1/tiles/{z}/{x}/{y}.mvt?layers=stations,vehicles`];
    const from = { type: "vector", tiles };
    if (!map.getSource(NUMBERS)) {
      map.addSource(NUMBERS, { ...from, minzoom: FROM_ZOOM, maxzoom: NUMBERS_TO });
      map.addSource(OBJECTS, { ...from, minzoom: NUMBERS_TO + 1, maxzoom: NUMBERS_TO + 1 });
    }
    const known = new Set(layers());
    for (const layer of [...toNumbers(dark), ...toObjects(dark)])
      if (!known.has(layer.id)) map.addLayer(layer);
  };
  const fade = () => {
    for (const id of layers()) {
      if (!id.startsWith("live-")) continue;
      const isOn = id.startsWith(what === "objects" ? OBJECTS : NUMBERS) && what !== "none";
      for (const name of opacities(map.getLayer(id).type))
        map.setPaintProperty(id, name, isOn ? 1 : 0);
    }
  };
  const hide = () => {
    for (const id of layers())
      if (id.startsWith("live-")) {
        const isOn = what !== "none" && id.startsWith(what === "objects" ? OBJECTS : NUMBERS);
        map.setLayoutProperty(id, "visibility", isOn ? "visible" : "none");
      }
  };
  const put = () => {
    if (what === "none" && !map.getSource(NUMBERS)) return;
    add();
    for (const id of layers())
      if (what !== "none" && id.startsWith(what === "objects" ? OBJECTS : NUMBERS))
        map.setLayoutProperty(id, "visibility", "visible");
    fade();
    clearTimeout(timer);
    timer = setTimeout(hide, FADE_MS + 50);
  };
  map.on("style.load", () => {
    isWhole = true;
    put();
  });
  // A key is for our own tiles alone.
  const own = `${location.origin}/v1/tiles/`;
  map.setTransformRequest((/** @type {string} */ url) => {
    const key = url.startsWith(own) ? currentKey() : null;
    return key === null ? { url } : { url, headers: { Authorization: `Bearer ${key}` } };
  });
  return {
    /** @param {What} next */
    show(next) {
      if (next === what) return;
      what = next;
      if (isWhole) put();
    },
    /** @param {Theme} next which the next style has */
    setTheme(next) {
      dark = next;
      isWhole = false;
    },
    /** Where the numbers at a pixel lie; null: there are none. @param {{ x: number, y: number }} at @returns {[lon: number, lat: number] | null} */
    find({ x, y }) {
      if (what !== "counts" || !map.getLayer(`${NUMBERS}-vehicles`)) return null;
      const ids = [`${NUMBERS}-vehicles`, `${NUMBERS}-stations`];
      const [first] = map.queryRenderedFeatures([x, y], { layers: ids });
      return first?.geometry?.type === "Point" ? first.geometry.coordinates : null;
    },
  };
}

/** @param {string} type of a layer */
function opacities(type) {
  return type === "symbol" ? ["text-opacity"] : ["circle-opacity", "circle-stroke-opacity"];
}

/** @param {string} type */
const fading = (type) =>
  Object.fromEntries(
    opacities(type).flatMap((name) => [
      [name, 0],
      [`${name}-transition`, { duration: FADE_MS }],
    ]),
  );

const FONT = { "text-font": ["Semibold", "sans-serif"] };
const COUNT = ["coalesce", ["get", "count"], 0];
const TEXT = [
  "case",
  [">=", COUNT, 1000],
  ["concat", ["to-string", ["floor", ["/", COUNT, 1000]]], "k"],
  ["to-string", COUNT],
];
/** Pixels: with the count, and no larger than what a cell has room for. */
const RADIUS = ["interpolate", ["linear"], ["log10", ["max", 1, COUNT]], 0, 10, 3, 17];

/** Vehicles left, stations right of the middle of each area, so that neither hides the other. @param {Theme} theme @returns {any[]} */
function toNumbers(theme) {
  const p = paletteOf(theme);
  return [
    ["vehicles", -13, p.accent, p.halo, p.halo],
    ["stations", 13, p.halo, p.accent, p.accent],
  ].flatMap(([layer, shift, body, rim, ink]) => {
    const common = { source: NUMBERS, "source-layer": layer };
    const translate = [shift, 0];
    return [
      {
        ...common,
        id: `${NUMBERS}-${layer}`,
        type: "circle",
        paint: {
          ...fading("circle"),
          "circle-color": body,
          "circle-radius": RADIUS,
          "circle-stroke-color": rim,
          "circle-stroke-width": 1.5,
          "circle-translate": translate,
        },
      },
      {
        ...common,
        id: `${NUMBERS}-${layer}-text`,
        type: "symbol",
        layout: {
          ...FONT,
          "text-field": TEXT,
          "text-size": 11.5,
          "text-allow-overlap": true,
          "text-ignore-placement": true,
        },
        paint: { ...fading("symbol"), "text-color": ink, "text-translate": translate },
      },
    ];
  });
}

/** @param {Theme} theme @returns {any[]} */
function toObjects(theme) {
  const p = paletteOf(theme);
  const byMode = KINDS.filter(({ group }) => group === "mode").flatMap(({ id, color }) => [
    id,
    color,
  ]);
  const modes = ["coalesce", ["get", "modes"], ""];
  const first = ["slice", modes, 0, ["index-of", ",", ["concat", modes, ","]]];
  const color = ["match", first, ...byMode, "#4b5a6b"];
  return ["vehicles", "stations"].flatMap((layer) => {
    const isStation = layer === "stations";
    const common = { source: OBJECTS, "source-layer": layer };
    return [
      {
        ...common,
        id: `${OBJECTS}-${layer}`,
        type: "circle",
        paint: {
          ...fading("circle"),
          "circle-color": isStation ? p.halo : color,
          "circle-radius": isStation ? 10 : 5,
          "circle-stroke-color": isStation ? color : p.halo,
          "circle-stroke-width": isStation ? 2.5 : 1.5,
        },
      },
      ...(isStation
        ? [
            {
              ...common,
              id: `${OBJECTS}-${layer}-text`,
              type: "symbol",
              layout: {
                ...FONT,
                "text-field": ["to-string", ["coalesce", ["get", "vehicles"], "?"]],
                "text-size": 11,
              },
              paint: { ...fading("symbol"), "text-color": p.place },
            },
          ]
        : []),
    ];
  });
}
