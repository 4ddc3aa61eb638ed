/** What the map draws: the ground, and what can be used, which differs by form and text as well as by colour. */

/** @typedef {{ paper: string, ink: string, accent: string, off: string, green: string, water: string, road: string, block: string }} Palette */
/**
 * As the stream has it (LiveItem of the API).
 * @typedef {{ id: string, kind: "station" | "vehicle", location: { lat: number, lon: number },
 *   modes: ("bicycle" | "scooter" | "moped" | "car")[], network_id: string, name?: string, state: string,
 *   pickup: string, return?: string, vehicles?: number | null, docks?: number | null,
 *   capacity?: number | null, battery?: number | null, form_factor?: string | null }} Item
 */

/** @type {Record<"light" | "dark", Palette>} */
const PALETTES = {
  light: {
    paper: "#f4f2ec",
    ink: "#38352f",
    accent: "#0b6b67",
    off: "#626c79",
    green: "#d9e8cb",
    water: "#c3dfec",
    road: "#fff",
    block: "#e6e1d7",
  },
  dark: {
    paper: "#171b20",
    ink: "#dbe3ea",
    accent: "#4fd1c5",
    off: "#9aa7b4",
    green: "#19291f",
    water: "#10293a",
    road: "#38414b",
    block: "#262e37",
  },
};

/** Zoom below which things are too many for a stream: tiles have counts of areas there. */
export const NEAR = 13;
/** Names of sources. */
export const LIVE = "vicinity-live";
export const TILES = "vicinity-tiles";
const FONT = ["sans-serif"];
const EMPTY = { type: "FeatureCollection", features: /** @type {any[]} */ ([]) };

/** @param {boolean} dark */
export const paletteOf = (dark) => PALETTES[dark ? "dark" : "light"];

/** Whether it can be taken. @param {Item} item @returns {"yes" | "no" | "unknown"} */
export function useOf({ state, pickup }) {
  if (state === "unavailable" || state === "maintenance" || pickup === "unavailable_now")
    return "no";
  return pickup === "available_now" ? "yes" : "unknown";
}

/** @param {Item} item @param {string} letter of its mode */
export function toFeature(item, letter) {
  const { id, kind, location, vehicles } = item;
  const use = useOf(item);
  const sign = use === "no" ? "×" : use === "unknown" ? "?" : letter;
  const text = kind === "vehicle" ? sign : use === "no" && vehicles ? "×" : String(vehicles ?? "?");
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates: [location.lon, location.lat] },
    properties: { id, kind, use, text, lat: location.lat },
  };
}

/** The ground alone, from the bases of the server where it has some. @param {Palette} p @param {any} base its index @param {string} src @param {string} lang */
export function toGround(p, base, src, lang) {
  const layers = [{ id: "ground", type: "background", paint: { "background-color": p.paper } }];
  if (!base?.tiles?.length) return { version: 8, sources: {}, layers };
  const { bounds, minzoom, maxzoom, attribution } = base;
  const tiles = base.tiles.map((/** @type {string} */ path) => src + path);
  const fill = (
    /** @type {string} */ layer,
    /** @type {string} */ colour,
    /** @type {object} */ more = {},
  ) => ({
    ...{ id: layer, source: "base", "source-layer": layer, type: "fill" },
    ...{ filter: ["==", ["geometry-type"], "Polygon"], paint: { "fill-color": colour } },
    ...more,
  });
  const classes = (/** @type {string[]} */ ...names) => ({
    filter: ["in", ["get", "class"], ["literal", names]],
  });
  const wide = ["in", ["get", "class"], ["literal", ["motorway", "trunk", "primary", "secondary"]]];
  return {
    version: 8,
    sources: { base: { type: "vector", tiles, bounds, minzoom, maxzoom, attribution } },
    layers: [
      ...layers,
      fill("landcover", p.green),
      fill("landuse", p.green, classes("park", "grass", "cemetery", "zoo", "pitch")),
      fill("water", p.water),
      fill("building", p.block),
      fill("road", p.road, {
        type: "line",
        filter: ["==", ["geometry-type"], "LineString"],
        paint: {
          "line-color": p.road,
          "line-width": [
            "interpolate",
            ["exponential", 1.5],
            ["zoom"],
            12,
            ["case", wide, 2, 0.6],
            18,
            ["case", wide, 28, 12],
          ],
        },
      }),
      fill("place", p.ink, {
        type: "symbol",
        ...classes("city", "town", "village", "suburb", "quarter", "neighbourhood", "park"),
        layout: {
          "text-font": FONT,
          "text-size": 11,
          "text-field": ["coalesce", ["get", `name:${lang}`], ["get", "name"]],
        },
        paint: { "text-color": p.off, "text-halo-color": p.paper, "text-halo-width": 1 },
      }),
    ],
  };
}

