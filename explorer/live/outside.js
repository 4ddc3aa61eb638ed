/** The chosen thing where it is not of the circle: its details are asked for around itself. */
import { call } from "../data/api.js";
import { askNearby } from "../data/asks.js";
import { toMobility } from "../data/items.js";
import { metresBetween } from "../map/geometry.js";

/** @typedef {import("../data/items.js").Item} Item */

/** Metres around a thing in which it may have moved meanwhile. */
const REACH_M = 30;
/** It is read again no sooner than this after it has changed, ms. */
const AGAIN_MS = 10_000;

export class Outside {
  #state;
  #found;
  /** @type {Item | null} */
  #item = null;
  #read_ms = -Infinity;
  #pending = new AbortController();

  /** @param {{ state: import("../page/state.js").State, found: () => void }} given `found`: called when more is known of it */
  constructor({ state, found }) {
    this.#state = state;
    this.#found = found;
  }

  /** Asks for all that is known of a thing of the stream. @param {Item} item */
  async read(item) {
    this.#pending.abort();
    this.#pending = new AbortController();
    if (this.#item?.id !== item.id) this.#item = item;
    this.#read_ms = performance.now();
    const modes = new Set([item.kind]);
    const about = { ...this.#state, at: item, radius: REACH_M, minutes: null, kinds: modes };
    const ask = askNearby(about);
    if (ask === null) return;
    const done = await call(ask, this.#pending.signal);
    if (done.problem !== null || this.#state.selected !== item.id) return;
    const found = toMobility(done.body, new Map()).find(({ id }) => id === item.id);
    if (found === undefined) return;
    const { badge } = item;
    this.#item = { ...found, badge, walk: null, walk_reason: null, outside: true };
    this.#found();
  }

  /** The thing as it is known now; undefined: it is another one. @param {string | null} id @param {import("./live.js").Live | null} live @returns {Item | undefined} */
  find(id, live) {
    if (this.#item === null || id === null || this.#item.id !== id) return live?.find(id);
    const { at } = this.#state;
    const before = this.#item;
    const now = live?.refresh(before) ?? before;
    const isNew = now !== before && performance.now() - this.#read_ms > AGAIN_MS;
    if (isNew) void this.read(now);
    return at === null ? now : { ...now, distance: metresBetween(at, now) };
  }
}
