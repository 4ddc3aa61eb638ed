/** How InPost is asked; that nothing it sends throws; recorded answers. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import descriptor, { inpostLockers as reader, INPOST_COUNTRIES } from "#providers/inpost/index.ts";
import { toLookup } from "#providers/source.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { checkRead, toWire } from "../../../support/place-fixtures.ts";
import { QUERY, read, SETTINGS } from "./readers.ts";

const inpost = toLookup(descriptor, reader);

const DATA = new URL("../../../../../shared/data/services/parcel-lockers-uk/", import.meta.url);
const POINT = {
  name: "GDY01A",
  type: ["parcel_locker"],
  status: "Operating",
  location_247: true,
  location: { latitude: 54.5, longitude: 18.5 },
  location_description: "x",
  opening_hours: "MON|05:00-23:00|-;TUE|-|-",
  operating_hours_extended: { customer: { monday: [{ start: 300, end: 1380 }] } },
  address: { line1: "Morska 1", line2: "81-001 Gdynia" },
  address_details: { city: "Gdynia", province: "pomorskie", building_number: "1 - Shop" },
  functions: ["parcel"],
  image_url: "https://static.example/a.jpg",
  virtual: "0",
};

const parametersOf = (query: Partial<typeof QUERY>): [base: string, Record<string, string>] => {
  const { url } = inpost.request({ ...QUERY, ...query }, SETTINGS);
  const { origin, pathname, searchParams } = new URL(url);
  return [origin + pathname, Object.fromEntries(searchParams)];
};
const PLAIN = {
  relative_point: "51.5,-0.12",
  max_distance: "1500",
  limit: "100",
  per_page: "100",
  sort_by: "distance_to_relative_point",
  sort_order: "asc",
  type: "parcel_locker",
  functions: "parcel_collect",
  status: "Operating",
};

// Proves §4.6 country
test("the host of all countries is given the country, if there is one", () => {
  const base = "https://points.example/v1/points";
  assert.deepEqual(parametersOf({}), [base, { ...PLAIN, country: "PL" }]);
  assert.deepEqual(parametersOf({ country: null }), [base, PLAIN]);
});

test("a country with a host of its own is asked there, without the country", () => {
  assert.deepEqual(parametersOf({ country: "GB" }), ["https://uk.points.example/v1/points", PLAIN]);
});

test("metres are whole and within what the source takes", () => {
  assert.equal(parametersOf({ radius_m: 0.2 })[1]["max_distance"], "1");
  assert.equal(parametersOf({ radius_m: 90_000 })[1]["max_distance"], "50000");
  assert.equal(parametersOf({ lat: -1e-9, lon: 180 })[1]["relative_point"], "0,180");
});

test("refusals are wanted with their bodies; limit and language make no other question", () => {
  const request = inpost.request(QUERY, SETTINGS);
  assert.ok(request.refusal_bytes! > 0 && request.max_bytes! <= 2 * 1_024 * 1_024);
  assert.equal(inpost.keyOf(QUERY), inpost.keyOf({ ...QUERY, limit: 3, language: "pl" }));
  for (const other of [{ lat: 1 }, { lon: 1 }, { radius_m: 1 }, { country: null }])
    assert.notEqual(inpost.keyOf(QUERY), inpost.keyOf({ ...QUERY, ...other }));
});

test("ids may be stored, and eleven countries are covered", () => {
  assert.equal(descriptor.terms.store, "ids");
  assert.equal([...INPOST_COUNTRIES].join(" "), "PL GB IT FR ES BE NL LU PT AT DE");
  const covered = ["PL", "DE", "SE", null].map((country) =>
    descriptor.covers!(country, SETTINGS as never),
  );
  assert.deepEqual(covered, [true, true, false, false]);
});

// Proves §4.6 lockers
test("the nearest hundred of more points are kept", () => {
  const items = Array.from({ length: 130 }, (_, index) => ({
    ...POINT,
    name: `L${index}`,
    location: { latitude: 51.5 + (130 - index) / 1_000, longitude: -0.12 },
  }));
  const match = read(toWire(JSON.stringify({ items })));
  assert.equal(checkRead(match), 100);
  assert.ok(match.ok);
  assert.equal(match.raw, 130);
  assert.equal(match.value[0]!.external_id, "L129");
  assert.equal(match.value.at(-1)!.external_id, "L30");
});

// Proves §4.6 lockers
test("any JSON is a typed failure or places", () => {
  const members = [...Object.keys(POINT), "items", "latitude", "longitude", "customer", "monday"];
  const any = fc.oneof(
    oddJson([...members, "start", "end", "city", "province", "building_number", "line1"]),
    damaged({ count: 2, items: [POINT, { ...POINT, name: "GDY02A" }] }),
  );
  fc.assert(fc.property(any, (json) => void checkRead(read(toWire(JSON.stringify(json))))));
});

test("recorded answers", (t) => {
  if (!existsSync(DATA)) return t.skip("no parcel-lockers-uk in ../shared/data");
  const files = readdirSync(DATA).filter((file) => file.endsWith(".json"));
  assert.equal(files.length, 4);
  const bodies = new Map(files.map((file) => [file, readFileSync(new URL(file, DATA))]));
  const counts = files.map((file) => checkRead(read(toWire(bodies.get(file)!))));
  t.diagnostic(`${files.length} bodies, ${counts.reduce((sum, count) => sum + count, 0)} lockers`);
  const match = read(toWire(bodies.get("points.json")!));
  assert.ok(match.ok);
  // Twelve points, four of them disabled.
  assert.deepEqual([match.raw, match.value.length], [12, 8]);
  for (const { name, external_id, attributes } of match.value) {
    assert.deepEqual([name, attributes["code"]], [null, external_id]);
    assert.match(String(attributes["opening_hours"]), /^24\/7$|^(Mo|Tu|We|Th|Fr|Sa|Su)\b/);
  }
  const refused = read(toWire(bodies.get("point-error.json")!, 404));
  assert.deepEqual(refused, { ok: false, status: "unavailable", reason: "http_404" });
});
