/**
 * The things of a stored search, from both of its forms: the brief results of a tool, and the whole
 * dataset, which is a body of GET /v1/nearby. What is unknown is null. Pure.
 */
import { kindOf } from "../page/kinds.js";
import { cut, oneOf } from "./words.js";

/**
 * A thing of the explorer's map with what is known of it here. `of`: its mode, or its type of
 * service. `kind`: things of one kind may share a mark.
 * @typedef {"yes" | "no" | "unknown"} Usable
 * @typedef {import("../data/items.js").Item & { layer: "station" | "vehicle" | "service", of: string,
 *   docks: number | null, battery: number | null, range_m: number | null,
 *   observed_at: string | null, until: string | null, link: unknown, sources: string[],
 *   facts: [string, string][] }} Thing
 * `unplaced`: how many have no position, as the terms of their source may want.
 * @typedef {{ things: Thing[], unplaced: number }} Found
 */

/** Things that are drawn at most: the nearest. */
export const MOST = 2_000;

/** Those that a tool's answer shows. @param {any} answer @returns {Found} */
export function readShown({ results, intent }) {
  return collect(listOf(results), (one) => {
    if (one.kind === "vehicle")
      return toThing(one, "vehicle", { ...one, usable: toUsable(one.pickup), url: one.rental_url });
    if (one.kind === "station")
      return toStation(one, {
        usable: judge(one, intent),
        operator: one.network,
        state: one.state,
      });
    return toService(one, one.sources);
  });
}

/** Those of a dataset. @param {any} body @param {{ intent: string | null, credited: readonly string[] }} about ids of the sources that are credited */
export function readStored({ results }, { intent, credited }) {
  const action = ACTIONS.has(intent ?? "") ? /** @type {string} */ (intent) : "pickup";
  const sourcesOf = (/** @type {unknown[]} */ records) => toSources(records, credited);
  const { stations, vehicles, places } = results ?? {};
  const all = [
    ...listOf(stations).map(
      (one) => () =>
        toStation(one, {
          usable: toUsable(one.action_state?.[action]),
          operator: one.network?.name,
          state: one.service_status?.state,
          sources: sourcesOf(listOf(one.provenance).map((each) => each?.source_id)),
        }),
    ),
    ...listOf(vehicles).map(
      ({ source, ...one }) =>
        () =>
          toThing(source, "vehicle", {
            id: one.source_id,
            brand: source?.brand ?? listOf(one.provenance)[0]?.provider,
            usable: toUsable(source?.action_state?.[action]),
            state: source?.service_status?.state,
            url: source?.rental_uris?.web,
            sources: sourcesOf([one.source_id]),
          }),
    ),
    ...listOf(places).map(
      (one) => () =>
        toService(one, [
          one.source_id,
          ...listOf(one.attributes?.sources).map((each) => each?.source_id),
        ]),
    ),
  ];
  return collect(all, (make) => make());
}

const ACTIONS = new Set(["pickup", "return", "park", "charge", "reserve"]);

/** @param {unknown} value @returns {any[]} */
function listOf(value) {
  return Array.isArray(value) ? value.filter((one) => one !== null && one !== undefined) : [];
}

/** The way on foot, as a result of a tool or of a search has it; null: not known. @param {any} raw @returns {Thing["walk"]} */
function toWalk({ walk, walk_minutes, walk_meters }) {
  const minutes = numberOf(walk_minutes);
  const seconds = minutes === null ? numberOf(walk?.seconds) : minutes * 60;
  const meters = numberOf(walk_meters) ?? numberOf(walk?.meters);
  return seconds === null || meters === null ? null : { meters, seconds, step_free: null };
}

/** As lists of ways are: by time on foot, unknown ones last. @param {Thing["walk"]} a @param {Thing["walk"]} b */
function compareWays(a, b) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a.seconds - b.seconds;
}

/** Nearest first, on foot where that is known. @template T @param {readonly T[]} list @param {(one: T) => Thing | null} read @returns {Found} */
function collect(list, read) {
  const things = list.flatMap((one) => read(one) ?? []);
  const sorted = things.toSorted(
    (a, b) => compareWays(a.walk, b.walk) || a.distance - b.distance || (a.id < b.id ? -1 : 1),
  );
  return { things: sorted.slice(0, MOST), unplaced: list.length - things.length };
}

