/** What is known of a box: the snapshot, and what the deltas since have changed. */

/** @typedef {import("./drawing.js").Item} Item */
/** @typedef {{ source_id: string, network: { id: string, name: string } | null, state: string, as_of: string | null }} Source */

export class Live {
  /** By id. @type {Map<string, Item>} */
  items = new Map();
  #sources = /** @type {Map<string, Source>} */ (new Map());
  /** Ids since the last `drain`; null: all. */
  #changed = /** @type {Set<string> | null} */ (null);
  /** Of the service, and when it came, on the clock of the page. */
  #at_ms = NaN;
  #came_ms = 0;

  /** Whether a snapshot has come. */
  get known() {
    return this.#at_ms > 0;
  }

  /** @param {string} event @param {any} data */
  take(event, data) {
    if (event === "snapshot") {
      this.items = new Map(data.items.map((/** @type {Item} */ item) => [item.id, item]));
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

  /** All is to be drawn again. */
  renew() {
    this.#changed = null;
  }

  /** What has changed since it was last called. @returns {{ whole: boolean, items: Item[], gone: string[] }} */
  drain() {
    const changed = this.#changed;
    this.#changed = new Set();
    if (!changed) return { whole: true, items: [...this.items.values()], gone: [] };
    const items = [...changed].flatMap((id) => this.items.get(id) ?? []);
    return { whole: false, items, gone: [...changed].filter((id) => !this.items.has(id)) };
  }

  /** The names of those whose things may be here. */
  get networks() {
    return [...new Set([...this.#sources.values()].flatMap(({ network }) => network?.name ?? []))];
  }

  /** Seconds since the oldest document, of one network or of all; null: unknown. @param {string} [network_id] */
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

/** The nearest first, with their distance. @param {Iterable<Item>} items @param {{ lat: number, lon: number }} at @param {number} most @returns {{ item: Item, away_m: number }[]} */
export function nearestTo(items, at, most) {
  const shrink = Math.cos((at.lat * Math.PI) / 180);
  return [...items]
    .map((item) => {
      const { lat, lon } = item.location;
      // Over the antimeridian as well.
      const east = ((((lon - at.lon + 180) % 360) + 360) % 360) - 180;
      return { item, away_m: Math.hypot(lat - at.lat, east * shrink) * 111_195 };
    })
    .sort((a, b) => a.away_m - b.away_m)
    .slice(0, most);
}
