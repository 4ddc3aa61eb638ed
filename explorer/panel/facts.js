/** Facts of a station, a vehicle, a place or a stop, each laid out for its kind. */
import { shareOf } from "../map/looks.js";
import { h } from "../page/dom.js";
import { ageOf, capital, count, distance, withCommas, percent, words } from "../page/format.js";
import { hasText, t } from "../page/texts.js";
import { routeColors } from "./colors.js";
import { isolate, nameOf, namesOf } from "./names.js";
import { toPlace } from "./places.js";
import { always, ifKnown, listOf, named, toTable, wordOf } from "./values.js";
import { toStationPrices, toVehiclePrice } from "./prices.js";
import { toZones } from "./zones.js";

/** @typedef {import("../data/items.js").Item} Item */

/** @param {Item} item @param {readonly any[]} sources of /v1/sources */
export function toFacts(item, sources) {
  return FACTS[item.layer](item.raw, item, sources);
}

/** @type {Record<Item["layer"], (raw: any, item: Item, sources: readonly any[]) => any[]>} */
const FACTS = {
  station: (raw, item, sources) => [
    toNumbers(raw),
    h("div", { class: "gauge wide", style: { "--share": `${Math.round(shareOf(item) * 100)}%` } }),
    h("p", { class: "quiet" }, toReport(raw, sources)),
    toStates(raw, ["pickup", "return", "reserve", "charge"], "station"),
    toTable([
      ifKnown("attr.vehicles", toTypes(raw.availability?.by_type)),
      ifKnown("attr.vehicle_types", toTypes(raw.vehicle_types)),
      raw.availability?.disabled_vehicles > 0
        ? [t("attr.disabled"), count(raw.availability.disabled_vehicles)]
        : null,
      ifKnown("attr.pricing_plan", toStationPrices(item.prices)),
      ifKnown("attr.hours", hoursOf(raw.opening_hours)),
      ifKnown("attr.address", named(raw.address)),
      ifKnown("attr.network", named(raw.network?.name)),
    ]),
  ],
  vehicle: (raw, { zones, prices }, sources) => [
    toBattery(raw.source),
    toStates(raw.source, ["pickup", "reserve"], "vehicle"),
    toTable([
      ifKnown("attr.vehicle_type", toTypes([raw.source.vehicle_type ?? {}])),
      always("attr.brand", named(raw.source.brand)),
      ifKnown("attr.pricing_plan", toVehiclePrice(prices, raw.source.pricing_plan_id)),
      ifKnown("attr.network", named(nameOf(raw.network_id, sources))),
    ]),
    toZones(zones ?? null),
  ],
  service: (raw, _, sources) => toPlace(raw, sources),
  transit: (raw) => [
    h("ul", { class: "routes", "aria-label": t("attr.lines") }, raw.routes.map(toLine)),
    toTable([
      ifKnown(
        "attr.operators",
        raw.operators.map((/** @type {any} */ one) => h("div", {}, h("bdi", {}, one.name))),
      ),
      always("attr.wheelchair", wordOf("wheelchair", raw.accessibility?.wheelchair)),
    ]),
  ],
};

/** The modes of a stop, each once. @param {any} raw */
export function modesOf({ modes }) {
  return capital(listOf([...new Set(/** @type {string[]} */ (modes).map(words))]));
}

/** @param {any} raw */
function toNumbers({ availability = {}, capacity }) {
  const { vehicles, docks, electric } = availability;
  const tile = (/** @type {string} */ key, /** @type {unknown} */ value) => {
    const isKnown = typeof value === "number";
    const figure = isKnown ? count(value) : t("attr.unknown");
    return h(
      "div",
      {},
      h("strong", { class: isKnown ? null : "unknown" }, figure),
      h("span", {}, t(key)),
    );
  };
  return h(
    "div",
    { class: "numbers" },
    tile("attr.vehicles", vehicles),
    tile("attr.docks", docks),
    tile("attr.electric", electric),
    tile("attr.capacity", capacity),
  );
}

/** When the counts were reported, and by which source. @param {any} raw @param {readonly any[]} sources */
function toReport({ availability = {}, provenance = [], network }, sources) {
  const from = provenance.find((/** @type {any} */ one) => one.fields?.includes("availability"));
  const name = namesOf(provenance, sources).get(from?.source_id) ?? network?.name ?? "";
  const source = isolate(name);
  const { last_reported, observed_at } = availability;
  if (last_reported) return t("detail.reported", { age: ageOf(last_reported), source });
  if (observed_at) return t("detail.read", { age: ageOf(observed_at), source });
  return t("detail.unreported");
}

/** What can be done now, as far as its source says. @param {any} raw @param {readonly string[]} actions @param {string} layer */
function toStates({ action_state, capabilities, service_status }, actions, layer) {
  const state = service_status?.state ?? "unknown";
  const said = state === "operational" ? [] : [toState("no", t("detail.state"), words(state))];
  const possible = actions.flatMap((action) => {
    const is = action_state?.[action];
    if (is === undefined || capabilities?.[action] === false) return [];
    const key = `attr.can.${layer}.${action}.${is}`;
    if (!hasText(key)) return [];
    return [toState(is === "available_now" ? "yes" : "no", null, t(key))];
  });
  const all = [...said, ...possible];
  return all.length === 0 ? null : h("ul", { class: "states" }, all);
}

/** @param {"yes" | "no"} kind @param {string | null} name @param {string} text */
function toState(kind, name, text) {
  return h("li", { class: kind }, name === null ? capital(text) : `${name}: ${text}`);
}

/** Kinds of vehicle, of a station with how many there are now. @param {any[] | undefined} types */
function toTypes(types) {
  const rows = (types ?? []).flatMap(({ form_factor, propulsion, name, count: number }) => {
    const parts = [wordOf("form", form_factor), wordOf("propulsion", propulsion)].filter(
      (word) => word !== null,
    );
    const kind = capital(withCommas(parts));
    const known = number === undefined ? kind : `${count(number)} · ${kind || t("attr.unknown")}`;
    if (!name) return known === "" ? [] : h("div", {}, known);
    return h("div", {}, h("bdi", {}, name), known === "" ? null : ` · ${known}`);
  });
  return rows.length === 0 ? null : rows;
}

/** @param {unknown} hours */
function hoursOf(hours) {
  return hours === "24/7" ? t("attr.hours.always") : named(hours);
}

/** @param {any} source */
function toBattery({ battery, range_m }) {
  const isCharge = typeof battery === "number";
  return h(
    "section",
    { class: "battery", "aria-label": t("attr.battery") },
    h(
      "p",
      {},
      h("span", {}, t("attr.battery")),
      " ",
      h("strong", {}, isCharge ? percent(battery / 100) : t("attr.unknown")),
      " · ",
      h("span", {}, t("attr.range")),
      " ",
      h("strong", {}, typeof range_m === "number" ? distance(range_m) : t("attr.unknown")),
    ),
    isCharge ? h("div", { class: "gauge wide", style: { "--share": `${battery}%` } }) : null,
  );
}

/** @param {any} route */
function toLine(route) {
  const name = route.short_name ?? route.long_name ?? words(route.mode);
  const title = route.long_name ?? null;
  return h("li", { style: routeColors(route), title, dir: "auto" }, name);
}
