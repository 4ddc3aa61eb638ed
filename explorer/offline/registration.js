/**
 * The service worker of the page: it is registered when the page has all that it needs, with a list of
 * what was loaded before it was there. Switched off, a worker of before is removed.
 */
import { toServiceWorker } from "../page/script-url.js";
import { listTiles } from "./tiles-in-view.js";

/** Addresses that are named to the worker. */
const MOST = 400;

/** @param {{ settings: import("../page/settings.js").Settings, map: any }} given `map`: null where it could not be drawn */
export async function keepPage({ settings, map }) {
  const workers = navigator.serviceWorker;
  // Where the address is not safe, browsers have none.
  if (!workers) return;
  if (!settings.offline) return leave(workers);
  try {
    await workers.register(toServiceWorker(), { scope: "/", updateViaCache: "none" });
    const { active } = await workers.ready;
    active?.postMessage({
      seen: [...new Set([...listLoaded(), ...toTiles(settings, map)])].slice(0, MOST),
    });
  } catch {
    // Storage may be forbidden or full: then the page needs its network, as before.
  }
}

/** @param {ServiceWorkerContainer} workers */
async function leave(workers) {
  const registration = await workers.getRegistration("/").catch(() => undefined);
  // The service's script, which is now one that removes itself and what it kept.
  await registration?.update().catch(() => null);
}

/** Paths of the tiles in view, which another thread has fetched. @param {import("../page/settings.js").Settings} settings @param {any} map */
function toTiles({ base }, map) {
  const { tiles = [], maxzoom = 0 } = base?.sources["base"] ?? {};
  if (map === null) return [];
  const bounds = map.getBounds();
  const view = {
    ...{ west: bounds.getWest(), south: bounds.getSouth() },
    ...{ east: bounds.getEast(), north: bounds.getNorth() },
  };
  return tiles.flatMap((/** @type {string} */ template) =>
    listTiles(template.replace(location.origin, ""), view, map.getZoom(), maxzoom),
  );
}

/** Paths of our own that this page has loaded. */
function listLoaded() {
  return performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(({ origin }) => origin === location.origin)
    .map(({ pathname, search }) => pathname + search);
}
