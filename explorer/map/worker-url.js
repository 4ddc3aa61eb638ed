/**
 * The page's only policy of trusted types: as the address of a script it admits the map's worker,
 * and as markup text whose every sign is escaped.
 */

const ENTITIES = /** @type {Record<string, string>} */ ({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
});

/** @param {string} assets */
export function toWorkerUrl(assets) {
  const only = new URL(`${assets}/maplibre-gl/maplibre-gl-worker.mjs`, location.href).href;
  const types = /** @type {any} */ (globalThis).trustedTypes;
  if (!types) return only;
  const policy = types.createPolicy("vicinity", {
    createScriptURL(/** @type {string} */ url) {
      if (url !== only) throw new TypeError("not the address of our worker");
      return url;
    },
    createHTML: (/** @type {string} */ text) =>
      text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? ""),
  });
  const trusted = policy.createScriptURL(only);
  // MapLibre looks at the end of the address as at a text's.
  Object.defineProperty(trusted, "endsWith", {
    value: (/** @type {string} */ end) => only.endsWith(end),
  });
  return trusted;
}