/** null: it has no position. @param {any} raw @param {Thing["layer"]} layer @param {any} more @returns {Thing | null} */
function toThing(raw, layer, more) {
  const { lat, lon } = raw?.location ?? {};
  const distance = numberOf(raw?.distance_meters);
  const id = more.id ?? raw?.id;
  if (!isDegrees(lat, 90) || !isDegrees(lon, 180) || distance === null || typeof id !== "string")
    return null;
  const of = cut(more.of ?? raw.mode) || "other";
  const { icon, color } = kindOf(of);
  const usable = more.usable ?? "unknown";
  return {
    ...{
      id,
      layer,
      of,
      kind: usable === "unknown" ? `${of}?` : of,
      icon,
      color,
      lat,
      lon,
      distance,
    },
    name: cut(raw.name) || oneOf(of),
    operator: cut(more.operator ?? more.brand) || null,
    usable,
    state: cut(more.state) || "unknown",
    ...{ free: more.free ?? null, total: more.total ?? null, docks: more.docks ?? null },
    ...{ battery: numberOf(raw.battery), range_m: numberOf(raw.range_m) },
    observed_at: more.observed_at ?? null,
    until: more.until ?? null,
    link: more.url ?? null,
    sources: listOf(more.sources).filter((source) => typeof source === "string"),
    facts: more.facts ?? [],
    ...{ onMap: true, stale: false, isOld: false, badge: null, sub: "", source: null, raw: null },
    ...{ walk: toWalk(raw), walk_reason: null },
  };
}

/** @param {any} raw @param {any} more */
function toStation(raw, more) {
  const { vehicles, docks, last_reported, observed_at } = raw.availability ?? {};
  const free = numberOf(vehicles);
  const empty = numberOf(docks);
  const capacity = numberOf(raw.capacity);
  const sum = free === null || empty === null ? null : free + empty;
  return toThing(raw, "station", {
    ...{ free, docks: empty, total: capacity || sum, url: raw.rental_uris?.web },
    sources: raw.sources,
    observed_at: timeOf(last_reported) ?? timeOf(observed_at),
    ...more,
  });
}

/** @param {any} raw @param {unknown[]} sources */
function toService(raw, sources) {
  const { usable, charging, ...attributes } = raw.attributes ?? {};
  const { state, until } = usable ?? {};
  return toThing(raw, "service", {
    of: raw.service_type,
    usable: state === "open" ? "yes" : state === "closed" ? "no" : "unknown",
    state,
    until: timeOf(until),
    operator: attributes.operator,
    free: numberOf(charging?.available_count),
    total: numberOf(charging?.connector_count),
    sources,
    facts: FACTS.flatMap((name) => {
      const value = attributes[name];
      const text = typeof value === "boolean" ? (value ? "yes" : "no") : cut(value);
      return text === "" ? [] : [[name, text]];
    }),
  });
}

/** Attributes of a service that are shown, where they are plain. */
const FACTS = ["address", "opening_hours", "access", "fee", "wheelchair"];

/** @param {unknown} state of an action @returns {Usable} */
function toUsable(state) {
  return state === "available_now" ? "yes" : state === "unavailable_now" ? "no" : "unknown";
}

/** A station of a brief answer, which has counts in place of the states of actions. @param {any} station @param {unknown} intent @returns {Usable} */
function judge({ availability }, intent) {
  const { vehicles, docks, is_renting, is_returning } = availability ?? {};
  const [count, open] = intent === "return" ? [docks, is_returning] : [vehicles, is_renting];
  if (open === false || count === 0) return "no";
  return typeof count === "number" ? "yes" : "unknown";
}

/** Ids of the sources of records, whose own ids begin with them; the longest that fits. @param {readonly unknown[]} records @param {readonly string[]} credited */
function toSources(records, credited) {
  const byLength = credited.toSorted((a, b) => b.length - a.length);
  const known = records.flatMap((record) => {
    if (typeof record !== "string") return [];
    const end = record.lastIndexOf(":");
    return byLength.find((id) => record.startsWith(`${id}:`)) ?? record.slice(0, Math.max(0, end));
  });
  return [...new Set(known.filter((id) => id !== ""))];
}

/** @param {unknown} value */
function numberOf(value) {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

/** @param {unknown} value @param {number} most */
function isDegrees(value, most) {
  return typeof value === "number" && Math.abs(value) <= most;
}

/** @param {unknown} value */
function timeOf(value) {
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : null;
}
