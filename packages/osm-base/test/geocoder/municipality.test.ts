import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aHouse,
  aNode,
  anArea,
  askFor,
  aStreet,
  type Feature,
  geocoderOf,
} from "../../../../test/support/geocoder.ts";

const reverse = (features: readonly Feature[], lat: number, lon: number): string[] =>
  geocoderOf(features)
    .reverse({ lat, lon, language: null, limit: 5 })
    .map(({ type, label }) => `${type}: ${label}`);

const admin = (level: string, name: string) => ({
  boundary: "administrative",
  admin_level: level,
  name,
});
const lane = aStreet(60, 47.0, [9.0, 9.01], "Grenzweg");

test("an address of the next municipality leads as far as across the street, and not beyond", () => {
  const features = [
    anArea(900, [47.0, 9.0, 47.1, 9.1], admin("8", "Norden")),
    anArea(901, [46.9, 9.0, 47.0, 9.1], admin("8", "Süden")),
    lane,
    aHouse(1, [46.9999, 9.005], "Grenzweg", "7"),
  ];
  assert.equal(reverse(features, 47.0001, 9.005)[0], "address: Grenzweg 7, Süden");
  assert.deepEqual(reverse(features, 47.0005, 9.005), ["street: Grenzweg, Norden", "city: Norden"]);
});

test("an address in no municipality follows the street at a point that is in one", () => {
  const features = [
    anArea(900, [47.0, 9.0, 47.1, 9.1], admin("8", "Norden")),
    lane,
    aHouse(1, [46.9999, 9.005], "Südweg", "7", { "addr:city": "Süden" }),
  ];
  assert.deepEqual(reverse(features, 47.0001, 9.005).slice(0, 2), [
    "street: Grenzweg, Norden",
    "address: Südweg 7, Süden",
  ]);
  assert.equal(reverse(features, 46.9998, 9.005)[0], "address: Südweg 7, Süden");
  assert.ok(!reverse(features, 47.0005, 9.005).some((line) => line.startsWith("address")));
});

/** A city of which the edge of the extract has left a ring that does not hold its own point. */
const CUT: Feature = {
  ...anArea(910, [47.2, 9.2, 47.21, 9.21], { ...admin("8", "Cutting"), place: "city" }),
  whole: false,
  members: [{ type: "node", id: 10, role: "admin_centre" }],
};
const CITY = aNode(10, [47.0, 9.0], { place: "city", name: "Cutting" });
const SUBURB = aNode(11, [47.0, 9.004], { place: "suburb", name: "Rocher" });

test("a city that the edge cuts reaches its parts, which are no cities", () => {
  const house = aHouse(1, [47.0001, 9.005], "Grenzweg", "7", { "addr:city": "Rocher" });
  const [address, street, part] = reverse([CUT, CITY, SUBURB, lane, house], 47.0001, 9.005);
  assert.equal(address, "address: Grenzweg 7, Cutting");
  assert.equal(street, "street: Grenzweg, Cutting");
  assert.equal(part, "neighborhood: Rocher, Cutting");
});

test("where no town is known, a part is not the city: neither by its reach nor by an address", () => {
  const house = aHouse(1, [47.0001, 9.005], "Grenzweg", "7", { "addr:city": "Rocher" });
  const features = [SUBURB, lane, house];
  const geocoder = geocoderOf(features);
  const items = geocoder.reverse({ lat: 47.0001, lon: 9.005, language: null, limit: 5 });
  assert.deepEqual(
    items.map(({ type, address }) => [type, address.city]),
    [
      ["address", null],
      ["street", null],
      ["neighborhood", null],
    ],
  );
  // It is still found by that name.
  const [match] = geocoder.geocode(askFor("Grenzweg 7 Rocher"));
  assert.equal(match!.address.street_number, "7");
});

test("a city that an address names and no part is called so remains", () => {
  const house = aHouse(1, [47.0001, 9.005], "Grenzweg", "7", { "addr:city": "Cutting" });
  assert.equal(reverse([SUBURB, lane, house], 47.0001, 9.005)[0], "address: Grenzweg 7, Cutting");
  // Too far for the part of that name.
  const far = aHouse(2, [47.2, 9.005], "Grenzweg", "9", { "addr:city": "Rocher" });
  assert.equal(reverse([SUBURB, far], 47.2, 9.005)[0], "address: Grenzweg 9, Rocher");
});

test("a town is in no other that merely reaches it", () => {
  const village: Feature = {
    ...anArea(920, [47.02, 9.0, 47.03, 9.01], admin("8", "Bergen")),
    ...{ rings: [], whole: false },
  };
  const items = geocoderOf([CITY, village]).geocode(askFor("Bergen"));
  assert.equal(items[0]!.address.city, "Bergen");
});
