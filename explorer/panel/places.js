/** Facts of a place: hours, price, access, and what its kind has of its own. */
import { h, toSafeHref } from "../page/dom.js";
import { ageOf, capital, count, openWords } from "../page/format.js";
import { t } from "../page/texts.js";
import { isolate, nameOf } from "./names.js";
import { toPlacePrices } from "./prices.js";
import { always, dayOf, ifKnown, named, toLink, toSite, toTable, wordOf } from "./values.js";

/** @typedef {import("./values.js").Row} Row */

/** Facts that are shown as not known where a place of the kind does not state them. */
const EXPECTED = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  toilets: ["wheelchair", "fee", "access"],
  drinking_water: ["drinking_water", "access"],
  fountain: ["drinking_water"],
  charging: ["fee", "access", "wheelchair"],
  parking: ["fee", "capacity", "access", "wheelchair"],
  aed: ["access", "indoor"],
  wifi: ["fee", "access"],
  locker: ["wheelchair"],
});

/** Facts that are a word of a few. In the order in which they are shown. */
const WORDS = [
  ...["drinking_water", "fee", "access", "wheelchair", "indoor", "changing_table", "unisex"],
  ...["female", "male", "shower", "disposal", "water_kind", "bottle", "seasonal"],
  ...["drinking_water_legal", "parcel_pickup", "parcel_mail_in", "payment_available", "validated"],
];
/** Facts in the source's own words. */
const TEXTS = [
  ...["location_note", "level", "season", "hours_note", "description", "ssid", "code"],
  ...["centralkey", "operator", "brand"],
];

/** @param {any} raw a service of an answer @param {readonly any[]} sources */
export function toPlace(raw, sources) {
  const { attributes = {}, service_type: kind } = raw;
  return [
    h("p", { class: "open" }, capital(openWords(attributes) ?? t("open.unknown"))),
    attributes.charging ? toConnectors(attributes.charging) : null,
    toTable([
      ...toHours(attributes),
      ...toParking(attributes),
      ...toPrice(attributes),
      ...WORDS.map((fact) => {
        if (fact === "fee") return null;
        const isExpected = EXPECTED[kind]?.includes(fact);
        return (isExpected ? always : ifKnown)(`attr.${fact}`, wordOf(fact, attributes[fact]));
      }),
      ...TEXTS.map((fact) => ifKnown(`attr.${fact}`, named(attributes[fact]))),
      ifKnown("attr.address", named(attributes.address)),
      ifKnown("attr.phone", named(attributes.phone)),
      ifKnown("attr.emergency_phone", named(attributes.emergency_phone)),
      ifKnown("attr.website", toSite(attributes.website)),
      ifKnown("attr.checked_on", dayOf(attributes.checked_on)),
      ifKnown("attr.updated_on", dayOf(attributes.updated_on)),
      [t("attr.source"), toCredits(raw, sources)],
    ]),
  ];

  /** @param {any} facts @returns {Row[]} */
  function toPrice({ fee, charge, parking, prices }) {
    const words = named(charge) ?? wordOf("fee", fee) ?? feeOf(parking?.features);
    const price = toPlacePrices(prices) ?? words;
    const isExpected = EXPECTED[kind]?.includes("fee");
    return [(isExpected ? always : ifKnown)("attr.fee", price)];
  }
}

/** What the features of a car park say of its price; null: nothing. @param {unknown} features */
export function feeOf(features) {
  const list = Array.isArray(features) ? features.map(String) : [];
  const isPaid = list.some((one) => one.startsWith("paid_"));
  const isFree = list.some((one) => one.startsWith("free_"));
  if (isPaid && isFree) return t("attr.fee.partly");
  return isPaid ? t("attr.fee.true") : isFree ? t("attr.fee.false") : null;
}

