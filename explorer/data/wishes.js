/** What can be used now, what a user wants to see, and the order in which it is listed. */
import { KINDS } from "../page/kinds.js";
import { powerOf } from "../panel/row-facts.js";

/** @typedef {import("./items.js").Item} Item @typedef {import("../page/state.js").State} State */

/** What a fast charger has at least. */
const FAST_KW = 50;

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

/**
 * Whether a wish lets a thing pass: what is known not to meet it is left out, what is not known stays.
 * @type {Readonly<Record<import("../page/state.js").Wish, (item: Item) => boolean>>}
 */
const MEETS = {
  usable: ({ usable }) => usable !== "no",
  electric: ({ layer, raw }) =>
    layer === "station"
      ? raw.availability?.electric !== 0
      : layer !== "vehicle" || raw.source.vehicle_type?.propulsion !== "human",
  wheelchair: ({ layer, raw }) =>
    (layer === "service" ? raw.attributes : raw.accessibility)?.wheelchair !== "no",
  docks: ({ layer, raw }) => layer !== "station" || raw.availability?.docks !== 0,
  fast: (item) => item.kind !== "charging" || (powerOf(item) ?? FAST_KW) >= FAST_KW,
  free: ({ raw }) => raw.attributes?.fee !== "yes" && raw.attributes?.fee !== true,
};

/** Those that meet all wishes. @param {readonly Item[]} items @param {State} state */
export function choose(items, { wishes, operator }) {
  const tests = [...wishes].map((wish) => MEETS[wish]);
  return items.filter(
    (item) =>
      tests.every((meets) => meets(item)) && (operator === null || item.operator === operator),
  );
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

/** Groups by kind, in an order that does not change while things come and go, and in each what can be used first. @param {readonly Item[]} items nearest first @returns {Group[]} */
export function toGroups(items) {
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
