/** Names of countries and large cities: the most important are seen from farthest. */
import { language } from "../page/texts.js";
import { paletteOf } from "./base-palettes.js";

/** @typedef {import("./base-palettes.js").Theme} Theme */
/** @typedef {[rank: number, code: string, lat: number, lon: number]} Country */
/** @typedef {[rank: number, name: string, lat: number, lon: number, others?: string]} City */

const EMPTY = { type: "FeatureCollection", features: [] };
/** Bold by its name, as in the names of a base. */
const STRONG = ["Semibold", "sans-serif"];
const PLAIN = ["sans-serif"];

/** Bases have their own names of cities from this zoom on. */
const OWN_FROM_NEAR = ["step", ["zoom"], true, 8, ["!", ["get", "covered"]]];

/** @returns {Record<string, any>} */
export function toWorldSources() {
  return { countries: { type: "geojson", data: EMPTY }, cities: { type: "geojson", data: EMPTY } };
}

/** How many of them may be shown from which zoom on; those that collide are left out. @param {number} least @param {...number} stops */
const first = (least, ...stops) => ["<", ["get", "rank"], ["step", ["zoom"], least, ...stops]];

/** Countries last, since later layers claim their room first. @param {Theme} theme @returns {any[]} */
export function toWorldLabelLayers(theme) {
  const p = paletteOf(theme);
  const name = (/** @type {string} */ source, /** @type {any} */ given) => ({
    id: `world-${source}`,
    type: "symbol",
    source,
    minzoom: given.from,
    maxzoom: given.to,
    filter: given.filter,
    layout: {
      "text-field": ["get", "name"],
      "text-max-width": 7,
      "symbol-sort-key": ["get", "rank"],
      ...given.layout,
    },
    paint: {
      "text-color": given.ink,
      "text-halo-color": p.halo,
      "text-halo-width": 1.4,
      "text-halo-blur": 0.4,
    },
  });
  return [
    name("cities", {
      from: 3,
      to: NEAR_ZOOM,
      filter: ["all", first(40, 4, 160, 5, 450, 6, 1000, 7, 5000), OWN_FROM_NEAR],
      layout: {
        "text-font": PLAIN,
        // Next to the place itself, where the point may lie.
        "text-variable-anchor": ["top", "bottom"],
        "text-radial-offset": 1,
        "text-size": ["interpolate", ["linear"], ["zoom"], 3, 10.5, 7, 13, 12, 18],
        "text-padding": ["interpolate", ["linear"], ["zoom"], 3, 10, 7, 5],
      },
      ink: p.place,
    }),
    name("countries", {
      from: 0.8,
      to: 7,
      filter: first(14, 1.6, 24, 2, 110, 3, 150, 4, 195, 5, 400),
      layout: {
        "text-font": STRONG,
        "text-size": ["interpolate", ["linear"], ["zoom"], 2, 10, 6, 15],
        "text-padding": 6,
        "text-transform": "uppercase",
        "text-letter-spacing": 0.08,
      },
      ink: p.label,
    }),
  ];
}

/** From here on a view is smaller than what has a name of this kind: that of a circle on a phone begins at 13. */
const NEAR_ZOOM = 12.5;

/** Reads the names once they are in the view. @param {any} map @param {string | null} address */
export function createWorldLabels(map, address) {
  /** @type {Promise<Record<string, any>> | null} */
  let read = null;
  let shown = false;
  const look = async () => {
    if (shown || address === null || map.getZoom() >= NEAR_ZOOM || !map.getSource("cities")) return;
    shown = true;
    read ??= readLabels(address, language());
    for (const [id, data] of Object.entries(await read)) map.getSource(id)?.setData(data);
  };
  map.on("moveend", () => void look());
  return {
    /** The style was replaced. */
    async again() {
      shown = false;
      await look();
    },
  };
}

/** Without them there are no names, and nothing else is missing. @param {string} address @param {string} tag of a language */
async function readLabels(address, tag) {
  const response = await fetch(address).catch(() => null);
  const labels = response?.ok ? await response.json().catch(() => null) : null;
  return labels ? toCollections(labels, tag) : {};
}

/** @param {{ countries: Country[], cities: City[], covered: City[] }} labels @param {string} tag of a language */
export function toCollections({ countries, cities, covered }, tag) {
  const names = new Intl.DisplayNames([tag, "en"], { type: "region" });
  const inLanguage = (/** @type {City} */ [, name, , , others]) => pick(others ?? "", tag) ?? name;
  return {
    countries: toCollection(countries.map((row) => toFeature(row, names.of(row[1]) ?? row[1]))),
    cities: toCollection([
      ...cities.map((row) => toFeature(row, inLanguage(row))),
      ...covered.map((row) => toFeature(row, inLanguage(row), true)),
    ]),
  };
}

/** @param {any[]} features */
const toCollection = (features) => ({ type: "FeatureCollection", features });

/** @param {Country | City} row @param {string} name */
function toFeature([rank, , lat, lon], name, covered = false) {
  const geometry = { type: "Point", coordinates: [lon, lat] };
  return { type: "Feature", properties: { rank, name, covered }, geometry };
}

/** Of `de,nl Wenen|fr Vienne`, the name in a language. @param {string} others @param {string} tag of a language */
function pick(others, tag) {
  const short = tag.slice(0, 2).toLowerCase();
  const parts = others.split("|").map((part) => [part.split(" ", 1)[0] ?? "", part]);
  const found = parts.find(([languages]) => languages?.split(",").includes(short));
  return found?.[1]?.slice((found[0] ?? "").length + 1);
}