/** A font that the style can draw: the browser's own, unless it names glyphs of a server. @param {any} style @returns {string[]} */
function fontOf({ glyphs, layers }) {
  const fonts = layers.map((/** @type {any} */ { layout }) => layout?.["text-font"]);
  const known =
    glyphs &&
    fonts.find((/** @type {any} */ font) =>
      font?.every((/** @type {any} */ name) => / /.test(name)),
    );
  return known || FONT;
}

/** Adds the live layer over whatever style the map has. @param {any} map @param {Palette} p @param {string} tiles address of the live tiles @param {string[]} families */
export function addLive(map, p, tiles, families) {
  const font = fontOf(map.getStyle());
  map.addSource(LIVE, { type: "geojson", data: EMPTY, promoteId: "id" });
  map.addSource(TILES, { type: "vector", tiles: [tiles], maxzoom: 18 });
  /** Circles and their texts, the southern ones on top; a text covers what is below, as its circle does. */
  const add = (
    /** @type {any} */ { id, more, radius, full, field, size, left = 0, minzoom = 0 },
  ) => {
    const key = ["-", ["coalesce", ["get", "lat"], 0]];
    const fill = ["case", full, p.accent, p.paper];
    map.addLayer({
      ...{ ...more, id, type: "circle", layout: { "circle-sort-key": key } },
      paint: {
        ...{ "circle-radius": radius, "circle-stroke-width": 2, "circle-translate": [left, 0] },
        "circle-color": fill,
        "circle-stroke-color": ["case", full, p.paper, p.off],
      },
    });
    map.addLayer({
      ...{ ...more, id: `${id}-text`, type: "symbol", minzoom },
      layout: {
        ...{ "text-field": field, "text-size": size, "text-font": font },
        ...{ "symbol-sort-key": key, "text-allow-overlap": true, "text-ignore-placement": true },
      },
      paint: {
        ...{ "text-color": ["case", full, p.paper, p.ink], "text-translate": [left, 0] },
        ...{ "text-halo-color": fill, "text-halo-width": 2.5 },
      },
    });
  };
  const count = ["coalesce", ["get", "count"], 1];
  for (const family of families)
    add({
      ...{ id: family, more: { source: TILES, "source-layer": family }, size: 11 },
      radius: ["interpolate", ["linear"], ["sqrt", count], 1, 6, 30, 16],
      field: ["to-string", ["get", "count"]],
      // Side by side, the one full and the other not.
      ...{ full: family === "stations", left: family === "stations" ? -17 : 17 },
    });
  for (const kind of ["vehicle", "station"]) {
    const [radius, size, minzoom] = kind === "vehicle" ? [7, 9, 15] : [12, 12, 0];
    add({
      ...{ id: kind, more: { source: LIVE, filter: ["==", ["get", "kind"], kind] } },
      radius: ["interpolate", ["linear"], ["zoom"], 14, radius * 0.7, 16, radius],
      ...{ full: ["==", ["get", "use"], "yes"], field: ["get", "text"], size, minzoom },
    });
  }
  map.addLayer({
    ...{ id: "chosen", type: "circle", source: LIVE, filter: ["==", ["get", "id"], ""] },
    paint: {
      ...{ "circle-radius": 17, "circle-opacity": 0 },
      ...{ "circle-stroke-width": 3, "circle-stroke-color": p.ink },
    },
  });
}
