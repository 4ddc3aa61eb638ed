/** Defibrillators of OpenAEDMap: a document per country, places with the open map's own keys. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTrail } from "#kit/trail.ts";
import source, { openAedMap as reader } from "#providers/openaedmap.ts";
import { toRegistry } from "#providers/source.ts";
import { pairsOf, plain, readRegistry } from "../openstreetmap/pairs.ts";

const openAedMap = toRegistry(source, reader);

const SETTINGS = { url: "https://aed.example", timeout_ms: 9_000, countries: [] as string[] };
const PAIRS = pairsOf("openaedmap");

for (const { name, body, expected } of PAIRS)
  test(`golden ${name}`, () => {
    assert.deepEqual(plain(readRegistry(openAedMap, body, SETTINGS)), expected);
  });

test("the pairs are there, a malformed one among them", () => {
  assert.deepEqual(
    PAIRS.map(({ name }) => name),
    ["country", "malformed"],
  );
});

test("one request per country; none named means the world", () => {
  const urlsOf = (countries: string[]) =>
    openAedMap.requests({ ...SETTINGS, countries }).map(({ url }) => url);
  assert.deepEqual(urlsOf([]), ["https://aed.example/api/v1/countries/WORLD.geojson"]);
  assert.deepEqual(urlsOf(["FR", "CH", "FR"]), [
    "https://aed.example/api/v1/countries/FR.geojson",
    "https://aed.example/api/v1/countries/CH.geojson",
  ]);
  const [request] = openAedMap.requests(SETTINGS);
  assert.equal(request!.timeout_ms, 9_000);
  assert.equal(request!.max_bytes, 256 * 1_024 * 1_024);
});

test("an answer of another shape is no register; an empty one is", () => {
  const open = (text: string) => readRegistry(openAedMap, new TextEncoder().encode(text), SETTINGS);
  for (const text of ["", "{}", '{"detail":"Not Found"}', '{"features":[{}'])
    assert.equal(open(text).places, null, text);
  assert.deepEqual(open('{"features":[]}').places, []);
});

test("each row gives a place or null, so that a reader may pause at any", () => {
  const { body } = PAIRS.find(({ name }) => name === "country")!;
  const opened = openAedMap.open(body, { settings: SETTINGS, trail: createTrail() });
  assert.equal([...opened!].length, 8);
});

test("no feature throws", () => {
  const feature = fc.record({
    geometry: fc.oneof(fc.constant({ type: "Point", coordinates: [1, 2] }), fc.jsonValue()),
    properties: fc.oneof(
      fc.record({ "@osm_type": fc.jsonValue(), "@osm_id": fc.jsonValue(), name: fc.jsonValue() }),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.jsonValue(),
    ),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(feature, fc.jsonValue())), (features) => {
      const body = new TextEncoder().encode(JSON.stringify({ features }));
      const { places, dropped } = readRegistry(openAedMap, body, SETTINGS);
      const lost = dropped.reduce((sum, { count }) => sum + count, 0);
      assert.equal(places!.length + lost, features.length);
    }),
  );
});
