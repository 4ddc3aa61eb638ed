/** What the attributes say, and what is loaded for it. */

const FAMILIES = ["stations", "vehicles"];

/** The value of an attribute; null: it is wrong. @param {string} name @param {string} text @returns {any} */
export function readAttribute(name, text) {
  if (name === "src") return /^https?:\/\/[^/]/.test(text) ? text.replace(/\/$/, "") : null;
  const parts = text.split(",").map((part) => part.trim());
  if (name === "layers") {
    const some = FAMILIES.filter((family) => parts.includes(family));
    return some.length > 0 ? some : FAMILIES;
  }
  const [first = NaN, lon = NaN, ...more] = parts.map((part) => (part ? Number(part) : NaN));
  if (name === "radius") {
    const radius = text === "" ? 600 : first;
    return parts.length === 1 && radius >= 50 && radius <= 50_000 ? radius : null;
  }
  const isPoint = Math.abs(first) <= 85 && Math.abs(lon) <= 180 && more.length === 0;
  return isPoint ? { lat: first, lon } : null;
}

/** The page's own, or the one that the page of the server has. @param {any} element @param {string} src @param {() => void} onAway the server does not answer */
export async function findLibrary(element, src, onAway) {
  const own = element.maplibregl ?? /** @type {any} */ (globalThis).maplibregl;
  if (own) return own;
  const named = element.getAttribute("maplibre");
  if (named) return import(new URL(named, document.baseURI).href);
  const response = await fetch(`${src}/`, { credentials: "omit" }).catch(onAway);
  const page = (await response?.text()) ?? "";
  const [path] = /\/assets\/\w+\/maplibre-gl\/maplibre-gl\.mjs/.exec(page) ?? [];
  if (!path) throw new Error(`no map library at ${src}`);
  return import(src + path);
}

/** The index of the server's own ground; null: it has none, and a plain one is drawn. @param {string} src */
export async function readBase(src) {
  const url = `${src}/tiles/index.json`;
  const response = await fetch(url, { credentials: "omit" }).catch(() => null);
  return response?.ok ? response.json().catch(() => null) : null;
}
