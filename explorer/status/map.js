/** The map of places: a dot for each, of the colour of its sources, which leads to the explorer. */
import { toBaseStyle } from "../map/base-style.js";
import { toMapWorker } from "../page/script-url.js";
import { createWorld } from "../map/world.js";
import { byId } from "../page/dom.js";
import { withCommas } from "../page/format.js";
import { t } from "../page/texts.js";
import { watchTheme } from "../page/theme.js";
import { severity } from "./health.js";
import { toMapAddress } from "./places.js";

/** @typedef {import("./places.js").Spot} Spot */

const COLOURS = {
  light: { bad: "#b3261e", poor: "#b26a00", good: "#17804d", quiet: "#6d7885" },
  dark: { bad: "#ff8a7d", poor: "#f5cd78", good: "#6fd39b", quiet: "#93a0ad" },
};
const RADII = { bad: 7.5, poor: 6.5, good: 5, quiet: 4 };
const DOTS = "box-dots";

/** @param {string} assets */
export async function openMap(assets) {
  const gl = await import(`${assets}/maplibre-gl/maplibre-gl.mjs`);
  gl.setWorkerUrl(toMapWorker(assets));
  gl.setWorkerCount(1);
  const container = byId("map");
  let theme = /** @type {"light" | "dark"} */ ("light");
  let map = /** @type {any} */ (null);
  /** @type {readonly Spot[]} */
  let spots = [];
  watchTheme((chosen) => {
    theme = chosen;
    map?.setStyle(toBaseStyle(theme), { diff: false });
  });
  map = new gl.Map({
    container,
    style: toBaseStyle(theme),
    center: [0, 25],
    // The whole world, whose width is 512 pixels at zoom 0.
    zoom: Math.log2(container.clientWidth / 512),
    minZoom: -1,
    renderWorldCopies: false,
    attributionControl: false,
    maxPitch: 0,
    dragRotate: false,
    scrollZoom: false,
    keyboard: false,
  });
  // Every dot is a link of a row, too.
  map.getCanvas().tabIndex = -1;
  map.getCanvas().removeAttribute("aria-label");
  const world = createWorld(map, assets);
  map.on("style.load", () => {
    world.again();
    map.setPaintProperty(DOTS, "circle-color", byHealth(COLOURS[theme]));
    map.setPaintProperty(DOTS, "circle-radius", byHealth(RADII));
    draw();
  });
  map.on("mousemove", DOTS, (/** @type {any} */ { features }) => {
    map.getCanvas().style.cursor = "pointer";
    container.title = features[0].properties.title;
  });
  map.on("mouseleave", DOTS, () => {
    map.getCanvas().style.cursor = "";
    container.removeAttribute("title");
  });
  map.on("click", DOTS, (/** @type {any} */ { features }) => {
    location.href = features.at(0).properties.address;
  });

  function draw() {
    map.getSource("boxes")?.setData({
      type: "FeatureCollection",
      // The worst are drawn last, above all others.
      features: spots.toSorted((a, b) => severity(a.health) - severity(b.health)).map(toFeature),
    });
  }
  return {
    /** @param {readonly Spot[]} given */
    setSpots(given) {
      spots = given;
      draw();
    },
  };
}

/** @param {Record<string, unknown>} values */
function byHealth(values) {
  const { bad, poor, good, quiet } = values;
  return ["match", ["get", "health"], "bad", bad, "poor", poor, "good", good, quiet];
}

/** @param {Spot} spot */
function toFeature(spot) {
  const { lat, lon, health, sources } = spot;
  const title = `${t(`status.health.${health}`)}: ${withCommas(sources.map(({ name }) => name))}`;
  return {
    type: "Feature",
    properties: { health, title: title.slice(0, 300), address: toMapAddress(spot) },
    geometry: { type: "Point", coordinates: [lon, lat] },
  };
}

/** The map in words. @param {readonly Spot[]} spots */
export function describeMap(spots) {
  const counts = Map.groupBy(spots, ({ health }) => health);
  const parts = [...counts].map(
    ([health, { length }]) => `${t(`status.health.${health}`)}: ${length}`,
  );
  return [t("status.map.label"), ...parts].join(". ");
}
