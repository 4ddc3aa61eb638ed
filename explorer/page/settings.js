/** Settings that the service passes to the page. `map`: the files of the map, which come after the list; `offline`: whether the page is kept in the browser. */

/**
 * @typedef {{ id: string, name: string, lat: number, lon: number, plan: string }} City
 * @typedef {{ mode: "sandbox" | "live", version: string, assets: string, style: string | null,
 *   start: { lat: number, lon: number } | null, weather: { now: string, forecast: string } | null, units: "metric" | "standard" | "imperial", cities: City[], map: string[], offline: boolean,
 *   reference: { key: string | null, changelog: boolean },
 *   base?: import("../map/base.js").Base | null }} Settings
 */

/** @returns {Settings} */
export function readSettings() {
  return JSON.parse(document.documentElement.dataset["settings"] ?? "{}");
}
