/** Tiles of the bases that the service has imported. What draws them is loaded where there are some. */

/** @typedef {import("./base-palettes.js").Theme} Theme */
/**
 * @typedef {[west: number, south: number, east: number, north: number]} Box
 * `isSimulated`: no base is of the real world.
 * @typedef {{ attribution: string, isSimulated: boolean, boxes: Box[], sources: Record<string, any>,
 *   toLayers: (theme: Theme) => any[], toLabels: (theme: Theme) => any[] }} Base
 */

/** The map is opened without a base rather than late. */
const WAIT_MS = 3000;

/** Address of the names where no base is; null: the service cannot say now. @typedef {string | null} Labels */

/** A base of null: the service has none, or cannot say so now. @returns {Promise<{ base: Base | null, labels: Labels }>} */
export async function readMaps() {
  const signal = AbortSignal.timeout(WAIT_MS);
  const response = await fetch("/tiles/index.json", { signal }).catch(() => null);
  const index = response?.ok ? await response.json().catch(() => null) : null;
  return { base: await toBase(index), labels: index?.labels ?? null };
}

/** @param {any} index @returns {Promise<Base | null>} */
async function toBase(index) {
  if (!Array.isArray(index?.tiles) || index.tiles.length === 0) return null;
  const { toTileLabels, toTileLayers } = await import("./base-tiles.js");
  const { attribution, bounds, minzoom, maxzoom, bases = [] } = index;
  // The worker of the map has no address that one could be relative to.
  const tiles = index.tiles.map((/** @type {string} */ path) => location.origin + path);
  return {
    attribution,
    isSimulated:
      bases.length > 0 &&
      bases.every((/** @type {{ id: string }} */ { id }) => id.startsWith("simulated-")),
    boxes: bases.map((/** @type {{ bounds: Box }} */ one) => one.bounds),
    sources: { base: { type: "vector", tiles, bounds, minzoom, maxzoom } },
    toLayers: toTileLayers,
    toLabels: toTileLabels,
  };
}
