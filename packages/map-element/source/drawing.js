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
const FONT = { "text-font": ["sans-serif"], "text-allow-overlap": true };
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
    properties: { id, kind, use, text },
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
          "text-font": FONT["text-font"],
          "text-size": 11,
          "text-field": ["coalesce", ["get", `name:${lang}`], ["get", "name"]],
        },
        paint: { "text-color": p.off, "text-halo-color": p.paper, "text-halo-width": 1 },
      }),
    ],
  };
}

/** Adds the live layer over whatever style the map has. @param {any} map @param {Palette} p @param {string} tiles address of the live tiles @param {string[]} families */
export function addLive(map, p, tiles, families) {
  const full = ["==", ["get", "use"], "yes"];
  map.addSource(LIVE, { type: "geojson", data: EMPTY, promoteId: "id" });
  map.addSource(TILES, { type: "vector", tiles: [tiles], maxzoom: 18 });
  const circle = (/** @type {any} */ radius, /** @type {any} */ fill = p.accent) => ({
    ...{ "circle-radius": radius, "circle-color": fill, "circle-stroke-width": 2 },
    "circle-stroke-color": ["case", full, p.paper, p.off],
  });
  const text = (/** @type {any} */ colour) => ({ "text-color": colour });
  for (const family of families) {
    const layer = { source: TILES, "source-layer": family };
    const count = ["coalesce", ["get", "count"], 1];
    map.addLayer({
      ...layer,
      id: family,
      type: "circle",
      paint: {
        ...circle(["interpolate", ["linear"], ["sqrt", count], 1, 5, 30, 26]),
        "circle-opacity": 0.8,
      },
    });
    map.addLayer({
      ...layer,
      id: `${family}-text`,
      type: "symbol",
      layout: {
        ...FONT,
        "text-allow-overlap": false,
        "text-size": 11,
        "text-field": ["to-string", ["get", "count"]],
      },
      paint: text(p.paper),
    });
  }
  for (const [kind, radius, size] of /** @type {const} */ ([
    ["vehicle", 7, 9],
    ["station", 12, 12],
  ])) {
    const layer = { source: LIVE, filter: ["==", ["get", "kind"], kind] };
    const grown = ["interpolate", ["linear"], ["zoom"], 14, radius * 0.7, 16, radius];
    map.addLayer({
      ...layer,
      id: kind,
      type: "circle",
      paint: circle(grown, ["case", full, p.accent, p.paper]),
    });
    map.addLayer({
      ...layer,
      id: `${kind}-text`,
      type: "symbol",
      minzoom: kind === "vehicle" ? 15 : 0,
      layout: { ...FONT, "text-size": size, "text-field": ["get", "text"] },
      paint: text(["case", full, p.paper, p.ink]),
    });
  }
  map.addLayer({
    id: "chosen",
    type: "circle",
    source: LIVE,
    filter: ["==", ["get", "id"], ""],
    paint: {
      "circle-radius": 17,
      "circle-opacity": 0,
      "circle-stroke-width": 3,
      "circle-stroke-color": p.ink,
    },
  });
}
