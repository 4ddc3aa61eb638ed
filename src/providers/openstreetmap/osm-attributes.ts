/**
 * Facts of an element from its tags (places.md 3, 11.2), under the names of the vocabulary: which tag
 * says what is stated here, its values are read in providers/stated-facts.ts.
 */
import type { FactName } from "#api/attributes.ts";
import type { AddressParts, PlaceKind } from "#core/places/place.ts";
import { readFacts } from "#providers/stated-facts.ts";
import { chargingOf } from "./osm-charging.ts";
import { type Element, type Tags, valuesOf } from "./element.ts";
import { parkingOf } from "./osm-parking.ts";
import { potabilityOf, waterKindOf } from "./osm-water.ts";

type Attributes = Record<string, unknown>;
/** The first tag that is there says it. */
type Tagged = Partial<Record<FactName, readonly string[]>>;

const COMMON: Tagged = {
  wheelchair: ["wheelchair"],
  access: ["access"],
  indoor: ["indoor"],
  level: ["level"],
  operator: ["operator"],
  brand: ["brand"],
  checked_on: ["check_date"],
};
/** Of a hotel or a café with Wi-Fi these say nothing about the Wi-Fi. */
const OWN: Tagged = { charge: ["charge"], code: ["ref"], description: ["description"] };
/** §2.4 and §2.5 have members of their own for parking and charging. */
const SERVICE: Tagged = {
  opening_hours: ["opening_hours"],
  phone: ["phone", "contact:phone"],
  website: ["website", "contact:website"],
};

const OF_KIND: Readonly<Partial<Record<PlaceKind, Tagged>>> = {
  aed: { location_note: ["defibrillator:location"], emergency_phone: ["emergency:phone"] },
  toilets: {
    access: ["toilets:access", "access"],
    wheelchair: ["toilets:wheelchair", "wheelchair"],
    unisex: ["unisex"],
    male: ["male"],
    female: ["female"],
    shower: ["shower"],
    centralkey: ["centralkey"],
    disposal: ["toilets:disposal"],
  },
  water: { bottle: ["bottle"], drinking_water_legal: ["drinking_water:legal"] },
  wifi: { ssid: ["internet_access:ssid"] },
  locker: { parcel_pickup: ["parcel_pickup"], parcel_mail_in: ["parcel_mail_in"] },
};

/** Facts and members of §2.3 to §2.5. */
export function taggedAttributes(element: Element, kind: PlaceKind): Attributes {
  const { tags } = element;
  const reported = { ...taggedOf(tags, kind), ...derivedOf(tags, kind) };
  const facts = { ...readFacts(kind, reported), ...addressOf(tags) };
  if (kind === "parking") return { ...facilityOf(element), ...facts, ...parkingOf(tags) };
  if (kind === "charging") return { ...facilityOf(element), ...facts, ...chargingOf(tags) };
  return facts;
}

function taggedOf(tags: Tags, kind: PlaceKind): Attributes {
  const isFacility = kind === "parking" || kind === "charging";
  const tagged = {
    ...COMMON,
    ...(kind === "wifi" ? {} : OWN),
    ...(isFacility ? {} : SERVICE),
    ...OF_KIND[kind],
  };
  return firstOf(tags, tagged);
}

function firstOf(tags: Tags, tagged: Tagged): Attributes {
  const attributes: Attributes = {};
  for (const [name, keys] of Object.entries(tagged)) {
    const key = keys.find((each) => tags.has(each));
    if (key !== undefined) attributes[name] = tags.get(key);
  }
  return attributes;
}

/** Facts that no single tag says. */
function derivedOf(tags: Tags, kind: PlaceKind): Attributes {
  const fee = { fee: tags.get("fee") };
  switch (kind) {
    case "parking":
    case "charging":
    case "aed":
      return fee;
    case "toilets":
      return { ...fee, changing_table: hasTable(tags.get("changing_table")) };
    case "water":
      return {
        ...fee,
        ...seasonOf(tags.get("seasonal")?.toLowerCase()),
        water_kind: waterKindOf(tags),
        drinking_water: potabilityOf(tags),
      };
    case "wifi":
      return wifiOf(tags);
    case "locker":
      return { ...fee, ...vendingOf(tags) };
  }
}

/** One with limited facilities is one. */
function hasTable(value: string | undefined): string | undefined {
  return value?.toLowerCase() === "limited" ? "yes" : value;
}

/** `yes`, `no`, or the seasons themselves. */
function seasonOf(value: string | undefined): Attributes {
  if (value === undefined || value === "yes" || value === "no") return { seasonal: value };
  return { seasonal: true, season: value };
}

/** Wi-Fi that is free for customers is for customers. */
function wifiOf(tags: Tags): Attributes {
  const fee = tags.get("internet_access:fee")?.toLowerCase();
  const forCustomers = fee === "customers" ? { access: "customers" } : {};
  return { fee, ...forCustomers };
}

/** Attributes that parking and charging share (§2.4, §2.5). */
function facilityOf({ id, tags }: Element): Attributes {
  const hours = tags.get("opening_hours");
  return {
    maps_place_id: id,
    // Others are evaluated with the answer, where the moment and the time zone are known.
    open_status: hours === "24/7" ? "open" : "unknown",
    maps_uri: `https://www.openstreetmap.org/${id}`,
    ...(hours === undefined ? {} : { opening_hours: [hours] }),
  };
}

/** Facts of a point of interest. */
export function interestAttributes(tags: Tags): Attributes {
  const tagged = firstOf(tags, { ...COMMON, ...OWN, ...SERVICE });
  return { ...readFacts(null, { ...tagged, fee: tags.get("fee") }), ...addressOf(tags) };
}

/** `addr:housenumber addr:street, addr:postcode addr:city`, what there is of it. */
function addressOf(tags: Tags): { address?: string } {
  const street = tags.get("addr:street") ?? tags.get("addr:place");
  const parts = [
    // A number alone leads nowhere.
    street === undefined ? [] : [tags.get("addr:housenumber"), street],
    [tags.get("addr:postcode"), tags.get("addr:city")],
  ];
  const lines = parts.map((part) => part.filter((text) => text !== undefined).join(" "));
  const address = lines.filter((text) => text !== "").join(", ");
  return address === "" ? {} : { address };
}

/** Returns the address part by part; nothing where nothing of it is tagged. */
export function taggedAddress(tags: Tags): { address?: AddressParts } {
  const address: AddressParts = {};
  for (const [part, keys] of ADDRESS_TAGS) {
    const key = keys.find((each) => tags.has(each));
    if (key !== undefined) address[part] = tags.get(key)!;
  }
  return Object.keys(address).length > 0 ? { address } : {};
}

const ADDRESS_TAGS = [
  ["street", ["addr:street"]],
  ["number", ["addr:housenumber"]],
  ["post_code", ["addr:postcode"]],
  ["area", ["addr:place", "addr:suburb", "addr:city"]],
] as const;

/** A deprecated vending machine says in its list what parcel lockers say in two tags. */
function vendingOf(tags: Tags): Attributes {
  if (tags.get("amenity") !== "vending_machine" || !tags.has("vending")) return {};
  const goods = valuesOf(tags, "vending");
  const sold = (name: string): boolean => goods.includes(name);
  return { parcel_pickup: sold("parcel_pickup"), parcel_mail_in: sold("parcel_mail_in") };
}
