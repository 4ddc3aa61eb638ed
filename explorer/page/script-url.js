/**
 * The page's only policy of trusted types: as addresses of scripts it admits the map's worker and the
 * service worker, and as markup text whose every sign is escaped.
 */

const ENTITIES = /** @type {Record<string, string>} */ ({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
});

/** Its path is above all that it serves. */
const SERVICE_WORKER = "/service-worker.js";
const MAP_WORKER = /^\/assets\/[0-9a-f]{12}\/maplibre-gl\/maplibre-gl-worker\.mjs$/;

/** A page may make it once. @type {any} */
let policy = null;

function findPolicy() {
  const types = /** @type {any} */ (globalThis).trustedTypes;
  policy ??= types?.createPolicy("vicinity", {
    createScriptURL(/** @type {string} */ url) {
      const { origin, pathname, search } = new URL(url, location.href);
      const isOurs = pathname === SERVICE_WORKER || MAP_WORKER.test(pathname);
      if (origin !== location.origin || search !== "" || !isOurs)
        throw new TypeError("not the address of our workers");
      return url;
    },
    createHTML: (/** @type {string} */ text) =>
      text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? ""),
  });
  return policy;
}

/** @param {string} assets */
export function toMapWorker(assets) {
  const url = new URL(`${assets}/maplibre-gl/maplibre-gl-worker.mjs`, location.href).href;
  const trusted = findPolicy()?.createScriptURL(url);
  if (!trusted) return url;
  // MapLibre looks at the end of the address as at a text's.
  Object.defineProperty(trusted, "endsWith", {
    value: (/** @type {string} */ end) => url.endsWith(end),
  });
  return trusted;
}

export function toServiceWorker() {
  return findPolicy()?.createScriptURL(SERVICE_WORKER) ?? SERVICE_WORKER;
}
