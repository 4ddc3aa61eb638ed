/** Tiles of the bases that the service has imported. What draws them is loaded where there are some. */

/** @typedef {import("./base-palettes.js").Theme} Theme */
/**
 * @typedef {{ attribution: string, sources: Record<string, any>,
 *   toLayers: (theme: Theme) => any[], toLabels: (theme: Theme) => any[] }} Base
 */

/** The map is opened without a base rather than late. */
const WAIT_MS = 3000;

/** null: the service has no base, or cannot say so now. @returns {Promise<Base | null>} */
export async function readBase() {
  const signal = AbortSignal.timeout(WAIT_MS);
  const response = await fetch("/tiles/index.json", { signal }).catch(() => null);
  if (!response?.ok) return null;
  const index = await response.json().catch(() => null);
  if (!Array.isArray(index?.tiles) || index.tiles.length === 0) return null;
  const { toTileLabels, toTileLayers } = await import("./base-tiles.js");
  const { attribution, bounds, minzoom, maxzoom } = index;
  // The worker of the map has no address that one could be relative to.
  const tiles = index.tiles.map((/** @type {string} */ path) => location.origin + path);
  return {
    attribution,
    sources: { base: { type: "vector", tiles, bounds, minzoom, maxzoom } },
    toLayers: toTileLayers,
    toLabels: toTileLabels,
  };
}
