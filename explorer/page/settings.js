/** Settings that the service passes to the page. */

/**
 * @typedef {{ id: string, name: string, lat: number, lon: number, plan: string }} City
 * @typedef {{ mode: "sandbox" | "live", version: string, assets: string, style: string | null,
 *   start: { lat: number, lon: number } | null, weather: string | null, units: "metric" | "standard" | "imperial", cities: City[],
 *   base?: import("../map/base-tiles.js").Base | null }} Settings
 */

/** @returns {Settings} */
export function readSettings() {
  return JSON.parse(document.documentElement.dataset["settings"] ?? "{}");
}
