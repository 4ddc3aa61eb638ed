/** What can be used now, what a user wants to see, and the order in which it is listed. */
import { KINDS } from "../page/kinds.js";
import { inChosenOrder, docksOf, powerOf } from "../panel/row-facts.js";

/** @typedef {import("./items.js").Item} Item @typedef {import("../page/state.js").State} State */

/** What a fast charger has at least. */
const FAST_KW = 50;
/** What leaves soon does so within this time. */
const SOON_MS = 600_000;

const NO = new Set(["closed", "unavailable", "maintenance", "removed", "planned"]);

/**
 * Whether a thing can be used this moment, as far as its sources say: of what data say that are older than
 * their pace it is not known. @param {Pick<Item, "layer" | "state" | "free" | "total" | "isOld">} item @returns {"yes" | "no" | "unknown"}
 */
export function usableOf(item) {
  const usable = reportedUse(item);
  return usable === "yes" && item.isOld ? "unknown" : usable;
}

/** @param {Pick<Item, "layer" | "state" | "free" | "total">} item @returns {"yes" | "no" | "unknown"} */
function reportedUse({ layer, state, free, total }) {
  if (NO.has(state)) return "no";
  if (layer === "transit") return "yes";
  if (layer === "station") return free === null ? "unknown" : free > 0 ? "yes" : "no";
  if (layer === "vehicle") return state === "operational" ? "yes" : "unknown";
  if (total !== null && free === 0) return "no";
  return state === "open" ? "yes" : "unknown";
}

const isOneOf = (/** @type {unknown} */ value, /** @type {readonly unknown[]} */ values) =>
  values.includes(value);

/** @param {boolean} isKnown @param {boolean} fits @returns {Fits} */
const judged = (isKnown, fits) => (fits ? "yes" : isKnown ? "no" : "unknown");

/** @typedef {"yes" | "no" | "unknown"} Fits */

const MUSCLE_OR_FUEL = ["human", "combustion", "combustion_diesel"];

/** Whether a car park is free of charge by its features, as the server judges it. @param {any} features @returns {Fits} */
function feeOf(features) {
  const priced = (Array.isArray(features) ? features.map(String) : []).filter((one) =>
    /^(free|paid)_/.test(one),
  );
  const free = priced.filter((one) => one.startsWith("free_")).length;
  return judged(priced.length > 0 && free === 0, priced.length > 0 && free === priced.length);
}

/**
 * Whether a thing meets a wish, by the rules of the server's filters; things of which a wish says
 * nothing meet it.
 * @type {Readonly<Record<import("../page/state.js").Wish, (item: Item) => Fits>>}
 */
const MEETS = {
  usable: ({ usable }) => usable,
  electric({ layer, raw }) {
    if (layer === "station") {
      const electric = raw.availability?.electric ?? null;
      return judged(electric !== null, electric > 0);
    }
    if (layer !== "vehicle") return "yes";
    const propulsion = raw.source.vehicle_type?.propulsion;
    if (propulsion === undefined) return "unknown";
    return isOneOf(propulsion, MUSCLE_OR_FUEL) ? "no" : "yes";
  },
  wheelchair({ layer, raw }) {
    if (layer !== "service" && layer !== "transit") return "yes";
    const said = (layer === "service" ? raw.attributes : raw.accessibility)?.wheelchair;
    return judged(isOneOf(said, ["no", "limited"]), said === "yes");
  },
  free({ layer, raw }) {
    if (layer !== "service") return "yes";
    const { fee, parking } = raw.attributes ?? {};
    if (fee === undefined || fee === null) return feeOf(parking?.features);
    return judged(isOneOf(fee, ["yes", true]), isOneOf(fee, ["no", false]));
  },
  docks(item) {
    if (item.layer !== "station") return "yes";
    const docks = docksOf(item);
    return judged(docks !== null, docks !== null && docks > 0);
  },
  fast(item) {
    if (item.kind !== "charging") return "yes";
    const power = powerOf(item);
    return judged(power !== null, power !== null && power >= FAST_KW);
  },
  soon({ layer, departure = null }) {
    if (layer !== "transit") return "yes";
    return judged(departure !== null, Number(departure?.at_ms) - Date.now() <= SOON_MS);
  },
};

/** Those that meet all wishes, or may: what is known not to meet one is left out. @param {readonly Item[]} items @param {State} state */
export function choose(items, { wishes, operator }) {
  const tests = [...wishes].map((wish) => MEETS[wish]);
  return items.filter(
    (item) =>
      tests.every((meets) => meets(item) !== "no") &&
      (operator === null || item.operator === operator),
  );
}

/** Wishes of which it is not known whether a thing meets them. @param {Item} item @param {State["wishes"]} wishes */
export function doubtsOf(item, wishes) {
  return [...wishes].filter((wish) => MEETS[wish](item) === "unknown");
}

/** Operators of vehicles and stations, those with the most first. @param {readonly Item[]} items @returns {string[]} */
export function operatorsOf(items) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { operator } of items)
    if (operator) counts.set(operator, (counts.get(operator) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([name]) => name);
}

/**
 * @typedef {{ kind: string | null, items: Item[], usable: number }} Group `kind`: null for all in one
 */

/**
 * Groups by kind, in an order that does not change while things come and go, and in each what can be used
 * first; by another order all in one. @param {readonly Item[]} items nearest first @param {State["sort"]} [sort] @returns {Group[]}
 */
export function toGroups(items, sort = "kind") {
  if (sort !== "kind") return [{ kind: null, items: inChosenOrder(items, sort), usable: 0 }];
  /** @type {Map<string, Item[]>} */
  const kinds = new Map(KINDS.map(({ id }) => [id, []]));
  for (const item of items) {
    const of = kinds.get(item.kind);
    if (of) of.push(item);
    else kinds.set(item.kind, [item]);
  }
  return [...kinds]
    .filter(([, of]) => of.length > 0)
    .map(([kind, of]) => ({
      kind,
      items: of.toSorted((a, b) => rankOf(a) - rankOf(b)),
      usable: of.filter(({ usable }) => usable === "yes").length,
    }));
}

/** @param {Item} item */
function rankOf({ usable }) {
  return usable === "no" ? 1 : 0;
}
