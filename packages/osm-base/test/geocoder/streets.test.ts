/** Streets lie at their addresses, two of one name are two, and houses have names. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aHouse,
  anArea,
  aNode,
  askFor,
  aStreet,
  type Feature,
  geocoderOf,
} from "../../../../test/support/geocoder.ts";

const lane = (id: number, from: number, to: number, name = "Main Street"): Feature =>
  aStreet(id, 52, [from, to], name);
const TOWN = { "addr:city": "Oxton", "addr:postcode": "OX1" };

const houses = geocoderOf([
  aNode(1, [52, 0.01], { place: "town", name: "Oxton" }),
  lane(10, 0, 0.05),
  aNode(100, [52.0001, 0.001], {
    ...TOWN,
    "addr:street": "Main Street",
    "addr:housename": "Rose Cottage",
  }),
  aNode(101, [52.0001, 0.002], {
    ...TOWN,
    ...{ "addr:street": "Main Street", "addr:housenumber": "The Old Mill" },
  }),
  aNode(102, [52.0001, 0.003], {
    ...TOWN,
    ...{ "addr:street": "Main Street", "addr:housenumber": "7", "addr:housename": "Villa Flora" },
  }),
  aHouse(103, [52.0001, 0.004], "Main Street", "s/n", TOWN),
  aNode(104, [52.0001, 0.005], {
    ...TOWN,
    ...{ "addr:street": "Main Street", "addr:housename": "Oxton Main House" },
  }),
]);

test("a house is found by its name as by its number", () => {
  for (const [q, osm] of [
    ["Rose Cottage, Main Street, Oxton", "N100"],
    ["rose cottage main street OX1 oxton", "N100"],
    ["Main Street Rose Cottage", "N100"],
    ["The Old Mill, Main St, Oxton", "N101"],
    ["Villa Flora, Main Street, Oxton", "N102"],
    ["7 Main Street, Oxton", "N102"],
    ["Main Street s/n, Oxton", "N103"],
    ["Oxton Main House, Main Street, Oxton", "N104"],
  ] as const) {
    const [item] = houses.geocode(askFor(q));
    assert.deepEqual([item?.source_place_id, item?.match_quality], [osm, "rooftop"], q);
  }
  const [other] = houses.geocode(askFor("Pink Cottage, Main Street, Oxton"));
  assert.notEqual(other?.match_quality, "rooftop");
  const [here] = houses.reverse({ lat: 52.0001, lon: 0.001, language: null, limit: 1 });
  assert.equal(here!.address.street_number, "Rose Cottage");
});

test("a street's point lies on it at its addresses, not in the middle of its lines", () => {
  const [street] = houses.geocode(askFor("Main Street, Oxton"));
  assert.equal(street!.type, "street");
  assert.equal(street!.location.lat, 52);
  assert.ok(Math.abs(street!.location.lon - 0.003) < 1e-6, String(street!.location.lon));
});

test("two streets of one name in one town, 400 metres apart, are two", () => {
  const geocoder = geocoderOf([
    anArea(900, [51.9, -0.1, 52.1, 0.1], {
      ...{ boundary: "administrative", admin_level: "8", name: "Oxton" },
    }),
    lane(10, 0, 0.004),
    lane(11, 0.01, 0.014),
    lane(12, 0.0155, 0.017),
    aHouse(100, [52.0001, 0.001], "Main Street", "1"),
    aHouse(101, [52.0001, 0.012], "Main Street", "1"),
    aHouse(102, [52.0001, 0.013], "Main Street", "3"),
  ]);
  const streets = geocoder
    .geocode(askFor("Main Street, Oxton"))
    .filter(({ type }) => type === "street");
  // Of the two that are 100 metres apart the gap is a crossing.
  assert.deepEqual(
    streets.map(({ location }) => location.lon),
    [0.0135, 0.002],
  );
  const numbers = geocoder.geocode(askFor("Main Street 1, Oxton"));
  assert.deepEqual(
    numbers.slice(0, 2).map(({ location }) => location.lon),
    [0.012, 0.001],
  );
});

const VILLAGE: readonly Feature[] = [
  anArea(900, [51.9, -0.1, 52.1, 0.1], {
    ...{ boundary: "administrative", admin_level: "8", name: "Mauren" },
  }),
  aNode(1, [52.01, 0.01], { place: "village", name: "Schaanwald" }),
  lane(10, 0, 0.004, "Poststrasse"),
  aHouse(100, [52.0001, 0.001], "Poststrasse", "1", {
    ...{ "addr:city": "Schaanwald", "addr:postcode": "9486", "addr:suburb": "Brunnenberg" },
  }),
  aHouse(101, [52.05, 0.05], "Kirchgasse", "1", {
    ...{ "addr:city": "Mauren", "addr:postcode": "9493" },
  }),
];

test("postcode and city of an answer are those of one address", () => {
  const geocoder = geocoderOf(VILLAGE);
  const label = (q: string): string | undefined => geocoder.geocode(askFor(q))[0]?.label;
  assert.equal(label("Poststrasse 1"), "Poststrasse 1, 9486 Schaanwald");
  assert.equal(label("Poststrasse"), "Poststrasse, 9486 Schaanwald");
  assert.equal(label("Poststrasse 1, Mauren"), "Poststrasse 1, 9486 Schaanwald");
  assert.equal(label("Kirchgasse 1"), "Kirchgasse 1, 9493 Mauren");
  const [address, street] = geocoder.reverse({
    lat: 52.0001,
    lon: 0.001,
    language: null,
    limit: 2,
  });
  assert.equal(address!.label, "Poststrasse 1, 9486 Schaanwald");
  // Along a street the municipality of the point leads, with a postcode where it has only one.
  assert.equal(street!.label, "Poststrasse, Mauren");
});

test("a suburb of an address finds it", () => {
  const [item] = geocoderOf(VILLAGE).geocode(askFor("Poststrasse 1, Brunnenberg"));
  assert.deepEqual([item!.match_quality, item!.unexplained], ["rooftop", []]);
});
