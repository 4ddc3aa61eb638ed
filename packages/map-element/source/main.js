/**
 * <vicinity-map>: what can be used near a point, live, in any page. What it cannot show it says, with
 * a link to the map's own page (README.md).
 */
import { findLibrary, readAttribute, readBase } from "./wishes.js";
import { addLive, LIVE, NEAR, paletteOf, TILES, toFeature, toGround } from "./drawing.js";
import { Live, nearestTo } from "./live.js";
import { Panel, toAge } from "./panel.js";
import { toSheet } from "./parts.js";
import { Stream } from "./stream.js";
import { fill, textsOf } from "./texts.js";

/** @typedef {import("./drawing.js").Item} Item */

/** Marks are drawn at most so often. */
const DRAW_MS = 250;
/** Likewise age and list, which are text. */
const TEXT_MS = 2000;
/** After the map has moved, until another box is read. */
const SETTLE_MS = 400;
/** After a failure that may pass. */
const AGAIN_MS = 15_000;
const LIST_MAX = 20;
/** Of a box, as the service admits it, and how far it reaches beyond the view, in views. */
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

  /** A map library of the page's own, before the one that `maplibre` names. @type {any} */
  maplibregl = null;
  /** The map, to which the page may add; null: there is none now. @type {any} */
  map = null;

  #root = this.attachShadow({ mode: "open" });
  #internals = this.attachInternals();
  #dark = matchMedia("(prefers-color-scheme: dark)");
  #panel = /** @type {Panel | null} */ (null);
  #live = new Live();
  #stream = /** @type {Stream | null} */ (null);
  /** Of the stream; null: the view is so large that tiles show it. */
  #box = /** @type {number[] | null} */ (null);
  #chosen = /** @type {Item | null} */ (null);
  /** Why the stream is away; empty: it is not. */
  #away = "";
  #own_texts = {};
  #timers = /** @type {Map<string, number>} */ (new Map());
  #views = new IntersectionObserver((entries) => {
    this.#inView = entries.at(-1)?.isIntersecting ?? false;
    this.#look();
  });
  #sizes = new ResizeObserver(() => this.map?.resize());
  #inView = false;
  /** Grows with each opening, so that what an old one waits for ends. */
  #turn = 0;

  constructor() {
    super();
    this.#internals.role = "region";
    this.#root.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Escape") this.select(null);
    });
  }

  /** Words by name; those that are set replace the element's own. @returns {import("./texts.js").Texts} */
  get texts() {
    return textsOf(this.lang || document.documentElement.lang, this.#own_texts);
  }
  set texts(/** @type {Partial<import("./texts.js").Texts>} */ own) {
    this.#own_texts = own;
    this.#later("open", 0, this.#open);
  }

  /** What is known of the box, as the stream has it. */
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
    // Several that are set at once are one change.
    this.#later("open", 0, this.#open);
  }

  /** Shows the card of a thing; null: of none. @param {string | null} id */
  select(id) {
    this.#chosen = (id !== null && this.#live.items.get(id)) || null;
    this.#mark();
    if (this.#chosen) this.#emit("select", this.#chosen);
  }

  /** Begins again with what the attributes say. */
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

  /** Nothing is kept of the box. */
  #leave() {
    this.#stream?.pause();
    this.#stream = this.#box = this.#chosen = null;
    this.#live = new Live();
    this.#away = "";
  }

  /** A map that is not seen has no stream, and is not made. */
  #look = () => {
    if (!this.#inView || document.visibilityState === "hidden") return this.#stream?.pause();
    if (this.#stream) this.#stream.resume();
    else if (!this.map) this.#start().catch((cause) => this.#fail("failed", cause));
  };

  async #start() {
    const turn = ++this.#turn;
    const wrong = ["src", "at", "radius"].find((name) => this.#wish(name) === null);
    if (wrong) return this.#fail("attribute", null, wrong);
    let code = /** @type {"away" | "library" | "webgl"} */ ("library");
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

  /** @param {any} library @param {any} base */
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
      transformRequest: (/** @type {string} */ url) =>
        key && url.startsWith(`${src}/v1/`)
          ? { url, headers: { authorization: `Bearer ${key}` } }
          : { url },
    }));
    this.#sizes.observe(/** @type {Panel} */ (this.#panel).map);
    map.on("style.load", () => {
      const families = this.#wish("layers");
      addLive(map, p, `${src}/v1/tiles/{z}/{x}/{y}.mvt?layers=${families.join(",")}`, families);
      this.#live.renew();
      this.#follow();
    });
    map.on("moveend", () => this.#later("settle", SETTLE_MS, this.#follow));
    map.on("sourcedata", (/** @type {any} */ { sourceId, tile }) => {
      if (sourceId === TILES && tile?.state === "loaded") this.#away = "";
      this.#soon();
    });
    map.on("error", (/** @type {any} */ { error, sourceId }) => {
      const message = String(error?.message ?? error);
      if (sourceId === TILES) this.#away = error?.status ? fill(t.refused, error.status) : t.away;
      this.#emit("error", { code: "map", message, cause: error });
      this.#soon();
    });
    map.on("click", (/** @type {any} */ event) => this.#click(event.point));
  }

  /** @param {{ x: number, y: number }} point in pixels */
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

  /** Reads another box where the view has left the one that is read; where none may be, tiles are drawn. */
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
    // What is shown stays until the new box is known.
    this.#stream?.pause();
    this.#box = box;
    const bbox = box.map((degrees, at) =>
      (at % 2 ? degrees : ((((degrees + 180) % 360) + 360) % 360) - 180).toFixed(5),
    );
    const key = this.getAttribute("key") ?? "";
    const url = `${this.#wish("src")}/v1/nearby/stream?bbox=${bbox.join(",")}&include=${this.#wish("layers").join(",")}`;
    this.#stream = new Stream({ url, key, onEvent: this.#take, onAway: this.#lose });
  };

  #take = (/** @type {string} */ event, /** @type {any} */ data) => {
    const first = !this.#live.known;
    this.#live.take(event, data);
    this.#away = "";
    this.#panel?.fall(null);
    if (!first) return this.#soon();
    this.#show();
    this.#describe();
  };

  #lose = (/** @type {import("./stream.js").Away} */ away) => {
    const t = this.texts;
    const { code, message, wait_ms } = away;
    const gone = code === "unreachable" || code === "interrupted";
    this.#away = gone
      ? this.#live.known
        ? t.lost
        : t.away
      : fill(t.refused, message.replace(/\.$/, ""));
    this.#emit("error", away);
    // What was known stays in view, with its age, while there will be more.
    if (!this.#live.known || wait_ms === null) this.#panel?.fall(this.#away);
    this.#soon();
  };

  /** @param {"attribute" | "away" | "library" | "webgl" | "failed"} code @param {unknown} cause @param {string} [what] */
  #fail(code, cause, what = String(cause)) {
    const message = fill(this.texts[code], what);
    this.#panel?.fall(message);
    this.#panel?.note("");
    this.#emit("error", { code, message, cause });
  }

  #soon() {
    this.#later("show", DRAW_MS, this.#show);
  }

  /** Draws what has changed. */
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

  /** Says how old it is, and what is nearest. */
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

  /** Marks what is chosen, and shows its card. */
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

  /** As `readAttribute`. @param {string} name @returns {any} */
  #wish(name) {
    return readAttribute(name, this.getAttribute(name) ?? "");
  }

  #palette() {
    const theme = this.getAttribute("theme");
    return paletteOf(theme === "dark" || (theme !== "light" && this.#dark.matches));
  }

  /** The map's own page, and a thing on it. */
  #page(id = "") {
    const at = this.#wish("at");
    return `${this.#wish("src") ?? ""}/${at ? `?at=${at.lat},${at.lon}${id && `&sel=${encodeURIComponent(id)}`}` : ""}`;
  }

  /** @param {string} name @param {object} detail */
  #emit(name, detail) {
    this.dispatchEvent(
      new CustomEvent(`vicinity-${name}`, { detail, bubbles: true, composed: true }),
    );
  }

  /** Once, after a while; what was to be done then is not done as well. @param {string} name @param {number} ms @param {() => unknown} act */
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
