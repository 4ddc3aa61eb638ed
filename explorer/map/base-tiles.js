/** Layers that draw the tiles of the bases. */
import { toLabelLayers } from "./base-labels.js";
import { toRoadLayers } from "./base-roads.js";
import { NEAR } from "./base-style.js";
import { appear, byClass, from, grow, within } from "./expressions.js";
import { tilePaletteOf } from "./tile-palettes.js";

/** @typedef {import("./tile-palettes.js").Palette} Palette @typedef {import("./tile-palettes.js").Theme} Theme */

/** @param {Theme} theme @returns {any[]} */
export function toTileLayers(theme) {
  const p = tilePaletteOf(theme);
  return [...toGround(p), ...toWater(p), ...toBuildings(p), ...toRoadLayers(p), ...toBorders(p)];
}

/** Names are drawn over all else of the base. @param {Theme} theme @returns {any[]} */
export function toTileLabels(theme) {
  return toLabelLayers(tilePaletteOf(theme));
}

/** @param {Palette} p */
function toGround(p) {
  const low = {
    residential: p.homes,
    industrial: p.works,
    railway: p.works,
    military: p.works,
    commercial: p.shops,
    school: p.school,
    hospital: p.hospital,
    aerodrome: p.airport,
    stadium: p.grass,
    park: p.park,
    zoo: p.park,
    cemetery: p.cemetery,
  };
  const cover = {
    wood: p.wood,
    grass: p.grass,
    scrub: p.scrub,
    orchard: p.scrub,
    wetland: p.wetland,
    sand: p.sand,
    rock: p.rock,
    farmland: p.field,
    ice: p.ice,
  };
  const high = {
    pitch: p.pitch,
    pedestrian: p.paved,
    square: p.paved,
    apron: p.runway,
    parking: p.parking,
  };
  return [
    {
      ...from("landuse"),
      id: "base-landuse",
      type: "fill",
      minzoom: 8,
      filter: within(...Object.keys(low)),
      paint: { "fill-color": byClass(low, p.land), "fill-opacity": appear(8, 10) },
    },
    {
      ...from("landcover"),
      id: "base-landcover",
      type: "fill",
      minzoom: 6,
      paint: { "fill-color": byClass(cover, p.land), "fill-opacity": appear(5.5, 8.5) },
    },
    {
      ...from("landuse"),
      id: "base-grounds",
      type: "fill",
      minzoom: 12,
      filter: within(...Object.keys(high)),
      paint: { "fill-color": byClass(high, p.land), "fill-opacity": appear(12, 13) },
    },
  ];
}

/** @param {Palette} p */
function toWater(p) {
  const line = { "line-cap": "round", "line-join": "round" };
  const open = ["!=", ["get", "structure"], "tunnel"];
  return [
    {
      ...from("water"),
      id: "base-sea",
      type: "fill",
      minzoom: NEAR,
      filter: within("ocean"),
      paint: { "fill-color": p.sea },
    },
    {
      ...from("water"),
      id: "base-water",
      type: "fill",
      filter: ["all", ["==", ["geometry-type"], "Polygon"], within("water", "pool")],
      paint: { "fill-color": byClass({ pool: p.waterline }, p.sea) },
    },
    {
      ...from("water"),
      id: "base-river",
      type: "line",
      filter: ["all", within("river", "canal"), open],
      layout: line,
      paint: { "line-color": p.sea, "line-width": grow([8, 0.8], [12, 2], [14, 3], [18, 14]) },
    },
    {
      ...from("water"),
      id: "base-stream",
      type: "line",
      minzoom: 13,
      filter: ["all", within("stream", "ditch"), open],
      layout: line,
      paint: { "line-color": p.waterline, "line-width": grow([13, 0.6], [15, 1.2], [18, 4]) },
    },
    {
      ...from("landuse"),
      id: "base-pier",
      type: "fill",
      filter: within("pier"),
      paint: { "fill-color": p.land },
    },
  ];
}

/** @param {Palette} p */
function toBuildings(p) {
  return [
    {
      ...from("building"),
      id: "base-building",
      type: "fill",
      minzoom: 13.8,
      paint: {
        "fill-color": p.building,
        "fill-outline-color": p.wall,
        "fill-opacity": appear(13.8, 14.6),
      },
    },
  ];
}

/** @param {Palette} p */
function toBorders(p) {
  const line = { "line-join": "round" };
  return [
    {
      ...from("boundary"),
      id: "base-region",
      type: "line",
      filter: within("region"),
      layout: line,
      paint: { "line-color": p.region, "line-width": 1, "line-dasharray": [3, 2] },
    },
    {
      ...from("boundary"),
      id: "base-country",
      type: "line",
      minzoom: 5,
      filter: within("country"),
      layout: line,
      paint: {
        "line-color": p.country,
        "line-width": grow([5, 0.8], [10, 1.6], [16, 3]),
        "line-dasharray": [4, 1.5, 1, 1.5],
        "line-opacity": 0.75,
      },
    },
  ];
}
