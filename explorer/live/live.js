/** All that moves in the view: a stream from near, numbers of tiles from afar or where there is no stream. */
import { call, pause } from "../data/api.js";
import { askSources } from "../data/asks.js";
import { choose } from "../data/wishes.js";
import { metresBetween } from "../map/geometry.js";
import { idsOf } from "../page/kinds.js";
import { createPulse } from "../panel/pulse.js";
import { grow, has, holds, NEAR_ZOOM, toText } from "./box.js";
import { Feed } from "./feed.js";
import { Known } from "./known.js";
import { MEANS } from "./means.js";
import { isCovered, networksOf, refresh, renew, toThing } from "./things.js";

/**
 * @typedef {import("../data/items.js").Item} Item @typedef {import("./box.js").Box} Box
 * @typedef {import("./things.js").Context} Context @typedef {import("./known.js").LiveItem} LiveItem
 * @typedef {{ all: readonly Item[], shown: readonly Item[] }} Circle `shown`: without what wishes leave out
 */

/** The view has come to rest, ms. */
const REST_MS = 250;
/** What changes is drawn at most so often, ms: a map that is drawn at each event is never calm. */
const DRAW_MS = 1_000;
/** Of the work of a draw, what is done at a time, and after how long the next, ms. */
const PIECE_MS = 3;
const FRAME_MS = 16;

/** Of the map: where it is looked at. @param {any} map @returns {Box} */
function viewOf(map) {
  const bounds = map.getBounds();
  const [west, south] = [bounds.getWest(), bounds.getSouth()];
  return { west, south, east: bounds.getEast(), north: bounds.getNorth() };
}

