/**
 * Tags of an element that are passed on: by name and value as tagged, the useful ones only
 * (places.md 3, 11.2). An unknown one is absent; `drinking_water` alone says "unknown".
 */
import type { AddressParts, PlaceKind } from "#core/places/place.ts";
import { cleanDeepLink } from "#core/uris.ts";
import { chargingOf } from "./charging.ts";
import type { Element, Tags } from "./element.ts";
import { parkingOf } from "./parking.ts";
import { potabilityOf } from "./water.ts";

type Attributes = Record<string, unknown>;

const COMMON = [
  ...["wheelchair", "access", "indoor", "level", "opening_hours", "operator", "brand"],
  ...["check_date"],
] as const;
/** Of a hotel or a café with Wi-Fi these say nothing about the Wi-Fi. */
const OWN = ["fee", "charge", "ref", "description"] as const;

const OF_KIND: Readonly<Partial<Record<PlaceKind, readonly string[]>>> = {
  aed: ["defibrillator:location", "emergency:phone"],
  toilets: [
    ...["changing_table", "unisex", "male", "female", "shower", "centralkey"],
    ...["toilets:disposal", "toilets:position", "toilets:wheelchair"],
  ],
  water: ["fountain", "bottle", "seasonal", "drinking_water:legal"],
  wifi: ["internet_access", "internet_access:fee", "internet_access:ssid"],
  locker: ["parcel_pickup", "parcel_mail_in"],
};

/** Members of §2.3 to §2.5: parking and charging have their own, and nothing else. */
export function attributesOf(element: Element, kind: PlaceKind): Attributes {
  if (kind === "parking") return { ...facilityOf(element), ...parkingOf(element.tags) };
  if (kind === "charging") return { ...facilityOf(element), ...chargingOf(element.tags) };
  return serviceOf(element.tags, kind);
}

function serviceOf(tags: Tags, kind: PlaceKind): Attributes {
  const attributes: Attributes = {};
  const own = kind === "wifi" ? [] : OWN;
  for (const key of [...COMMON, ...own, ...(OF_KIND[kind] ?? [])])
    put(attributes, key, tags.get(key));
  put(attributes, "phone", tags.get("phone") ?? tags.get("contact:phone"));
  put(attributes, "website", webOf(tags));
  put(attributes, "address", addressOf(tags));
  if (kind === "water") attributes["drinking_water"] = potabilityOf(tags);
  if (kind === "locker") Object.assign(attributes, vendingOf(tags));
  return attributes;
}

/** Attributes that parking and charging share (§2.4, §2.5). */
function facilityOf({ id, tags }: Element): Attributes {
  const hours = tags.get("opening_hours");
  const attributes: Attributes = {
    maps_place_id: id,
    // Others are evaluated with the answer, where the moment and the time zone are known.
    open_status: hours === "24/7" ? "open" : "unknown",
    maps_uri: `https://www.openstreetmap.org/${id}`,
  };
  put(attributes, "address", addressOf(tags));
  if (hours !== undefined) attributes["opening_hours"] = [hours];
  return attributes;
}

/** `addr:housenumber addr:street, addr:postcode addr:city`, what there is of it. */
function addressOf(tags: Tags): string | undefined {
  const street = tags.get("addr:street") ?? tags.get("addr:place");
  const parts = [
    // A number alone leads nowhere.
    street === undefined ? [] : [tags.get("addr:housenumber"), street],
    [tags.get("addr:postcode"), tags.get("addr:city")],
  ];
  const lines = parts.map((part) => part.filter((text) => text !== undefined).join(" "));
  return lines.filter((text) => text !== "").join(", ") || undefined;
}

/** Returns the address part by part; nothing where nothing of it is tagged. */
export function addressPartsOf(tags: Tags): { address?: AddressParts } {
  const address: AddressParts = {};
  for (const [part, key] of ADDRESS_TAGS) {
    const value = tags.get(key);
    if (value !== undefined) address[part] = value;
  }
  return Object.keys(address).length > 0 ? { address } : {};
}

const ADDRESS_TAGS = [
  ["street", "addr:street"],
  ["number", "addr:housenumber"],
  ["post_code", "addr:postcode"],
] as const;

function webOf(tags: Tags): string | undefined {
  const link = tags.get("website") ?? tags.get("contact:website");
  return cleanDeepLink("web", link) ?? undefined;
}

/** A deprecated vending machine says in its list what parcel lockers say in two tags. */
function vendingOf(tags: Tags): Attributes {
  const vending = tags.get("vending");
  if (tags.get("amenity") !== "vending_machine" || vending === undefined) return {};
  const goods = vending.split(";");
  const said = (goods_name: string): string => (goods.includes(goods_name) ? "yes" : "no");
  return { parcel_pickup: said("parcel_pickup"), parcel_mail_in: said("parcel_mail_in") };
}

function put(attributes: Attributes, key: string, value: string | undefined): void {
  if (value !== undefined) attributes[key] = value;
}
