/* @vicinity/map-element. Apache-2.0. Generated from packages/map-element/source of Vicinity. */
const FAMILIES = ["stations", "vehicles"];
function readAttribute(name, text) {
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
async function findLibrary(element, src, onAway) {
const own = element.maplibregl ??  (globalThis).maplibregl;
if (own) return own;
const named = element.getAttribute("maplibre");
if (named) return import(new URL(named, document.baseURI).href);
const response = await fetch(`${src}/`, { credentials: "omit" }).catch(onAway);
const page = (await response?.text()) ?? "";
const [path] = /\/assets\/\w+\/maplibre-gl\/maplibre-gl\.mjs/.exec(page) ?? [];
if (!path) throw new Error(`no map library at ${src}`);
return import(src + path);
}
async function readBase(src) {
const url = `${src}/tiles/index.json`;
const response = await fetch(url, { credentials: "omit" }).catch(() => null);
return response?.ok ? response.json().catch(() => null) : null;
}
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
const NEAR = 13;
const LIVE = "vicinity-live";
const TILES = "vicinity-tiles";
const FONT = ["sans-serif"];
const EMPTY = { type: "FeatureCollection", features:  ([]) };
const paletteOf = (dark) => PALETTES[dark ? "dark" : "light"];
function useOf({ state, pickup }) {
if (state === "unavailable" || state === "maintenance" || pickup === "unavailable_now")
return "no";
return pickup === "available_now" ? "yes" : "unknown";
}
function toFeature(item, letter) {
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
function toGround(p, base, src, lang) {
const layers = [{ id: "ground", type: "background", paint: { "background-color": p.paper } }];
if (!base?.tiles?.length) return { version: 8, sources: {}, layers };
const { bounds, minzoom, maxzoom, attribution } = base;
const tiles = base.tiles.map(( path) => src + path);
const fill = (
 layer,
 colour,
 more = {},
) => ({
...{ id: layer, source: "base", "source-layer": layer, type: "fill" },
...{ filter: ["==", ["geometry-type"], "Polygon"], paint: { "fill-color": colour } },
...more,
});
const classes = ( ...names) => ({
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
function fontOf({ glyphs, layers }) {
const fonts = layers.map(( { layout }) => layout?.["text-font"]);
const known =
glyphs &&
fonts.find(( font) =>
font?.every(( name) => / /.test(name)),
);
return known || FONT;
}
function addLive(map, p, tiles, families) {
const font = fontOf(map.getStyle());
map.addSource(LIVE, { type: "geojson", data: EMPTY, promoteId: "id" });
map.addSource(TILES, { type: "vector", tiles: [tiles], maxzoom: 18 });
const add = (
 { id, more, radius, full, field, size, left = 0, minzoom = 0 },
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
class Live {
items = new Map();
#sources =  (new Map());
#changed =  (null);
#at_ms = NaN;
#came_ms = 0;
get known() {
return this.#at_ms > 0;
}
take(event, data) {
if (event === "snapshot") {
this.items = new Map(data.items.map(( item) => [item.id, item]));
this.#sources.clear();
this.#changed = null;
}
if (event === "delta") {
for (const item of [...data.entered, ...data.changed]) {
this.items.set(item.id, item);
this.#changed?.add(item.id);
}
for (const { id } of data.left) {
this.items.delete(id);
this.#changed?.add(id);
}
}
for (const source of data.sources ?? []) this.#sources.set(source.source_id, source);
this.#at_ms = Date.parse(data.at);
this.#came_ms = performance.now();
}
renew() {
this.#changed = null;
}
drain() {
const changed = this.#changed;
this.#changed = new Set();
if (!changed) return { whole: true, items: [...this.items.values()], gone: [] };
const items = [...changed].flatMap((id) => this.items.get(id) ?? []);
return { whole: false, items, gone: [...changed].filter((id) => !this.items.has(id)) };
}
get networks() {
return [...new Set([...this.#sources.values()].flatMap(({ network }) => network?.name ?? []))];
}
ageOf(network_id) {
const times = [...this.#sources.values()]
.filter(({ network, state }) =>
network_id ? network?.id === network_id : /fresh|old/.test(state),
)
.flatMap(({ as_of }) => (as_of ? Date.parse(as_of) : []));
const now_ms = this.#at_ms + performance.now() - this.#came_ms;
return times.length > 0 ? Math.max(0, Math.round((now_ms - Math.min(...times)) / 1000)) : null;
}
}
function nearestTo(items, at, most) {
const shrink = Math.cos((at.lat * Math.PI) / 180);
return [...items]
.map((item) => {
const { lat, lon } = item.location;
const east = ((((lon - at.lon + 180) % 360) + 360) % 360) - 180;
return { item, away_m: Math.hypot(lat - at.lat, east * shrink) * 111_195 };
})
.sort((a, b) => a.away_m - b.away_m)
.slice(0, most);
}
function make(name, given = {}, ...children) {
const node = document.createElement(name);
for (const [key, value] of Object.entries(given))
if (key.includes("-") || key === "role" || key === "part") node.setAttribute(key, value);
else Object.assign(node, { [key]: value });
node.append(...children);
return node;
}
const CSS = `:host{display:block;position:relative;height:24rem;contain:content;font:13px/1.4 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
:host([hidden]),[hidden]{display:none!important}
.map,canvas{position:absolute;inset:0}
.map{bottom:1.9em}
.maplibregl-canvas-container{height:100%;cursor:grab;touch-action:pan-x pan-y}
.maplibregl-control-container{display:none}
.maplibregl-cooperative-gesture-screen{position:absolute;inset:0;display:grid;place-items:center;background:#000a;color:#fff;font-size:1.3em;opacity:0;pointer-events:none}
.maplibregl-cooperative-gesture-screen.maplibregl-show{opacity:1}
.maplibregl-mobile-message{display:none}
.foot{position:absolute;inset:auto 0 0;height:1.9em;padding:.2em .6em;box-sizing:border-box;display:grid;grid-template-columns:1fr 1fr;gap:1em;white-space:nowrap;background:var(--paper)}
.foot span{overflow:hidden;text-overflow:ellipsis}
.credits{text-align:end}
.card,.list,.fallback{position:absolute;z-index:1;box-sizing:border-box;padding:.7em .9em;background:var(--paper);border:1px solid var(--off);border-radius:6px;max-width:calc(100% - 5em)}
.card,.list{top:.6em;inset-inline-start:.6em;max-height:calc(100% - 4em);overflow:auto}
.card p{margin:.2em 2.5em .2em 0}
.card p:first-of-type{font-weight:600}
.card button{position:absolute;top:.4em;inset-inline-end:.4em}
.fallback{inset:0;border:0;border-radius:0;max-width:none;display:grid;place-content:center;text-align:center}
.fallback p{margin:0 0 .8em}
.list:not(:focus-within){width:1px;height:1px;padding:0;border:0;overflow:hidden;clip-path:inset(50%)}
ul{margin:0;padding:0;list-style:none}
a{color:var(--accent)}
button{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--off);border-radius:4px;min-width:2em;min-height:2em;cursor:pointer}
li button{border:0;text-align:start}
.zoom{position:absolute;z-index:1;top:.6em;inset-inline-end:.6em;display:grid;gap:.3em}
:focus-visible{outline:3px solid var(--accent);outline-offset:-3px}`;
function toSheet({ paper, ink, accent, off }) {
const sheet = new CSSStyleSheet();
sheet.replaceSync(`:host{--paper:${paper};--ink:${ink};--accent:${accent};--off:${off}}${CSS}`);
return sheet;
}
function toCredit(markup) {
const plain = ( text) =>
text
.replace(/<[^<>]*>/g, "")
.replace("&copy;", "©")
.replace("&amp;", "&");
return markup.split(/(<a [^<>]*>[^<>]*<\/a>)/).map((part) => {
const [, href] = /^<a [^<>]*href="(https?:[^"<>]*)"/.exec(part) ?? [];
return href ? make("a", { href, textContent: plain(part) }) : plain(part);
});
}
const en = {
title: "Live map of shared vehicles",
map: "Map",
list: "Nearest",
open: "Open the map on its own page",
in: "Zoom in",
out: "Zoom out",
close: "Close",
wheel: "Ctrl + wheel: zoom",
bicycle: "Bicycle",
scooter: "Scooter",
moped: "Moped",
car: "Car",
available: "Available",
docks: "Free docks",
battery: "Battery",
unknown: "not known",
yes: "In service",
no: "Out of use",
gone: "No longer here",
age: "As of {0} ago",
wait: "Loading…",
cells: "Counts of areas (stations filled); zoom in for more",
licences: "Sources and licences",
lost: "The connection is lost; what was known before is shown.",
away: "The server of this map does not answer.",
refused: "The server of this map refuses: {0}.",
library: "The map library could not be loaded.",
webgl: "This browser cannot draw the map (WebGL).",
attribute: "The attribute {0} is missing or wrong.",
failed: "The map has failed: {0}.",
};
const TEXTS = {
en,
fr: {
title: "Carte en direct des véhicules partagés",
map: "Carte",
list: "Les plus proches",
open: "Ouvrir la carte dans sa page",
in: "Zoomer",
out: "Dézoomer",
close: "Fermer",
wheel: "Ctrl + molette : zoomer",
bicycle: "Vélo",
scooter: "Trottinette",
moped: "Scooter",
car: "Auto",
available: "Disponibles",
docks: "Places libres",
battery: "Batterie",
unknown: "inconnu",
yes: "En service",
no: "Hors service",
gone: "N’est plus ici",
age: "État d’il y a {0}",
wait: "Chargement…",
cells: "Nombres par zone (stations pleines) ; zoomez",
licences: "Sources et licences",
lost: "La connexion est perdue ; voici ce qui était connu avant.",
away: "Le serveur de cette carte ne répond pas.",
refused: "Le serveur de cette carte refuse : {0}.",
library: "La bibliothèque de cartes n’a pas pu être chargée.",
webgl: "Ce navigateur ne peut pas dessiner la carte (WebGL).",
attribute: "L’attribut {0} manque ou est faux.",
failed: "La carte a échoué : {0}.",
},
de: {
title: "Live-Karte geteilter Fahrzeuge",
map: "Karte",
list: "In der Umgebung",
open: "Karte auf eigener Seite öffnen",
in: "Vergrößern",
out: "Verkleinern",
close: "Schließen",
wheel: "Strg + Rad: zoomen",
bicycle: "Fahrrad",
scooter: "Tretroller",
moped: "Motorroller",
car: "Auto",
available: "Verfügbar",
docks: "Freie Plätze",
battery: "Akku",
unknown: "unbekannt",
yes: "In Betrieb",
no: "Außer Betrieb",
gone: "Nicht mehr hier",
age: "Alter: {0}",
wait: "Lädt…",
cells: "Anzahl je Gebiet (Stationen gefüllt); vergrößern",
licences: "Quellen und Lizenzen",
lost: "Die Verbindung ist unterbrochen; gezeigt wird, was vorher bekannt war.",
away: "Der Server dieser Karte antwortet nicht.",
refused: "Der Server dieser Karte lehnt ab: {0}.",
library: "Die Kartenbibliothek konnte nicht geladen werden.",
webgl: "Dieser Browser kann die Karte nicht zeichnen (WebGL).",
attribute: "Das Attribut {0} fehlt oder ist falsch.",
failed: "Die Karte ist ausgefallen: {0}.",
},
};
function textsOf(tag, own) {
return { ...en, ...TEXTS[tag.slice(0, 2).toLowerCase()], ...own };
}
function fill(text, value) {
return text.replace("{0}", () => String(value));
}
class Panel {
map = make("div", { className: "map" });
#wiring;
#list;
#zoom;
#card = make("div", { className: "card", role: "status", hidden: true });
#age = make("span");
#credits = make("span", { className: "credits" });
#reason = make("p");
#fallback;
#rows =  (new Map());
constructor(root, wiring) {
const { t, page, zoom } = (this.#wiring = wiring);
const button = (
 label,
 sign,
 by,
) => make("button", { "aria-label": label, textContent: sign, onclick: () => zoom(by) });
this.#list = make("ul", { className: "list", "aria-label": t.list });
this.#zoom = make("div", { className: "zoom" }, button(t.in, "+", 1), button(t.out, "−", -1));
const link = make("slot", {}, make("a", { href: page(), textContent: t.open }));
this.#fallback = make(
"div",
{ className: "fallback", role: "status", hidden: true },
this.#reason,
link,
);
const foot = make("div", { className: "foot" }, this.#age, this.#credits);
root.replaceChildren(this.map, this.#list, this.#zoom, this.#card, foot, this.#fallback);
this.note(t.wait);
}
note(text) {
if (this.#age.textContent !== text) this.#age.textContent = text;
}
fall(reason) {
this.#reason.textContent = reason ?? "";
this.#fallback.hidden = reason === null;
this.#zoom.hidden = this.#list.hidden = reason !== null;
}
credit(networks, notes) {
const { src, t } = this.#wiring;
const names = networks.slice(0, 3).join(", ") + (networks.length > 3 ? "…" : "");
const parts = [...notes, names].filter(Boolean);
if (this.#credits.title === parts.join() && this.#credits.firstChild) return;
this.#credits.title = parts.join();
const link = make("a", { href: `${src}/v1/sources`, rel: "license", textContent: t.licences });
this.#credits.replaceChildren(link, ...parts.flatMap((part) => [" · ", ...toCredit(part)]));
}
list(nearest) {
const rows = nearest.map(({ item, away_m }) => {
const row =
this.#rows.get(item.id) ??
make("li", {}, make("button", { onclick: () => this.#wiring.select(item.id) }));
const text = `${this.#nameOf(item)}, ${this.#countOf(item)}, ${Math.round(away_m / 10) * 10} m`;
if (row.textContent !== text) row.firstChild.textContent = text;
return  ([item.id, row]);
});
if (this.#list.matches(":focus-within")) return;
this.#rows = new Map(rows);
this.#list.replaceChildren(...this.#rows.values());
}
card(item, age) {
const { t, page, select } = this.#wiring;
const card = this.#card;
card.hidden = item === null;
if (!item) return;
const lines = [this.#nameOf(item), this.#countOf(item), "", age];
if (item.kind === "station") lines[2] = `${t.docks}: ${item.docks ?? t.unknown}`;
else lines[2] = `${t.battery}: ${item.battery == null ? t.unknown : `${item.battery} %`}`;
if (card.id !== item.id) {
card.id = item.id;
const close = make("button", {
"aria-label": t.close,
textContent: "×",
onclick: () => select(null),
});
const more = make("a", { href: page(item.id), textContent: t.open });
const texts = lines.map((_, at) => make("p", { "aria-live": at === 3 ? "off" : "polite" }));
card.replaceChildren(close, ...texts, more);
}
const texts = card.querySelectorAll("p");
for (const [at, line] of lines.entries())
if (texts[at].textContent !== line) texts[at].textContent = line;
}
#nameOf({ name, modes, network_id }) {
return name ?? `${this.#wiring.t[modes[0] ?? "bicycle"]} (${network_id})`;
}
#countOf(item) {
const { t } = this.#wiring;
const use = useOf(item);
if (use === "no") return t.no;
if (item.kind === "station") return `${t.available}: ${item.vehicles ?? t.unknown}`;
return use === "yes" ? t.yes : `${t.yes}: ${t.unknown}`;
}
}
function toAge(t, age_s) {
if (age_s === null) return t.unknown;
return fill(t.age, age_s < 100 ? `${age_s} s` : `${Math.round(age_s / 60)} min`);
}
const SILENT_MS = 45_000;
const RETRY_MS = 2000;
const RETRY_MAX_MS = 60_000;
const EVENT_MAX = 16_000_000;
const FINAL = new Set([400, 401, 403, 404, 405, 406, 410, 414]);
class Stream {
#wish;
#stop = new AbortController();
#last = "";
#retry_ms = RETRY_MS;
#bye =  (null);
#taken = 0;
constructor(wish) {
this.#wish = wish;
this.resume();
}
pause() {
this.#stop.abort();
}
resume() {
this.#stop.abort();
this.#stop = new AbortController();
const { signal } = this.#stop;
this.#run(signal).catch((cause) => {
this.#wish.onAway({ code: "failed", message: String(cause), wait_ms: null, cause });
});
}
async #run(signal) {
for (let failures = 0; ;) {
const before = this.#taken;
this.#bye = null;
const away = await this.#read(signal);
if (signal.aborted) return;
if (away.wait_ms === null) return this.#wish.onAway(away);
failures = this.#taken > before ? 0 : failures + 1;
const own_ms = Math.min(RETRY_MAX_MS, this.#retry_ms * 2 ** Math.min(failures, 9));
const wait_ms = Math.max(away.wait_ms, own_ms) * (1 + Math.random() / 4);
this.#wish.onAway({ ...away, wait_ms });
await pause(wait_ms, signal);
if (signal.aborted) return;
}
}
async #read(signal) {
const { url, key } = this.#wish;
const silence = new AbortController();
let timer = 0;
const listen = () => {
clearTimeout(timer);
timer = setTimeout(() => silence.abort(), SILENT_MS);
};
let code = "unreachable";
try {
listen();
const response = await fetch(url, {
headers: {
accept: "text/event-stream",
...(key && { authorization: `Bearer ${key}` }),
...(this.#last && { "last-event-id": this.#last }),
},
credentials: "omit",
cache: "no-store",
signal: AbortSignal.any([signal, silence.signal]),
});
if (!response.ok || !response.body) return await toRefusal(response);
code = "interrupted";
const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
for (let text = ""; ;) {
const { value, done } = await reader.read();
if (done) return this.#bye ?? { code, message: "the stream ended", wait_ms: 0 };
listen();
const events = (text + value).split(/\r?\n\r?\n/);
text = events.pop() ?? "";
if (text.length > EVENT_MAX) throw new Error("an event has no end");
for (const event of events) this.#take(event);
}
} catch (cause) {
return { code, message: String(cause), wait_ms: 0, cause };
} finally {
clearTimeout(timer);
silence.abort();
}
}
#take(text) {
const fields = { event: "message", data: "", id: "", retry: "" };
for (const line of text.split(/\r?\n/)) {
const at = line.indexOf(":");
const name =  (line.slice(0, at));
if (at > 0 && name in fields) fields[name] = line.slice(at + 1).replace(/^ /, "");
}
if (/^\d{1,6}$/.test(fields.retry)) this.#retry_ms = Number(fields.retry);
if (fields.data === "") return;
const data = JSON.parse(fields.data);
if (fields.event === "bye") {
const { reason, message, retry_after_s } = data;
this.#bye = {
code: String(reason),
message: String(message),
wait_ms: retry_after_s * 1000 || 0,
};
return;
}
this.#wish.onEvent(fields.event, data);
this.#taken++;
if (fields.id) this.#last = fields.id;
}
}
async function toRefusal(response) {
const { status, headers } = response;
const { error } = await response.json().catch(() => ({}));
const wait_s = Number(headers.get("retry-after"));
return {
code: String(error?.code ?? `http_${status}`),
message: String(error?.message ?? `HTTP ${status}`),
wait_ms: FINAL.has(status) ? null : wait_s * 1000 || 0,
};
}
function pause(ms, signal) {
return new Promise((resolve) => {
const timer = setTimeout(resolve, ms);
signal.addEventListener(
"abort",
() => {
clearTimeout(timer);
resolve(null);
},
{ once: true },
);
});
}
const DRAW_MS = 250;
const TEXT_MS = 2000;
const SETTLE_MS = 400;
const AGAIN_MS = 15_000;
const LIST_MAX = 20;
const KM2_MAX = 25;
const MARGIN = 0.25;
const DEGREE_M = 111_195;
export class VicinityMap extends HTMLElement {
static observedAttributes = [
"at",
"radius",
"layers",
"src",
"key",
"lang",
"theme",
"map-style",
"maplibre",
];
maplibregl = null;
map = null;
#root = this.attachShadow({ mode: "open" });
#internals = this.attachInternals();
#dark = matchMedia("(prefers-color-scheme: dark)");
#panel =  (null);
#live = new Live();
#stream =  (null);
#box =  (null);
#chosen =  (null);
#away = "";
#own_texts = {};
#timers =  (new Map());
#views = new IntersectionObserver((entries) => {
this.#inView = entries.at(-1)?.isIntersecting ?? false;
this.#look();
});
#sizes = new ResizeObserver(() => this.map?.resize());
#inView = false;
#turn = 0;
constructor() {
super();
this.#internals.role = "region";
this.#root.addEventListener("keydown", (event) => {
if ( (event).key === "Escape") this.select(null);
});
}
get texts() {
return textsOf(this.lang || document.documentElement.lang, this.#own_texts);
}
set texts( own) {
this.#own_texts = own;
this.#later("open", 0, this.#open);
}
get items() {
return [...this.#live.items.values()];
}
connectedCallback() {
document.addEventListener("visibilitychange", this.#look);
this.#dark.addEventListener("change", this.#open);
this.#open();
this.#views.observe(this);
}
disconnectedCallback() {
document.removeEventListener("visibilitychange", this.#look);
this.#dark.removeEventListener("change", this.#open);
this.#views.disconnect();
this.#close();
}
attributeChangedCallback() {
this.#later("open", 0, this.#open);
}
select(id) {
this.#chosen = (id !== null && this.#live.items.get(id)) || null;
this.#mark();
if (this.#chosen) this.#emit("select", this.#chosen);
}
#open = () => {
if (!this.isConnected) return;
this.#close();
const t = this.texts;
this.#internals.ariaLabel = t.title;
this.#root.adoptedStyleSheets = [toSheet(this.#palette())];
this.#panel = new Panel(this.#root, {
...{
t,
src: this.#wish("src") ?? "",
page: (id) => this.#page(id),
select: (id) => this.select(id),
},
zoom: (by) => this.map?.easeTo({ zoom: this.map.getZoom() + by }),
});
this.#panel.credit([], []);
this.#look();
};
#close() {
this.#turn++;
for (const timer of this.#timers.values()) clearTimeout(timer);
this.#timers.clear();
this.#leave();
this.#sizes.disconnect();
this.map?.remove();
this.map = null;
}
#leave() {
this.#stream?.pause();
this.#stream = this.#box = this.#chosen = null;
this.#live = new Live();
this.#away = "";
}
#look = () => {
if (!this.#inView || document.visibilityState === "hidden") return this.#stream?.pause();
if (this.#stream) this.#stream.resume();
else if (!this.map) this.#start().catch((cause) => this.#fail("failed", cause));
};
async #start() {
const turn = ++this.#turn;
const wrong = ["src", "at", "radius"].find((name) => this.#wish(name) === null);
if (wrong) return this.#fail("attribute", null, wrong);
let code =  ("library");
try {
const ground = this.getAttribute("map-style") ? null : readBase(this.#wish("src"));
const found = await findLibrary(this, this.#wish("src"), () => (code = "away"));
const library = found.Map ? found : found.default;
if (typeof library?.Map !== "function") throw new Error("the map library has no Map");
const base = await ground;
if (turn !== this.#turn) return;
code = "webgl";
this.#draw(library, base);
} catch (cause) {
if (turn !== this.#turn) return;
this.#fail(code, cause);
if (code !== "webgl") this.#later("again", AGAIN_MS, this.#look);
}
}
#draw(library, base) {
const { lat, lon } = this.#wish("at");
const [src, t, p, key] = [
this.#wish("src"),
this.texts,
this.#palette(),
this.getAttribute("key"),
];
const high = this.#wish("radius") / DEGREE_M;
const wide = high / Math.cos((lat * Math.PI) / 180);
const map = (this.map = new library.Map({
container: this.#panel?.map,
style: this.getAttribute("map-style") || toGround(p, base, src, this.lang.slice(0, 2)),
bounds: [lon - wide, lat - high, lon + wide, lat + high],
attributionControl: false,
cooperativeGestures: true,
dragRotate: false,
fadeDuration: 0,
locale: {
"Map.Title": t.map,
"CooperativeGesturesHandler.WindowsHelpText": t.wheel,
"CooperativeGesturesHandler.MacHelpText": t.wheel.replace(/^\w+/, "⌘"),
},
transformRequest: ( url) =>
key && url.startsWith(`${src}/v1/`)
? { url, headers: { authorization: `Bearer ${key}` } }
: { url },
}));
this.#sizes.observe( (this.#panel).map);
map.on("style.load", () => {
const families = this.#wish("layers");
addLive(map, p, `${src}/v1/tiles/{z}/{x}/{y}.mvt?layers=${families.join(",")}`, families);
this.#live.renew();
this.#follow();
});
map.on("moveend", () => this.#later("settle", SETTLE_MS, this.#follow));
map.on("sourcedata", ( { sourceId, tile }) => {
if (sourceId === TILES && tile?.state === "loaded") this.#away = "";
this.#soon();
});
map.on("error", ( { error, sourceId }) => {
const message = String(error?.message ?? error);
if (sourceId === TILES) this.#away = error?.status ? fill(t.refused, error.status) : t.away;
this.#emit("error", { code: "map", message, cause: error });
this.#soon();
});
map.on("click", ( event) => this.#click(event.point));
}
#click({ x, y }) {
const layers = this.#box ? ["station", "vehicle"] : this.#wish("layers");
const [one] = this.map.queryRenderedFeatures(
[
[x - 8, y - 8],
[x + 8, y + 8],
],
{ layers },
);
if (this.#box) this.select(one?.properties.id ?? null);
else if (one)
this.map.easeTo({ center: one.geometry.coordinates, zoom: this.map.getZoom() + 2 });
}
#follow = () => {
const { map } = this;
if (!map?.getSource(LIVE)) return;
const view = map.getBounds();
const [w, s, e, n] = [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()];
const km2 = (e - w) * (n - s) * Math.cos((s * Math.PI) / 180) * (DEGREE_M / 1000) ** 2;
const near = map.getZoom() >= NEAR && km2 <= KM2_MAX;
for (const { id, source } of map.getStyle().layers)
if ([LIVE, TILES].includes(source))
map.setLayoutProperty(id, "visibility", (source === LIVE) === near ? "visible" : "none");
if (!near) {
this.#leave();
this.#panel?.fall(null);
return this.#soon();
}
const [west = 0, south = 0, east = 0, north = 0] = this.#box ?? [];
if (this.#box && w >= west && s >= south && e <= east && n <= north) return this.#soon();
const margin = km2 * (1 + 2 * MARGIN) ** 2 > KM2_MAX ? 0 : MARGIN;
const [dx, dy] = [(e - w) * margin, (n - s) * margin];
const box = [w - dx, s - dy, e + dx, n + dy];
this.#stream?.pause();
this.#box = box;
const bbox = box.map((degrees, at) =>
(at % 2 ? degrees : ((((degrees + 180) % 360) + 360) % 360) - 180).toFixed(5),
);
const key = this.getAttribute("key") ?? "";
const url = `${this.#wish("src")}/v1/nearby/stream?bbox=${bbox.join(",")}&include=${this.#wish("layers").join(",")}`;
this.#stream = new Stream({ url, key, onEvent: this.#take, onAway: this.#lose });
};
#take = ( event,  data) => {
const first = !this.#live.known;
this.#live.take(event, data);
this.#away = "";
this.#panel?.fall(null);
if (!first) return this.#soon();
this.#show();
this.#describe();
};
#lose = ( away) => {
const t = this.texts;
const { code, message, wait_ms } = away;
const gone = code === "unreachable" || code === "interrupted";
this.#away = gone
? this.#live.known
? t.lost
: t.away
: fill(t.refused, message.replace(/\.$/, ""));
this.#emit("error", away);
if (!this.#live.known || wait_ms === null) this.#panel?.fall(this.#away);
this.#soon();
};
#fail(code, cause, what = String(cause)) {
const message = fill(this.texts[code], what);
this.#panel?.fall(message);
this.#panel?.note("");
this.#emit("error", { code, message, cause });
}
#soon() {
this.#later("show", DRAW_MS, this.#show);
}
#show = () => {
const source = this.map?.getSource(LIVE);
if (!source) return;
const { whole, items, gone } = this.#live.drain();
const t = this.texts;
const features = items.map((item) =>
toFeature(item, (t[item.modes[0] ?? "bicycle"] ?? "")[0] ?? ""),
);
if (whole) source.setData({ type: "FeatureCollection", features });
else if (features.length + gone.length > 0) source.updateData({ remove: gone, add: features });
this.#mark();
if (!this.#timers.has("describe")) this.#describe();
};
#describe = () => {
const [panel, t] = [this.#panel, this.texts];
if (!panel || !this.map) return;
panel.note(
this.#away ||
(this.#box ? (this.#live.known ? toAge(t, this.#live.ageOf()) : t.wait) : t.cells),
);
panel.list(nearestTo(this.#live.items.values(), this.#wish("at"), LIST_MAX));
const notes = Object.keys(this.map.getStyle()?.sources ?? {}).map(
(id) => this.map.getSource(id)?.attribution,
);
panel.credit(this.#live.networks, new Set(notes.filter(Boolean)));
this.#later("describe", TEXT_MS, this.#describe);
};
#mark() {
const before = this.#chosen;
const now = before && this.#live.items.get(before.id);
const t = this.texts;
if (this.map?.getLayer("chosen"))
this.map.setFilter("chosen", ["==", ["get", "id"], now?.id ?? ""]);
this.#panel?.card(
now || before,
now || !before ? toAge(t, this.#live.ageOf(before?.network_id)) : t.gone,
);
}
#wish(name) {
return readAttribute(name, this.getAttribute(name) ?? "");
}
#palette() {
const theme = this.getAttribute("theme");
return paletteOf(theme === "dark" || (theme !== "light" && this.#dark.matches));
}
#page(id = "") {
const at = this.#wish("at");
return `${this.#wish("src") ?? ""}/${at ? `?at=${at.lat},${at.lon}${id && `&sel=${encodeURIComponent(id)}`}` : ""}`;
}
#emit(name, detail) {
this.dispatchEvent(
new CustomEvent(`vicinity-${name}`, { detail, bubbles: true, composed: true }),
);
}
#later(name, ms, act) {
if (this.#timers.has(name)) return;
this.#timers.set(
name,
setTimeout(() => {
this.#timers.delete(name);
act();
}, ms),
);
}
}
if (!customElements.get("vicinity-map")) customElements.define("vicinity-map", VicinityMap);
