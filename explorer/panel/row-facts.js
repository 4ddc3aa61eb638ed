/** What decides between things of one kind, as their rows say it, and by which they are ordered. */
import { clockOf, count, openWords, percent } from "../page/format.js";
import { t } from "../page/texts.js";

/** @typedef {import("../data/items.js").Item} Item */

/** Kinds of places that have hours, as a rule. */
const WITH_HOURS = new Set(["toilets", "aed", "parking", "charging", "locker"]);
/** Types of connectors that a row names. */
const CONNECTORS = 2;

/** Battery of a vehicle in percent; null: not known. @param {Item} item */
export function batteryOf({ layer, raw }) {
  const battery = layer === "vehicle" ? raw.source?.battery : null;
  return typeof battery === "number" ? battery : null;
}

/** Free docks of a station; null: not known. @param {Item} item */
export function docksOf({ layer, raw }) {
  const docks = layer === "station" ? raw.availability?.docks : null;
  return typeof docks === "number" ? docks : null;
}

/** Kilowatts of the strongest connector; null: not known. @param {Item} item */
export function powerOf({ kind, raw }) {
  if (kind !== "charging") return null;
  const all = (raw.attributes?.charging?.connectors ?? []).map(
    (/** @type {any} */ one) => one.max_kw,
  );
  const known = all.filter((/** @type {unknown} */ kw) => typeof kw === "number");
  return known.length === 0 ? null : Math.max(...known);
}

/** Short facts behind the name of a kind or an operator, the most decisive one first. @param {Item} item @returns {string[]} */
export function factsOf(item) {
  const { layer, kind, raw } = item;
  if (layer === "station") {
    const docks = docksOf(item);
    return docks === null ? [] : [t("row.docks", { n: count(docks) })];
  }
  if (layer !== "service") return [];
  const { wheelchair } = raw.attributes ?? {};
  return [
    ...(kind === "charging" ? connectorsOf(raw.attributes?.charging) : []),
    ...(WITH_HOURS.has(kind) && openWords(raw.attributes) === null ? [t("row.hours")] : []),
    ...(wheelchair === "yes" || wheelchair === "no" || wheelchair === "limited"
      ? [t(`row.wheelchair.${wheelchair}`)]
      : []),
  ];
}

/** Each type once with its greatest power, the strongest first. @param {any} charging @returns {string[]} */
function connectorsOf(charging) {
  /** @type {Map<string, number>} */
  const most = new Map();
  for (const { type, max_kw } of charging?.connectors ?? [])
    if (typeof type === "string" && type !== "Other")
      most.set(type, Math.max(most.get(type) ?? 0, typeof max_kw === "number" ? max_kw : 0));
  return [...most]
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, CONNECTORS)
    .map(([name, kw]) => (kw > 0 ? t("conn.power", { name, kw }) : name));
}

/** The battery as a row shows it; null: not known. @param {Item} item */
export function batteryWords(item) {
  const battery = batteryOf(item);
  return battery === null ? null : percent(battery / 100);
}

/** Minutes to the next departure of a stop, and in full when it is and whether that is live; null: not known. @param {Item} item @param {number} [now_ms] */
export function departureWords({ departure = null }, now_ms = Date.now()) {
  if (departure === null) return null;
  const n = Math.floor((departure.at_ms - now_ms) / 60_000);
  const text = n <= 0 ? t("row.departure.now") : t("walk", { n });
  const time = clockOf(departure.time);
  const { isLive } = departure;
  return { text, isLive, full: t(`row.departure.${isLive ? "live" : "planned"}`, { time }) };
}

/** By what things can be ordered besides nearness: what is greater goes first, what is not known last. */
const VALUES = {
  battery: batteryOf,
  docks: docksOf,
  vehicles: (/** @type {Item} */ { layer, free }) => (layer === "station" ? free : null),
  power: powerOf,
  departure: (/** @type {Item} */ { departure }) => (departure ? -departure.at_ms : null),
};

/** In the order of a choice; equals stay as they are, the nearest first. @param {readonly Item[]} items @param {string} sort @returns {Item[]} */
export function inChosenOrder(items, sort) {
  const valueOf = VALUES[/** @type {keyof typeof VALUES} */ (sort)];
  if (valueOf === undefined) return [...items];
  // Each is looked at once.
  const values = new Map(items.map((item) => [item, valueOf(item) ?? -Infinity]));
  return items.toSorted((a, b) => {
    const [first = -Infinity, second = -Infinity] = [values.get(a), values.get(b)];
    return first === second ? 0 : second > first ? 1 : -1;
  });
}
