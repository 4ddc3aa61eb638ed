// What a person would not believe of the simulated world: post codes, names, stations.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isInInpost } from "../../../sandbox/listing.ts";
import { tagsOf } from "../../../sandbox/openmap/tags.ts";
import { createAddresses } from "../../../sandbox/world/addresses.ts";
import { modesOf } from "../../../sandbox/world/transit-model.ts";
import { createWorld } from "../../../sandbox/world/world.ts";

const world = createWorld(1);
const addresses = createAddresses(world);
const services = world.cities.flatMap((city) => world.listServices(city));

test("InPost is where InPost is", () => {
  const lockers = services.filter(({ service_type }) => service_type === "locker");
  const at = (own: typeof lockers) => [...new Set(own.map(({ city }) => city.country))].sort();
  const theirs = lockers.filter(({ operator }) => operator === "InPost");
  assert.deepEqual(at(theirs), ["ES", "FR", "GB", "PL"]);
  assert.deepEqual(at(lockers.filter(isInInpost)), ["ES", "FR", "GB", "PL"]);
  for (const thing of lockers.filter(({ operator }) => operator !== "InPost"))
    assert.ok(!/inpost/i.test(Object.values(tagsOf(thing)).join(" ")), thing.city.id);
});

const FORMS: Readonly<Record<string, RegExp>> = {
  ...{ GB: /^WC2N \d[A-Z]{2}$/, PL: /^\d\d-\d{3}$/, BR: /^\d{5}-\d{3}$/, JP: /^\d{3}-\d{4}$/ },
  ...{ AU: /^\d{4}$/, ZA: /^\d{4}$/, FJ: /^$/ },
};

test("a street has one post code, in every source, in the form of its country", () => {
  const codes = new Map<string, Set<string>>();
  const note = (city: { id: string; country: string }, street: string, code: string) => {
    const key = `${city.id}: ${street}`;
    codes.set(key, (codes.get(key) ?? new Set()).add(code));
    assert.match(code, FORMS[city.country] ?? /^\d{5}$/, key);
  };
  for (const { city, street, post_code } of services) note(city, street, post_code);
  for (const operator of world.operators)
    for (const { address, post_code } of world.listPlaces(operator)) {
      const street = address.replace(/^\d+ | \d+$/g, "");
      note(operator.city, street, post_code);
    }
  for (const city of world.cities)
    for (const { spot } of addresses.near(city, 6000))
      if (spot.street) note(city, spot.street.local, spot.post_code);
  for (const [street, own] of codes) assert.equal(own.size, 1, `${street} ${[...own].join(" ")}`);
  assert.ok(codes.size >= 13 * world.cities.length);
});

test("the stations of the geocoder are those of the timetable", () => {
  for (const city of world.cities) {
    const text = (each: { lat: number; lon: number }, name: string) =>
      `${name} ${each.lat} ${each.lon}`;
    const entries = addresses
      .listPois()
      .filter(({ kind, town }) => town?.city === city && (kind === "station" || kind === "subway"))
      .map((spot) => text(spot, spot.name.local));
    const served = world
      .getNetwork(city)
      .stations.filter(({ form }) => form === "station")
      .filter((each) =>
        modesOf(each).some((mode) => ["rail", "rapid_transit", "metro"].includes(mode)),
      )
      .map((each) => text(each, each.name));
    assert.deepEqual(entries.sort(), served.sort(), city.id);
  }
  assert.equal(addresses.search("Théâtre du Levant, Paris")[0]?.spot.kind, "station");
});

for (const [text, kind, city] of [
  ["Londres", "city", "london"],
  ["Londen", "city", "london"],
  ["Tokio", "city", "tokyo"],
  ["Varsovie", "city", "warsaw"],
  ["Warschau", "city", "warsaw"],
  ["Parigi", "city", "paris"],
  ["Nueva York", "city", "new-york"],
  ["Kapstadt", "city", "cape-town"],
  ["ロンドン", "city", "london"],
  ["pharmacie paris", "pharmacy", "paris"],
  ["Apotheke, Berlin", "pharmacy", "berlin"],
  ["hotel Londres", "hotel", "london"],
  ["parking Paris", "parking", "paris"],
  ["parking Tokio", "parking", "tokyo"],
  ["駐車場 東京", "parking", "tokyo"],
] as const)
  test(`the geocoder knows what is meant by ${text}`, () => {
    const [first] = addresses.search(text);
    assert.deepEqual([first?.missed, first?.spot.kind], [0, kind]);
    assert.equal(first!.spot.town?.city.id, city);
  });
