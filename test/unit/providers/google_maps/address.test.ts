/** Components to an address, coordinates to a place, and rows of any garbage (places.md 0.1, 1.1). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CANDIDATE_TYPES, type Candidate } from "#osm/geocoder/candidate.ts";
import { toAddress, toComponents, toOwnName } from "#providers/google_maps/google-address.ts";
import { googleLocation } from "#providers/google_maps/google-rows.ts";
import { READERS, type ReaderName, toWire } from "./readers.ts";
import { tries } from "../../../support/size.ts";

/** From the widest to the closest: the order of the components must not matter. */
const CITIES = [
  "administrative_area_level_2",
  "administrative_area_level_3",
  "sublocality",
  "sublocality_level_1",
  "postal_town",
  "locality",
];
const component = (type: string) => ({ long_name: `a ${type}`, short_name: "x", types: [type] });

test("the city is the first of its types that there is", () => {
  for (let count = 1; count <= CITIES.length; count++) {
    const some = CITIES.slice(0, count);
    const address = toAddress(toComponents(some.map(component)), null);
    assert.equal(address.city, `a ${some.at(-1)}`);
  }
});

test("the region is the first level, else the second; the country is its name", () => {
  const second = component("administrative_area_level_2");
  const first = component("administrative_area_level_1");
  const country = { long_name: "France", short_name: "FR", types: ["country", "political"] };
  const regionOf = (...wires: object[]) => toAddress(toComponents(wires), null).region;
  assert.equal(regionOf(second, first), "a administrative_area_level_1");
  assert.equal(regionOf(second), "a administrative_area_level_2");
  assert.equal(regionOf(), null);
  assert.equal(toAddress(toComponents([country]), null).country, "France");
});

test("an address that begins with the country is named by its end, never by its whole line", () => {
  const part = (long_name: string, ...types: string[]) => ({ long_name, short_name: "?", types });
  const [japan, tokyo, code] = [
    part("日本", "country", "political"),
    part("東京都", "administrative_area_level_1", "political"),
    part("100-0004", "postal_code"),
  ];
  const ward = part("千代田区", "locality", "political");
  const us = part("United States", "country", "political");
  const mexico = part("México", "country", "political");
  for (const [formatted, wires, name] of [
    [
      "日本、〒100-0004 東京都千代田区大手町１丁目１−１",
      [japan, tokyo, ward, code],
      "大手町１丁目１−１",
    ],
    [
      "日本、〒100-0004 東京都タワー桜見台46",
      [part("46", "street_number"), tokyo, japan, code],
      "タワー桜見台46",
    ],
    [
      "日本、〒100-0004 東京都千代田区",
      [japan, tokyo, ward, code],
      "日本、〒100-0004 東京都千代田区",
    ],
    ["México 15, Centro, Puebla, México", [mexico, part("México", "route")], "México 15"],
    ["United Way 5, Ohio, USA", [us, part("United Way", "route")], "United Way 5"],
  ] as const) {
    const kind = { type: "address", main: "street_address" } as const;
    const result = toOwnName({ kind, types: ["street_address"] }, toComponents(wires), formatted);
    assert.equal(result, name);
  }
});

test("coordinates: numbers or their text, on the globe, and not 0,0", () => {
  const cases: readonly [lat: unknown, lon: unknown, expected: unknown][] = [
    [90, -180, { lat: 90, lon: -180 }],
    ["-90", "180", { lat: -90, lon: 180 }],
    [0, 0.0001, { lat: 0, lon: 0.0001 }],
    [0.0001, 0, { lat: 0.0001, lon: 0 }],
    [90.0001, 0, "coordinates_out_of_range"],
    [1, 180.0001, "coordinates_out_of_range"],
    [1, -180.0001, "coordinates_out_of_range"],
    [0, 0, "coordinates_zero"],
    ["0.0", -0, "coordinates_zero"],
    [Infinity, 1, "coordinates_unusable"],
    ["", 1, "coordinates_unusable"],
    [true, 1, "coordinates_unusable"],
    [null, 1, "coordinates_missing"],
    [1, undefined, "coordinates_missing"],
  ];
  for (const [lat, lon, expected] of cases) assert.deepEqual(googleLocation(lat, lon), expected);
});

const KEYS = [
  ...["address_components", "formatted_address", "place_id", "types", "id", "displayName"],
  ...["addressComponents", "formattedAddress", "primaryType", "googleMapsUri", "businessStatus"],
  ...["currentOpeningHours", "parkingOptions", "evChargeOptions", "attributions"],
];

test("a row of any content is read or dropped, and spoils no other", () => {
  const location = { lat: 1, lng: 1, latitude: 1, longitude: 1 };
  const good = { place_id: "good", id: "good", formatted_address: "Here", location };
  const wild = fc.dictionary(fc.constantFrom(...KEYS), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(fc.oneof(wild, fc.jsonValue()), { maxLength: 4 }), (rows) => {
      const places = [...rows, good].map((row) =>
        row && typeof row === "object" && !Array.isArray(row)
          ? { location, geometry: { location }, ...row }
          : row,
      );
      const body = { status: "OK", results: places, places };
      for (const name of Object.keys(READERS) as ReaderName[]) {
        const { read } = READERS[name](toWire(JSON.stringify(body)));
        assert.ok(read.ok);
        const ids = read.value.map((one) => {
          const { source_place_id, external_id } = one as Record<string, unknown>;
          return source_place_id ?? external_id;
        });
        // In a text search a place without a name or an address has no name at all.
        if (name !== "search") assert.ok(ids.includes("good"), name);
        if (name === "parking" || name === "charging") continue;
        for (const { type, name: text, label } of read.value as Candidate[]) {
          assert.ok(CANDIDATE_TYPES.includes(type) && text !== "" && label !== "");
        }
      }
    }),
    { numRuns: tries(500) },
  );
});
