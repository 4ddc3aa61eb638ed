/** Every row of the tag tables: what is found, what is excluded, names, attributes (places.md 3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { displayNameOf } from "#core/places/place-naming.ts";
import { PLACE_KINDS, type PlaceKind } from "#core/places/place.ts";
import { placeOf, reasonOf, type TagList } from "./support.ts";

const MATCHES: readonly [PlaceKind, TagList][] = [
  ["aed", { emergency: "defibrillator" }],
  ["aed", { medical: "aed" }],
  ["aed", { emergency: "defibrillator", indoor: "yes" }],
  ["aed", { emergency: "defibrillator", locked: "no", operational_status: "operational" }],
  ["toilets", { amenity: "toilets" }],
  ["toilets", { amenity: "toilet" }],
  ["toilets", { amenity: "toilets", access: "customers" }],
  ["toilets", { amenity: "toilets", "toilets:position": "urinal" }],
  ["toilets", { amenity: "toilets", access: "private", "toilets:access": "customers" }],
  ["toilets", { amenity: "toilets", operational_status: "needs_maintenance" }],
  ["parking", { amenity: "parking_entrance", parking: "underground" }],
  ["parking", { amenity: "parking", "toilets:access": "no" }],
  ["toilets", { amenity: "toilets", "disused:amenity": "pub" }],
  ["parking", { amenity: "parking", disused: "no", "was:amenity": "fuel" }],
  ["water", { amenity: "drinking_water" }],
  ["water", { amenity: "fountain" }],
  ["water", { amenity: "fountain", drinking_water: "no" }],
  ["water", { man_made: "water_tap", drinking_water: "yes" }],
  ["water", { natural: "spring", drinking_water: "yes" }],
  ["water", { shop: "bakery", "drinking_water:refill": "yes" }],
  ["water", { fountain: "bottle_refill" }],
  ["water", { amenity: "water_point" }],
  ["wifi", { internet_access: "wlan" }],
  ["wifi", { internet_access: "WLAN" }],
  ["wifi", { internet_access: "terminal; Wi-Fi" }],
  ["wifi", { internet_access: "wifi;terminal" }],
  ["wifi", { internet_access: "public" }],
  ["wifi", { wifi: "yes" }],
  ["wifi", { wifi: "free" }],
  ["wifi", { amenity: "internet_cafe", internet_access: "wlan", "internet_access:fee": "yes" }],
  ["parking", { amenity: "parking" }],
  ["parking", { amenity: "parking", access: "destination" }],
  ["charging", { amenity: "charging_station" }],
  ["charging", { man_made: "charge_point" }],
  ["charging", { amenity: "ev_charging" }],
  ["locker", { amenity: "parcel_locker" }],
  ["locker", { amenity: "vending_machine", vending: "parcel_pickup" }],
  ["locker", { amenity: "vending_machine", vending: "parcel_mail_in" }],
  ["locker", { amenity: "vending_machine", vending: "parcel_pickup;parcel_mail_in" }],
  ["locker", { amenity: "vending_machine", vending: "parcel_mail_in;parcel_pickup" }],
];

for (const [kind, tags] of MATCHES)
  test(`${JSON.stringify(tags)} is ${kind} and nothing else`, () => {
    for (const each of PLACE_KINDS)
      assert.equal(placeOf(each, tags)?.kind, each === kind ? kind : undefined, each);
  });

const NEITHER: readonly TagList[] = [
  { toilets: "yes", amenity: "restaurant" },
  { man_made: "water_tap" },
  { natural: "spring" },
  { internet_access: "yes" },
  { internet_access: "wlanparty" },
  { internet_access: "no" },
  { amenity: "parking_space" },
  { amenity: "motorcycle_parking" },
  { amenity: "bicycle_parking" },
  { amenity: "watering_place" },
  { amenity: "vending_machine", vending: "cigarettes" },
  { "disused:amenity": "toilets", "was:emergency": "defibrillator" },
  { "construction:amenity": "parking" },
  {},
];

for (const tags of NEITHER)
  test(`${JSON.stringify(tags)} is nothing of ours`, () => {
    for (const kind of PLACE_KINDS) assert.equal(reasonOf(kind, tags), "not_a_service", kind);
  });

const EXCLUDED: readonly [PlaceKind, TagList, reason: string][] = [
  ["aed", { emergency: "defibrillator", locked: "yes" }, "locked"],
  ["aed", { emergency: "defibrillator", operational_status: "closed" }, "out_of_order"],
  ["aed", { emergency: "defibrillator", operational_status: "broken" }, "out_of_order"],
  ["aed", { emergency: "defibrillator", operational_status: "missing" }, "out_of_order"],
  ["aed", { emergency: "defibrillator", out_of_order: "yes" }, "out_of_order"],
  ["toilets", { amenity: "toilets", operational_status: "closed" }, "out_of_order"],
  ["water", { amenity: "drinking_water", operational_status: "Broken" }, "out_of_order"],
  ["wifi", { internet_access: "wlan", operational_status: "out_of_order" }, "out_of_order"],
  ["parking", { amenity: "parking", operational_status: "abandoned" }, "out_of_order"],
  ["charging", { amenity: "charging_station", operational_status: "inoperable" }, "out_of_order"],
  ["locker", { amenity: "parcel_locker", missing: "yes" }, "out_of_order"],
  ["toilets", { amenity: "toilets", "toilets:access": "private" }, "not_public"],
  ["toilets", { amenity: "toilets", access: "yes", "toilets:access": "no" }, "not_public"],
  ["water", { amenity: "drinking_water", drinking_water: "no" }, "not_potable"],
  ["water", { fountain: "bottle_refill", drinking_water: "no" }, "not_potable"],
  ["water", { amenity: "watering_place", "drinking_water:refill": "yes" }, "for_animals"],
  ["water", { amenity: "drinking_water", fountain: "dog_bowl" }, "for_animals"],
  ["wifi", { internet_access: "no", wifi: "yes" }, "no_internet"],
  ["charging", { amenity: "charging_station", bicycle: "yes" }, "not_for_cars"],
  ["toilets", { amenity: "toilets", "disused:amenity": "toilets" }, "not_in_use"],
  ["water", { amenity: "fountain", "abandoned:amenity": "fountain" }, "not_in_use"],
  ["aed", { emergency: "defibrillator", "removed:emergency": "defibrillator" }, "not_in_use"],
  [
    "water",
    { man_made: "water_tap", drinking_water: "yes", "disused:man_made": "water_tap" },
    "not_in_use",
  ],
  ["wifi", { internet_access: "wlan", "disused:internet_access": "wlan" }, "not_in_use"],
  [
    "charging",
    { amenity: "charging_station", "planned:amenity": "charging_station" },
    "not_in_use",
  ],
  ["locker", { amenity: "parcel_locker", "was:amenity": "parcel_locker" }, "not_in_use"],
  ...["private", "no", "permit", "residents", "employees", "delivery", "private;no"].map(
    (access): [PlaceKind, TagList, string] => [
      "toilets",
      { amenity: "toilets", access },
      "not_public",
    ],
  ),
  ...[
    ...["disused", "abandoned", "removed", "demolished", "razed", "was"],
    ...["proposed", "construction", "planned"],
  ].map((key): [PlaceKind, TagList, string] => [
    "parking",
    { amenity: "parking", [key]: "yes" },
    "not_in_use",
  ]),
];

for (const [kind, tags, reason] of EXCLUDED)
  test(`${JSON.stringify(tags)} is left out: ${reason}`, () => {
    assert.equal(placeOf(kind, tags), undefined);
    assert.equal(reasonOf(kind, tags), reason);
  });

test("access that is open to some people is kept, in the words of the vocabulary", () => {
  for (const [access, word] of [
    ["customers", "customers"],
    ["permissive", "permissive"],
    ["unknown", "unknown"],
    ["destination", "restricted"],
    ["public", "yes"],
    ["yes", "yes"],
    ["private;customers", "customers"],
    ["customers; yes", "yes"],
    ["somehow", undefined],
  ] as const)
    assert.equal(placeOf("toilets", { amenity: "toilets", access })?.attributes["access"], word);
});

const OPERATED = { operator: "O", brand: "B" };
const STREET = { "addr:street": "S", "addr:housenumber": "5", "addr:city": "C" };
const NAMES: readonly [PlaceKind, TagList, name: string][] = [
  ["aed", {}, "Defibrillator"],
  ["aed", { operator: "City Hall" }, "Defibrillator"],
  ["aed", { operator: "City Hall", name: "City Hall" }, "Defibrillator"],
  ["toilets", { operator: "City Hall", ...STREET }, "Public toilets, S"],
  ["toilets", { name: "5 S", ...STREET }, "Public toilets, S"],
  ["toilets", { name: "5 S, C", ...STREET }, "Public toilets, S"],
  ["toilets", { "addr:city": "C" }, "Public toilets, C"],
  ["wifi", {}, "Wi-Fi"],
  ["wifi", OPERATED, "B"],
  ["wifi", { ...OPERATED, name: "B" }, "B"],
  ["parking", OPERATED, "Car park"],
  ["parking", { ...OPERATED, name: "B", ...STREET }, "Car park, S"],
  ["charging", OPERATED, "Charging station"],
  ["water", { amenity: "drinking_water" }, "Drinking water"],
  ["water", { amenity: "drinking_water", drinking_water: "untreated" }, "Water point"],
  ["water", { amenity: "fountain", operator: "Parks Department" }, "Fountain"],
  ["water", { amenity: "fountain", drinking_water: "no" }, "Fountain"],
  ["water", { amenity: "fountain", drinking_water: "yes" }, "Drinking water"],
  ["water", { amenity: "fountain", ref: "12" }, "Fountain 12"],
  ["locker", {}, "Parcel locker"],
  ["locker", OPERATED, "Parcel locker"],
  ["locker", { ref: "12" }, "Parcel locker 12"],
  ["locker", { ref: "12", operator: "O" }, "O 12"],
  ["locker", { ref: "12", ...OPERATED }, "B 12"],
  ["locker", { ref: "12", ...OPERATED, name: "Left of the entrance" }, "B 12"],
  ["locker", { name: "N" }, "N"],
  ["toilets", { "name:fr": "F", "name:en": "E" }, "E"],
  ["toilets", { "name:fr": "F", name: "N", "name:etymology": "x" }, "N"],
];
const MAIN: Readonly<Record<PlaceKind, TagList>> = {
  aed: { emergency: "defibrillator" },
  toilets: { amenity: "toilets" },
  water: {},
  wifi: { internet_access: "wlan" },
  parking: { amenity: "parking" },
  charging: { amenity: "charging_station" },
  locker: { amenity: "parcel_locker" },
};

for (const [kind, tags, name] of NAMES)
  test(`a ${kind} with ${JSON.stringify(tags)} is called ${name}`, () => {
    const place = placeOf(kind, { ...MAIN[kind], ...tags });
    assert.equal(displayNameOf(place!, null), name);
  });

test("names by language are those of languages", () => {
  const tags = { "name:zh-Hant": "Z", "name:sr-Latn": "S", "name:left": "L", "name:1": "1" };
  const place = placeOf("toilets", { ...MAIN.toilets, name: "N", ...tags });
  assert.deepEqual(place?.names, { "zh-Hant": "Z", "sr-Latn": "S" });
  assert.equal(placeOf("toilets", MAIN.toilets)?.names, undefined);
});

const POTABLE: readonly [TagList, potable: string][] = [
  [{ amenity: "drinking_water" }, "yes"],
  [{ amenity: "drinking_water", drinking_water: "untreated" }, "unknown"],
  [{ amenity: "water_point" }, "yes"],
  [{ man_made: "water_tap", drinking_water: "yes" }, "yes"],
  [{ natural: "spring", drinking_water: "yes" }, "yes"],
  [{ "drinking_water:refill": "yes" }, "yes"],
  [{ fountain: "bottle_refill" }, "yes"],
  [{ amenity: "fountain" }, "unknown"],
  [{ amenity: "fountain", drinking_water: "no" }, "no"],
  [{ amenity: "fountain", drinking_water: "yes" }, "yes"],
  [{ amenity: "fountain", fountain: "bottle_refill" }, "yes"],
];

for (const [tags, potable] of POTABLE)
  test(`water of ${JSON.stringify(tags)}: ${potable}`, () => {
    assert.equal(placeOf("water", tags)?.attributes["drinking_water"], potable);
  });

const ADDRESSES: readonly [TagList, address: string | undefined][] = [
  [{}, undefined],
  [{ "addr:housenumber": "5" }, undefined],
  [{ "addr:street": "S", "addr:housenumber": "5" }, "5 S"],
  [{ "addr:place": "P", "addr:city": "C" }, "P, C"],
  [{ "addr:street": "S", "addr:postcode": "1", "addr:city": "C" }, "S, 1 C"],
];

for (const [tags, address] of ADDRESSES)
  test(`the address of ${JSON.stringify(tags)}`, () => {
    const place = placeOf("toilets", { ...MAIN.toilets, ...tags });
    assert.equal(place?.attributes["address"], address);
    assert.equal("address" in place!.attributes, address !== undefined);
  });

test("facts are those of the vocabulary; what is not listed, empty or a bad link is absent", () => {
  const tags = { fee: "no", wheelchair: "yes", note: "internal", level: " ", website: "http://x" };
  assert.deepEqual(placeOf("toilets", { ...MAIN.toilets, ...tags })?.attributes, {
    fee: false,
    wheelchair: "yes",
  });
  const contact = { "contact:phone": "+1", "contact:website": "https://toilets.example/a" };
  assert.deepEqual(placeOf("toilets", { ...MAIN.toilets, ...contact })?.attributes, {
    phone: "+1",
    website: "https://toilets.example/a",
  });
});

test("of toilets it is the toilets that are for wheelchairs, not the house around them", () => {
  const tags = { wheelchair: "yes", "toilets:wheelchair": "no" };
  const { attributes } = placeOf("toilets", { ...MAIN.toilets, ...tags })!;
  assert.deepEqual(attributes, { wheelchair: "no" });
});

const FEES: readonly [fee: string, paid: boolean | undefined][] = [
  ["yes", true],
  ["no", false],
  ["Mo-Sa 08:00-19:00", true],
  ["0.50 EUR", true],
  ["€2", true],
  ["1,20 €/h", true],
  ["interval", true],
  ["24/7", true],
  ["No", false],
  ["free", false],
  ["none", false],
  ["gratis", false],
  ["0", false],
  ["0.00 EUR", false],
  ["no;donation", false],
  ["yes;no", undefined],
  ["donation", undefined],
  ["customers", undefined],
  ["unknown", undefined],
  ["disc", undefined],
  ["-", undefined],
  ["perhaps", undefined],
];

for (const [fee, paid] of FEES)
  test(`a fee of ${fee}: toilets and car parks agree`, () => {
    assert.equal(placeOf("toilets", { ...MAIN.toilets, fee })?.attributes["fee"], paid);
    const { attributes } = placeOf("parking", { ...MAIN.parking, fee })!;
    assert.equal(attributes["fee"], paid);
    const price = paid === undefined ? [] : [paid ? "paid_parking" : "free_parking"];
    assert.deepEqual((attributes["parking"] as { features: string[] }).features, price);
  });

test("a fee of any length is read in linear time, or not at all", () => {
  for (const fee of ["1".repeat(100_000), `1 ${"e".repeat(100_000)}`, "€".repeat(100_000)])
    assert.equal(placeOf("toilets", { ...MAIN.toilets, fee })?.attributes["fee"], undefined);
});

test("the price of the host is not the price of its Wi-Fi", () => {
  const tags = { amenity: "toilets", fee: "yes", charge: "1 EUR", "internet_access:fee": "no" };
  assert.deepEqual(placeOf("wifi", { ...MAIN.wifi, ...tags })!.attributes, { fee: false });
  const guests = { amenity: "cafe", "internet_access:fee": "customers" };
  const { attributes } = placeOf("wifi", { ...MAIN.wifi, ...guests })!;
  assert.deepEqual(attributes, { access: "customers" });
});

test("a vending machine for parcels says which way they go", () => {
  const tags = { amenity: "vending_machine", vending: "parcel_mail_in" };
  assert.deepEqual(placeOf("locker", tags)?.attributes, {
    parcel_pickup: false,
    parcel_mail_in: true,
  });
});

test("keys are its own and those of the French register", () => {
  const tags = { ...MAIN.aed, "ref:FR:GeoDAE": "12;AB 13 ;" };
  assert.deepEqual(placeOf("aed", tags)?.keys, ["osm:node/1", "geodae:12", "geodae:AB 13"]);
});