export class Live {
  #map;
  #counts;
  #state;
  #changed;
  #pulse;
  #feed;
  #known = new Known();
  /** Of what is known; null: nothing is. @type {Box | null} */
  #box = null;
  /** Of what is looked at, and the modes that are wanted. @type {{ box: Box, wish: string, target: string } | null} */
  #wanted = null;
  /** @type {Context} */
  #context = { networks: new Map(), at: null };
  #contextText = "";
  /** Things as they were made of what the stream said. @type {Map<string, { live: LiveItem, thing: Item }>} */
  #made = new Map();
  /** The chosen thing as it was last seen. @type {Item | null} */
  #chosen = null;
  /** Ids that the list has, too. @type {ReadonlySet<string>} */
  #listed = new Set();
  #isListTouched = false;
  #drawn_ms = -Infinity;
  #isDrawing = false;
  #timer = 0;
  #rest = 0;
  /** Of the sources that are seen, as /v1/sources has them. @type {any[]} */
  #sources = [];
  #sourcesOf = "";
  #settle = () => {};
  /** Ends when it is known whether there is a stream, and what it begins with. @type {Promise<void>} */
  settled = new Promise((resolve) => (this.#settle = resolve));

  /**
   * @param {{ map: any, counts: { show(what: "none" | "counts" | "objects"): void }, state: import("../page/state.js").State,
   *   changed: (isListTouched: boolean) => void, means?: import("./run.js").Means }} given
   * `changed`: called when the things have changed, and whether those of the list have
   */
  constructor({ map, counts, state, changed, means = MEANS }) {
    this.#map = map;
    this.#counts = counts;
    this.#state = state;
    this.#changed = changed;
    this.#pulse = createPulse({ read: () => this.#read() });
    this.#feed = new Feed({
      means,
      listener: {
        snapshot: (snapshot, target) => {
          this.#known.begin(snapshot, Date.now());
          if (this.#wanted?.target === target) this.#box = this.#wanted.box;
          this.#isListTouched = true;
          void this.#draw();
          void this.#readSources();
        },
        delta: (delta) => {
          this.#known.change(delta, Date.now());
          const ids = [...delta.changed, ...delta.entered, ...delta.left];
          this.#isListTouched ||= ids.some(({ id }) => this.#listed.has(id));
          if (ids.length > 0 || delta.sources) this.#later();
        },
        status: (status) => {
          this.#known.report(status, Date.now());
          this.#later();
        },
        condition: ({ kind }) => {
          this.#showTiles();
          this.#pulse.tick();
          if (kind === "open" || kind === "refused") this.#settle();
        },
      },
    });
    map.on("moveend", () => {
      clearTimeout(this.#rest);
      this.#rest = setTimeout(() => this.look(), REST_MS);
    });
    document.addEventListener("visibilitychange", () => this.#follow());
    if (document.hidden) this.#feed.pause();
    this.look();
  }

  /** Looks at what the map shows now. */
  look() {
    const view = viewOf(this.#map);
    const modes = idsOf("mode").filter((id) => this.#state.kinds.has(id));
    const isNear = this.#map.getZoom() >= NEAR_ZOOM && modes.length > 0;
    const all = modes.length === idsOf("mode").length;
    const wish = all ? "" : `&modes=${modes.join(",")}`;
    const kept = this.#wanted;
    const isKept = kept !== null && holds(kept.box, view) && kept.wish === wish;
    const box = !isNear ? null : isKept ? kept.box : grow(view);
    const target = box && `/v1/nearby/stream?bbox=${toText(box)}${wish}`;
    this.#wanted = box && target ? { box, wish, target } : null;
    this.#feed.watch(target);
    if (this.#wanted === null) {
      this.#settle();
      if (this.#box !== null) {
        this.#box = null;
        this.#known = new Known();
        this.#isListTouched = true;
        void this.#draw();
      }
    }
    this.#showTiles();
    this.#pulse.tick();
  }

  /** A thing of the circle as the stream has it now. @param {Item} item @returns {Item} */
  refresh(item) {
    const live = this.#isCurrent() ? this.#known.items.get(item.id) : undefined;
    if (live === undefined) return item;
    const now = refresh(item, live);
    return now.stale && !now.isOld ? { ...now, stale: false } : now;
  }

  /** A thing of the stream; undefined: it has none of this id. @param {string | null} id @returns {Item | undefined} */
  find(id) {
    const live = id === null ? undefined : this.#known.items.get(id);
    if (live !== undefined) return this.#toThing(live);
    return this.#chosen?.id === id ? (this.#chosen ?? undefined) : undefined;
  }

  /** What the map draws: what is in the circle, and around it what the stream has. @param {Circle} circle @returns {Item[]} */
  merge({ all, shown }) {
    const own = new Set(all.map(({ id }) => id));
    this.#listed = own;
    if (this.#box === null) return this.#withChosen([...shown]);
    this.#renewContext();
    const { items } = this.#known;
    const scope = { box: this.#box, networks: this.#context.networks };
    const isCurrent = this.#isCurrent();
    const kept = shown.filter(
      (item) => !isCurrent || items.has(item.id) || !isCovered(item, scope),
    );
    const others = [...items.values()].flatMap((live) =>
      own.has(live.id) ? [] : [this.#toThing(live)],
    );
    for (const id of this.#made.keys()) if (!items.has(id)) this.#made.delete(id);
    return this.#withChosen([...kept, ...choose(others, this.#state)]);
  }

  /** Of all sources that are seen around the circle: for their credits. */
  sources() {
    return this.#sources;
  }

  /** A thing of each network. @returns {Item[]} */
  samples() {
    /** @type {Map<string, LiveItem>} */
    const first = new Map();
    for (const live of this.#known.items.values())
      if (!first.has(live.network_id)) first.set(live.network_id, live);
    return [...first.values()].map((live) => this.#toThing(live));
  }

  /** What is chosen stays in sight where the stream has left it behind. @param {Item[]} things */
  #withChosen(things) {
    const { selected } = this.#state;
    const found = selected === null ? undefined : things.find(({ id }) => id === selected);
    if (found !== undefined) this.#chosen = found;
    else if (this.#chosen?.id !== selected) this.#chosen = null;
    const isElsewhere = this.#chosen && !(this.#box && has(this.#box, this.#chosen));
    return found === undefined && this.#chosen && isElsewhere ? [...things, this.#chosen] : things;
  }

  #isCurrent() {
    return this.#box !== null && this.#feed.condition.kind === "open";
  }

  /** @param {LiveItem} live @returns {Item} */
  #toThing(live) {
    const made = this.#made.get(live.id);
    if (made?.live === live) return made.thing;
    const thing = made ? renew(made, live, this.#context) : toThing(live, this.#context);
    this.#made.set(live.id, { live, thing });
    return thing;
  }

  /** Names and colours of networks, and the point that distances are measured from. */
  #renewContext() {
    const networks = networksOf(this.#known);
    const text = JSON.stringify([this.#state.at, [...networks]]);
    if (text === this.#contextText) return;
    this.#contextText = text;
    this.#context = { networks, at: this.#state.at };
    this.#made.clear();
  }

  /** Draws soon what has changed. */
  #later() {
    if (this.#timer !== 0 || this.#isDrawing) return;
    const wait_ms = Math.max(0, this.#drawn_ms + DRAW_MS - performance.now());
    this.#timer = setTimeout(() => void this.#draw(), wait_ms);
  }

  async #draw() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    this.#renewContext();
    try {
      await this.#prepare();
    } finally {
      this.#isDrawing = false;
    }
    this.#drawn_ms = performance.now();
    const isListTouched = this.#isListTouched;
    this.#isListTouched = false;
    this.#changed(isListTouched);
    this.#pulse.tick();
  }

  /** Makes the things of what has changed, a piece at a time, so that no frame waits for all of them. */
  async #prepare() {
    let began = performance.now();
    for (const live of this.#known.items.values()) {
      this.#toThing(live);
      if (performance.now() - began < PIECE_MS) continue;
      await pause(FRAME_MS);
      began = performance.now();
    }
  }

  /** Nothing is read while the page is out of sight. */
  #follow() {
    if (document.hidden) this.#feed.pause();
    else this.#feed.resume();
    this.#showTiles();
  }

  #showTiles() {
    const isRefused = this.#feed.condition.kind === "refused";
    const isNear = this.#map.getZoom() >= NEAR_ZOOM;
    const modes = idsOf("mode").some((id) => this.#state.kinds.has(id));
    const none = document.hidden || !modes || (this.#box !== null && !isRefused);
    const without = this.#wanted === null || isRefused;
    // Numbers that are there stay until the things come; before the first things there are none.
    if (!none && isNear && !without) return;
    this.#counts.show(none ? "none" : isNear && without ? "objects" : "counts");
  }

  /** Where things are credited to. */
  async #readSources() {
    const box = this.#box;
    if (box === null) return;
    const ids = [...networksOf(this.#known).keys()].toSorted().join();
    if (ids === this.#sourcesOf) return;
    this.#sourcesOf = ids;
    const at = { lat: (box.south + box.north) / 2, lon: (box.west + box.east) / 2 };
    const reach_m = metresBetween(at, { lat: box.north, lon: box.east });
    const done = await call(askSources(at, Math.ceil(reach_m)));
    if (done.problem !== null) this.#sourcesOf = "";
    else this.#sources = done.body.sources ?? [];
    this.#isListTouched = true;
    this.#later();
  }

  /** What is said of the age of what is seen. @returns {import("../panel/pulse.js").Reading} */
  #read() {
    const { kind, message } = this.#feed.condition;
    const zoom = this.#map.getZoom();
    const none = { kind: /** @type {const} */ ("none"), message, age_s: null, sources: [] };
    if (this.#box === null && kind !== "refused" && kind !== "broken")
      return this.#wanted === null && zoom >= 9 ? { ...none, kind: "numbers" } : none;
    if (kind === "refused") return { ...none, kind: "refused" };
    const view = viewOf(this.#map);
    const seen = new Set();
    for (const { network_id, location } of this.#known.items.values())
      if (!seen.has(network_id) && has(view, location)) seen.add(network_id);
    const now_ms = Date.now();
    const sources = [...this.#known.sources.values()].flatMap((source) => {
      const { network, state, as_of, source_id } = source;
      const isSeen = network !== null && seen.has(network.id);
      if (!isSeen && state !== "lost" && state !== "old") return [];
      const age_s = this.#known.ageOf(as_of, now_ms);
      return [{ name: network?.name ?? source_id, state, age_s, isSeen }];
    });
    const ages = sources.flatMap(({ age_s, isSeen }) => (isSeen && age_s !== null ? [age_s] : []));
    const age_s = ages.length === 0 ? null : Math.max(...ages);
    return { kind: kind === "open" ? "open" : "broken", message, age_s, sources };
  }
}
