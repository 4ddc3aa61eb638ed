/**
 * Notices of what becomes free, for as long as the page is open: a few stations by a stream of a small
 * box each, and chargers, of which there is no stream, by a question a minute.
 */
import { call, pause } from "../data/api.js";
import { docksOf } from "../panel/row-facts.js";
import { toServices } from "../data/items.js";
import { toText } from "../live/box.js";
import { Feed } from "../live/feed.js";
import { Known } from "../live/known.js";
import { MEANS } from "../live/means.js";

/**
 * @typedef {import("../data/items.js").Item} Item @typedef {"vehicles" | "docks" | "plugs"} What
 * @typedef {{ item: Item, what: What, end: () => void }} Watch
 */

export const MOST = 5;
/** Half a side of the box of a station, degrees: a few metres, and more than it moves. */
const HALF = 0.0005;
const PACE_MS = 60_000;

/** What one may wait for at a thing: of what is known to be none. @param {Item} item @returns {What[]} */
export function listWaits(item) {
  if (item.layer === "station")
    return [
      ...(item.free === 0 ? [/** @type {const} */ ("vehicles")] : []),
      ...(docksOf(item) === 0 ? [/** @type {const} */ ("docks")] : []),
    ];
  return item.kind === "charging" && item.free === 0 ? ["plugs"] : [];
}

export class Watches {
  #free;
  #lost;
  #means;
  /** By thing and what. @type {Map<string, Watch>} */
  #watches = new Map();

  /**
   * @param {{ free: (item: Item, what: What) => void, lost: (item: Item, message: string) => void, means?: import("../live/run.js").Means }} given
   * `free`: called once; `lost`: the service gives no stream, and the watch has ended
   */
  constructor({ free, lost, means = MEANS }) {
    this.#free = free;
    this.#lost = lost;
    this.#means = means;
  }

  /** @param {Item} item @param {What} what */
  has({ id }, what) {
    return this.#watches.has(`${what} ${id}`);
  }

  /** Begins one; false: there are as many as may be. @param {Item} item @param {What} what */
  begin(item, what) {
    if (this.has(item, what)) return true;
    if (this.#watches.size >= MOST) return false;
    const end = what === "plugs" ? this.#poll(item, what) : this.#stream(item, what);
    this.#watches.set(`${what} ${item.id}`, { item, what, end });
    return true;
  }

  /** @param {Item} item @param {What} what */
  end(item, what) {
    const key = `${what} ${item.id}`;
    this.#watches.get(key)?.end();
    this.#watches.delete(key);
  }

  /** @param {Item} item @param {What} what @param {unknown} n */
  #judge(item, what, n) {
    if (typeof n !== "number" || n <= 0 || !this.has(item, what)) return;
    this.end(item, what);
    this.#free(item, what);
  }

  /** @param {Item} item @param {"vehicles" | "docks"} what */
  #stream(item, what) {
    const known = new Known();
    const look = () => {
      const live = known.items.get(item.id);
      const isOpen = live?.state === "operational" || live?.state === "degraded";
      const action = what === "vehicles" ? live?.pickup : live?.return;
      // Of data that are older than their pace nothing is free.
      const source = [...known.sources.values()].find(
        (one) => one.network?.id === live?.network_id,
      );
      if (isOpen && action !== "unavailable_now" && source?.state === "fresh")
        this.#judge(item, what, live?.[what]);
    };
    const feed = new Feed({
      means: this.#means,
      listener: {
        snapshot(snapshot) {
          known.begin(snapshot, Date.now());
          look();
        },
        delta(delta) {
          known.change(delta, Date.now());
          look();
        },
        status(status) {
          known.report(status, Date.now());
          look();
        },
        condition: ({ kind, message }) => {
          if (kind !== "refused" || !this.has(item, what)) return;
          this.end(item, what);
          this.#lost(item, message);
        },
      },
    });
    const { lat, lon } = item;
    const box = { west: lon - HALF, south: lat - HALF, east: lon + HALF, north: lat + HALF };
    feed.watch(`/v1/nearby/stream?bbox=${toText(box)}&include=stations`);
    return () => feed.watch(null);
  }

  /** @param {Item} item @param {"plugs"} what */
  #poll(item, what) {
    const ending = new AbortController();
    const { id, lat, lon } = item;
    const ask = {
      id: "watch",
      title: "",
      path: `/v1/places/${encodeURIComponent(id)}`,
      query: { lat, lon },
    };
    const read = async () => {
      while (!ending.signal.aborted) {
        const { body } = await call(ask, ending.signal);
        const [now] = toServices({ results: body?.results?.places ?? [] }, new Set());
        if (!ending.signal.aborted && now && !now.isOld) this.#judge(item, what, now.free);
        await pause(PACE_MS);
      }
    };
    void read();
    return () => ending.abort();
  }
}
