/** Asks what is there now at the visitor's places, a few of them, while the page is in sight. */
import { call } from "../data/api.js";
import { askNow, readNow } from "./now.js";

/**
 * @typedef {import("./favourites.js").Favourite} Favourite @typedef {import("./now.js").Now} Now
 * `kept_at_ms`: it is of an earlier visit or reading, since none comes now
 * @typedef {{ now: Now, kept_at_ms: number | null }} Known
 */

/** Places that are asked for: those that are seen without a scroll. */
const ASKED_MOST = 6;
const PACE_MS = 120_000;
/** Sources that a question has woken answer the next one. */
const SOON_MS = 3_000;

export class PlacesNow {
  #last;
  #list;
  #changed;
  #timer = 0;
  #asked_ms = -Infinity;
  #isSoon = false;
  /** @type {Map<string, Known>} */
  #known = new Map();

  /**
   * @param {{ list: () => readonly Favourite[], changed: () => void, last: import("../offline/last-answers.js").LastAnswers }} given
   */
  constructor({ list, changed, last }) {
    this.#list = list;
    this.#changed = changed;
    this.#last = last;
    document.addEventListener("visibilitychange", () => void this.#follow());
    addEventListener("online", () => void this.ask());
  }

  /** null: nothing is known yet. @param {string} id */
  find(id) {
    return this.#known.get(id) ?? null;
  }

  async ask() {
    clearTimeout(this.#timer);
    this.#asked_ms = performance.now();
    await Promise.all(
      this.#list()
        .slice(0, ASKED_MOST)
        .map((one) => this.#askOne(one)),
    );
    const isWaiting = [...this.#known.values()].some(({ now }) => now.state === "waiting");
    const wait_ms = isWaiting && !this.#isSoon ? SOON_MS : PACE_MS;
    this.#isSoon = isWaiting;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#follow(), wait_ms);
  }

  async #follow() {
    const isDue = this.#isSoon || performance.now() - this.#asked_ms >= PACE_MS;
    if (!document.hidden && navigator.onLine && isDue) await this.ask();
  }

  /** @param {Favourite} favourite */
  async #askOne(favourite) {
    const ask = askNow(favourite);
    if (ask === null) return;
    const done = await call(ask);
    if (done.problem === null) void this.#last.keep(ask, [done]);
    const kept = done.problem === null ? null : await this.#last.find(ask, done);
    const [page = done] = kept?.pages ?? [];
    const kept_at_ms = kept?.at_ms ?? null;
    this.#known.set(favourite.id, { now: readNow(favourite, page), kept_at_ms });
    this.#changed();
  }
}
