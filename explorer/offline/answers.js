/**
 * The last answers of the page, by their question: what is shown while none come, always as old as it is.
 * They are kept by the browser alone (Cache Storage), in a bounded number and size.
 */
import { toTarget } from "../data/api.js";

/**
 * @typedef {import("../data/api.js").Ask} Ask @typedef {import("../data/api.js").Call} Call
 * @typedef {{ pages: Call[], at_ms: number }} Kept `at_ms`: when the service had answered
 * @typedef {Pick<CacheStorage, "open" | "delete">} Stores
 */

const NAME = "vicinity-answers";
/** Answers that are kept, the newest of them: some ten places. */
const MOST = 60;
const MOST_BYTES = 12 * 1024 * 1024;
/** Of one answer with its pages: of a longer one the first pages. */
const ANSWER_BYTES = 2 * 1024 * 1024;
/** Older ones say nothing of today, ms. */
const LONGEST_MS = 14 * 86_400_000;
/** An answer that is asked for every few seconds is written at most so often, ms. */
const PACE_MS = 60_000;

export class Answers {
  #stores;
  #now;
  /** When the answer of a question was last written, ms. @type {Map<string, number>} */
  #written = new Map();

  /** @param {{ stores: Stores, now?: () => number }} given */
  constructor({ stores, now = Date.now }) {
    this.#stores = stores;
    this.#now = now;
  }

  /** Keeps the pages of an answer that has wholly come. @param {Ask} ask @param {readonly Call[]} pages */
  async keep(ask, pages) {
    const key = keyOf(ask);
    const at_ms = this.#now();
    if (at_ms - (this.#written.get(key) ?? -Infinity) < PACE_MS) return;
    if (this.#written.size >= MOST) this.#written.clear();
    this.#written.set(key, at_ms);
    const text = toText(pages);
    if (text === null) return;
    try {
      const store = await this.#stores.open(NAME);
      const headers = { "content-type": "application/json", "x-at": `${at_ms}` };
      const bytes = new TextEncoder().encode(text);
      await store.put(
        key,
        new Response(bytes, { headers: { ...headers, "x-bytes": `${bytes.length}` } }),
      );
      await trim(store);
    } catch {
      // A store that is full or forbidden keeps nothing, and the page needs none.
    }
  }

  /** The last answer to a question; null: none is kept, or it cannot be said how old it is. @param {Ask} ask @returns {Promise<Kept | null>} */
  async find(ask) {
    try {
      const store = await this.#stores.open(NAME);
      const entry = await store.match(keyOf(ask));
      if (entry === undefined) return null;
      const at_ms = Number(entry.headers.get("x-at") ?? Number.NaN);
      const age_ms = this.#now() - at_ms;
      if (!(age_ms >= 0 && age_ms <= LONGEST_MS)) return null;
      const pages = await entry.json();
      if (!Array.isArray(pages) || pages.length === 0 || !pages.every(isCall)) return null;
      return { pages, at_ms };
    } catch {
      return null;
    }
  }

  /** Forgets all of them. */
  async clear() {
    await this.#stores.delete(NAME).catch(() => false);
  }
}

/** No address of the service: nothing answers a request with it. @param {Ask} ask */
function keyOf(ask) {
  return `/kept/${ask.id}?of=${encodeURIComponent(toTarget(ask))}`;
}

/** As many pages as have room; null: not even one has. @param {readonly Call[]} pages */
function toText(pages) {
  for (let n = pages.length; n > 0; n = Math.floor(n / 2)) {
    const text = JSON.stringify(pages.slice(0, n));
    if (text.length <= ANSWER_BYTES) return text;
  }
  return null;
}

/** @param {any} one */
function isCall(one) {
  return (
    typeof one === "object" && one !== null && typeof one.body === "object" && one.body !== null
  );
}

/** The oldest go. @param {Cache} store */
async function trim(store) {
  let bytes = 0;
  const newest_first = (await store.keys()).toReversed();
  for (const [n, key] of newest_first.entries()) {
    const entry = await store.match(key);
    bytes += Number(entry?.headers.get("x-bytes") ?? 0);
    if (n >= MOST || bytes > MOST_BYTES) await store.delete(key);
  }
}
