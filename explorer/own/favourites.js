/**
 * The places and things that the visitor has saved. They are in the storage of the browser alone, few and
 * short. A storage that is full or forbidden keeps them as long as the page; one that is damaged is empty.
 */

/**
 * @typedef {{ id: string, role: "home" | "work" | null, name: string, lat: number, lon: number, thing: Thing | null }} Favourite
 * `name`: as the visitor calls it; empty: by its role
 * @typedef {{ id: string, layer: "station" | "service" | "transit", kind: string }} Thing
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store
 */

/** As page/first.js has it. */
const KEY = "vicinity-own";
/** Favourites at most, and characters of a name, an id and all of them as text. */
export const MOST = 12;
export const NAME_MOST = 60;
const ID_MOST = 200;
const TEXT_MOST = 20_000;
const LAYERS = new Set(["station", "service", "transit"]);

export class Favourites {
  #openStore;
  #changed;
  /** @type {Favourite[]} */
  #list = [];
  /** What was read or written last. @type {string | null} */
  #text = null;
  /** The browser keeps what was changed last. */
  isKept = true;

  /** @param {{ openStore: () => Store, changed?: () => void }} given `openStore`: throws where storage is forbidden */
  constructor({ openStore, changed = () => {} }) {
    this.#openStore = openStore;
    this.#changed = changed;
    this.#read();
  }

  /** @returns {readonly Favourite[]} */
  list() {
    return this.#list;
  }

  /** @param {string} thing id of a station, service or stop */
  findThing(thing) {
    return this.#list.find((one) => one.thing?.id === thing) ?? null;
  }

  /** Adds one; a role is had by one alone. Returns false where there are as many as may be. @param {Omit<Favourite, "id">} given */
  add(given) {
    this.#read();
    const others = this.#list.filter(({ role }) => role === null || role !== given.role);
    if (others.length >= MOST) return false;
    const id = String(1 + Math.max(0, ...this.#list.map((one) => Number(one.id))));
    const favourite = toFavourite({ ...given, id });
    if (favourite === null) return false;
    // Home and work come first, as they are looked at most.
    const list = [...others, favourite];
    this.#write(list.toSorted((a, b) => rankOf(a) - rankOf(b)));
    return true;
  }

  /** @param {string} id */
  remove(id) {
    this.#read();
    this.#write(this.#list.filter((one) => one.id !== id));
  }

  /** @param {string} id @param {string} name */
  rename(id, name) {
    this.#read();
    this.#write(this.#list.map((one) => (one.id === id ? { ...one, name: cut(name) } : one)));
  }

  /** Another page of the same browser may have changed them. */
  follow() {
    const before = this.#text;
    this.#read();
    if (before !== this.#text) this.#changed();
  }

  #read() {
    // What could not be written is newer than what is stored.
    if (!this.isKept) return;
    let text = null;
    try {
      text = this.#openStore().getItem(KEY);
    } catch {
      this.isKept = false;
      return;
    }
    if (text === this.#text) return;
    this.#text = text;
    this.#list = toList(text);
  }

  /** @param {Favourite[]} list */
  #write(list) {
    this.#list = list;
    try {
      const store = this.#openStore();
      const text = JSON.stringify({ version: 1, list });
      if (list.length === 0) store.removeItem(KEY);
      else store.setItem(KEY, text);
      this.#text = list.length === 0 ? null : text;
      this.isKept = true;
    } catch {
      this.isKept = false;
    }
    this.#changed();
  }
}

/** @param {Favourite} favourite */
function rankOf({ role }) {
  return role === "home" ? 0 : role === "work" ? 1 : 2;
}

/** What of a text is sound. @param {string | null} text @returns {Favourite[]} */
function toList(text) {
  if (text === null || text.length > TEXT_MOST) return [];
  try {
    const { list } = JSON.parse(text) ?? {};
    if (!Array.isArray(list)) return [];
    const sound = list.slice(0, MOST).map(toFavourite);
    const known = sound.filter((one) => one !== null);
    return [...new Map(known.map((one) => [one.id, one])).values()];
  } catch {
    return [];
  }
}

/** @param {any} given @returns {Favourite | null} */
function toFavourite(given) {
  const { id, role = null, name, lat, lon, thing = null } = given ?? {};
  if (typeof id !== "string" || !/^\d{1,9}$/.test(id) || typeof name !== "string") return null;
  if (!isWithin(lat, 90) || !isWithin(lon, 180)) return null;
  const known = thing === null ? null : toThing(thing);
  if (thing !== null && known === null) return null;
  return {
    ...{ id, name: cut(name), lat, lon, thing: known },
    role: known === null && (role === "home" || role === "work") ? role : null,
  };
}

/** @param {any} given @returns {Thing | null} */
function toThing({ id, layer, kind }) {
  const isText = (/** @type {unknown} */ one) =>
    typeof one === "string" && one !== "" && one.length <= ID_MOST;
  return isText(id) && LAYERS.has(layer) && isText(kind) ? { id, layer, kind } : null;
}

/** @param {unknown} degrees @param {number} most */
function isWithin(degrees, most) {
  return typeof degrees === "number" && Math.abs(degrees) <= most;
}

/** No half of a character is left at its end. @param {string} name */
function cut(name) {
  return name
    .trim()
    .slice(0, NAME_MOST)
    .toWellFormed()
    .replace(/\uFFFD$/, "");
}