/** @param {any} attributes @returns {Row[]} */
function toHours({ opening_hours, usable }) {
  const lines = Array.isArray(opening_hours) ? opening_hours : [opening_hours];
  const texts = lines.filter((one) => typeof one === "string" && one !== "");
  if (texts.length === 1 && texts[0] === "24/7") return [[t("attr.hours"), t("attr.hours.always")]];
  const today = typeof usable?.rule === "string" && usable.rule !== texts[0] ? usable.rule : null;
  return [
    ifKnown("attr.hours.today", named(today)),
    texts.length === 0
      ? null
      : [t("attr.hours"), texts.map((one) => h("div", {}, h("bdi", {}, one)))],
  ];
}

/** @param {any} attributes @returns {Row[]} */
function toParking({ parking, capacity, availability }) {
  if (!parking) return [];
  return [
    availability ? toSpaces(availability) : null,
    ifKnown("attr.parking", wordOf("parking", parking.kind)),
    always("attr.capacity", typeof capacity === "number" ? count(capacity) : null),
  ];
}

/** Free spaces, and how long ago that was. @param {any} availability @returns {Row} */
function toSpaces({ free, capacity, observed_at }) {
  const updated = h("div", { class: "quiet" }, t("conn.updated", { age: ageOf(observed_at) }));
  return [t("attr.spaces"), [h("div", {}, spacesOf(free, capacity)), updated]];
}

/** How many are free; all of them are in a row of their own. @param {unknown} free @param {unknown} total */
export function spacesOf(free, total) {
  return typeof free === "number" ? freeOf(free, total) : t("conn.unknown");
}

/** One row a type and power of connector. @param {any} charging */
function toConnectors({ connectors = [], available_count, connector_count, ...rest }) {
  const updated_at = rest.availability_updated_at ?? connectors[0]?.availability_updated_at;
  const rows = connectors.length > 0 ? connectors : [{ available_count, count: connector_count }];
  return h(
    "section",
    { class: "connectors", "aria-label": t("conn.label") },
    h("ul", {}, rows.map(toConnector)),
    updated_at ? h("p", { class: "quiet" }, t("conn.updated", { age: ageOf(updated_at) })) : null,
  );
}

/** @param {any} connector */
function toConnector({ type, max_kw, count: total, available_count, out_of_service_count }) {
  const name = type === undefined ? t("conn.any") : type === "Other" ? t("conn.other") : type;
  const power = typeof max_kw === "number" ? t("conn.power", { name, kw: max_kw }) : name;
  const broken = out_of_service_count > 0 ? t("conn.broken", { n: out_of_service_count }) : null;
  return h(
    "li",
    {},
    t("conn.row", { connector: isolate(power), free: freeOf(available_count, total) }),
    broken ? h("span", { class: "quiet" }, ` · ${broken}`) : null,
  );
}

/** @param {unknown} free @param {unknown} total */
function freeOf(free, total) {
  if (typeof free === "number" && typeof total === "number") return t("conn.free", { free, total });
  if (typeof free === "number") return t("conn.only", { n: free });
  return typeof total === "number" ? t("conn.total", { n: total }) : t("conn.unknown");
}

/** The source, and those whom it obliges everyone to name. @param {any} raw @param {readonly any[]} sources */
function toCredits({ source_id, attributes, provider }, sources) {
  const { attribution, attributions } = attributes;
  const others = [attribution, ...(Array.isArray(attributions) ? attributions : [])].filter(
    Boolean,
  );
  const third = others.flatMap((one) => {
    const name = one.provider ?? one.display_name ?? one.name ?? one.text;
    const href = toSafeHref(one.provider_uri ?? one.url);
    if (typeof name !== "string") return [];
    return [" · ", href === null ? h("bdi", {}, name) : toLink(name, href)];
  });
  const own = provider?.name ?? nameOf(source_id, sources);
  const page = toSafeHref(attributes.maps_uri);
  return [page === null ? h("bdi", {}, own) : toLink(own, page), ...third];
}
