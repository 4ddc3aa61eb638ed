/** Fountains and toilets of the city of Paris (mobility.md 6.3, 6.4): what is kept, and what it says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseJsonBytes } from "#kit/json.ts";
import type { Place } from "#core/places/place.ts";
import { isInParis } from "#providers/paris_opendata/paris-area.ts";
import { fountains, toilets } from "#providers/paris_opendata/index.ts";
import { checkHidden } from "../../../support/hidden-text.ts";
import { pairsOf, plain, readRegistry } from "../openstreetmap/pairs.ts";

const SETTINGS = { url: "https://data.example", timeout_ms: 60_000 };
const SETS = { fountains, toilets };
const PAIRS = pairsOf("paris_opendata");
const AT = { geo_point_2d: { lon: 2.3522, lat: 48.8566 } };

function read(set: keyof typeof SETS, rows: unknown) {
  return readRegistry(SETS[set], new TextEncoder().encode(JSON.stringify(rows)), SETTINGS);
}

function one(set: keyof typeof SETS, row: object): Place {
  const [place, ...more] = read(set, [{ gid: 1, ...AT, ...row }]).places!;
  assert.deepEqual(more, []);
  return place!;
}

for (const { name, body, expected } of PAIRS)
  test(`golden ${name}`, () => {
    const set = SETS[name as keyof typeof SETS];
    assert.deepEqual(plain(readRegistry(set, body, SETTINGS)), expected);
    checkHidden(parseJsonBytes(body), (text) =>
      readRegistry(set, new TextEncoder().encode(text), SETTINGS),
    );
  });

test("there is a pair of each set", () => {
  assert.deepEqual(
    PAIRS.map(({ name }) => name),
    Object.keys(SETS),
  );
});

test("each set is one document, the whole export", () => {
  const urls = Object.values(SETS).flatMap((set) => set.requests(SETTINGS).map(({ url }) => url));
  assert.deepEqual(urls, [
    "https://data.example/api/explore/v2.1/catalog/datasets/fontaines-a-boire/exports/json?limit=-1",
    "https://data.example/api/explore/v2.1/catalog/datasets/sanisettesparis/exports/json?limit=-1",
  ]);
});

test("a document without a list of places is another document; an empty list is an empty set", () => {
  const wrong = [{ error_code: "x" }, null, "x", [null, 1], [{ gid: 1 }], { results: [AT] }];
  for (const body of wrong)
    assert.equal(read("fountains", body).places, null, JSON.stringify(body));
  assert.deepEqual(read("toilets", []).places, []);
  const torn = new TextEncoder().encode('[{"gid":1');
  assert.equal(readRegistry(fountains, torn, SETTINGS).places, null);
});

const DISTRICTS: readonly [commune: unknown, code: string | undefined][] = [
  ["PARIS 19EME ARRONDISSEMENT", "75019"],
  ["PARIS 1ER ARRONDISSEMENT", "75001"],
  ["Paris 4e", "75004"],
  ["PARIS 21EME ARRONDISSEMENT", undefined],
  ["PARIS 0EME ARRONDISSEMENT", undefined],
  ["VINCENNES", undefined],
  [null, undefined],
];

test("the district of a fountain is in the name of its commune", () => {
  for (const [commune, code] of DISTRICTS)
    assert.equal(one("fountains", { commune }).address?.post_code, code, String(commune));
});

const STREETS: readonly [
  adresse: unknown,
  number: string | undefined,
  street: string | undefined,
][] = [
  ["12 RUE DE RIVOLI", "12", "RUE DE RIVOLI"],
  ["12, rue de Rivoli", "12", "rue de Rivoli"],
  ["12 ter RUE X", "12 ter", "RUE X"],
  ["12bis RUE X", "12bis", "RUE X"],
  ["RUE DU 8 MAI 1945", undefined, "RUE DU 8 MAI 1945"],
  ["FACE AU 12 RUE X", undefined, "FACE AU 12 RUE X"],
  ["12", undefined, "12"],
  [" ", undefined, undefined],
  [null, undefined, undefined],
];

test("the number that leads an address is its number", () => {
  for (const [adresse, number, street] of STREETS) {
    const { address } = one("toilets", { adresse });
    assert.deepEqual([address?.number, address?.street], [number, street], String(adresse));
  }
});

const SHUT: readonly [row: object, hours: unknown][] = [
  [{ dispo: "OUI" }, "24 h / 24"],
  [{ dispo: "oui", motif_ind: "Travaux" }, "24 h / 24"],
  [{ dispo: "NON", motif_ind: "Travaux" }, "Travaux"],
  [{ dispo: "NON", motif_ind: null }, undefined],
  [{ dispo: null, motif_ind: "Travaux" }, undefined],
  [{}, undefined],
];

test("a fountain that is available is always open; else the reason is reported, or nothing", () => {
  for (const [row, hours] of SHUT)
    assert.equal(one("fountains", row).attributes["opening_hours"], hours, JSON.stringify(row));
});

test("whatever a row holds, its place is in Paris, once, and every other row is accounted for", () => {
  const value = fc.oneof(fc.string(), fc.double(), fc.integer(), fc.constantFrom(null, "", [], {}));
  const point = fc.oneof(
    fc.record({ lon: value, lat: value }),
    fc
      .record({
        lon: fc.integer({ min: 215, max: 255 }),
        lat: fc.integer({ min: 4875, max: 4895 }),
      })
      .map(({ lon, lat }) => ({ lon: lon / 100, lat: lat / 100 })),
    value,
  );
  const row = fc.record(
    { gid: value, adresse: value, commune: value, arrondissement: value, geo_point_2d: point },
    { requiredKeys: ["geo_point_2d"] },
  );
  const good = { gid: "good", adresse: "1 GOOD", ...AT };
  fc.assert(
    fc.property(fc.array(fc.oneof(row, value), { maxLength: 8 }), (rows) => {
      for (const set of ["fountains", "toilets"] as const) {
        const { places, dropped } = read(set, [...rows, good]);
        assert.ok(places !== null && places.length > 0);
        assert.ok(places.every(isInParis));
        assert.equal(new Set(places.map(({ external_id }) => external_id)).size, places.length);
        const lost = dropped.reduce((sum, { count }) => sum + count, 0);
        assert.equal(places.length + lost, rows.length + 1);
      }
    }),
  );
});
