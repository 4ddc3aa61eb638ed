/**
 * Geocoding where a base cannot be opened (decisions, Versions of private formats), and a street that was
 * answered for a town: `Landstrasse 124 Bell` was Bell Lane, since `land` is one letter away from `lane`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findAtPoint, findByName } from "#app/places/base-geocoding.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import type { MissingPage } from "#ports/base-pages.ts";
import { WHOLE } from "#osm/pages/page-cell.ts";
import type { UnopenedBase } from "#osm/base/other-version.ts";
import type { City } from "#providers/gazetteer/cities.ts";
import { oneGeocoder } from "../../support/geocoding-bases.ts";
import { openCities, readTables } from "../../support/gazetteer.ts";
import { aHouse, aNode, aWay, geocoderOf } from "../../support/geocoder.ts";

const CITIES: readonly (readonly [name: string, country: string, lat: number, lon: number])[] = [
  ["Bell", "US", 33.98, -118.19],
  ["Vaduz", "LI", 47.141, 9.521],
  ["Helsinki", "FI", 60.17, 24.94],
];
const world = openCities(
  CITIES.map(([name, country, lat, lon], n): City => {
    const where = { lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) };
    const facts = { id: n + 1, region: "", feature: "PPL", population: 30_000 };
    return { ...facts, name, country, ...where };
  }),
  readTables(),
);
const gazetteer: GeocodingBase = {
  statement: { id: "gazetteer", data_at: null, licence: "CC-BY-4.0", attribution: "© GeoNames" },
  covers: () => true,
  ...oneGeocoder(world),
  names: world.names,
  isWorld: true,
};
type Line = (readonly [lat: number, lon: number])[];
const LANE: Line = [
  [32.461, -86.461],
  [32.462, -86.461],
];
const STREET: Line = [
  [32.47, -86.47],
  [32.471, -86.47],
];
/** A town in Alabama with a lane, and a street of another country with the number. */
const base: GeocodingBase = {
  statement: { id: "mixed", data_at: null, licence: "ODbL-1.0", attribution: "©" },
  covers: (lat, lon) => lat >= 32 && lat <= 33 && lon >= -87 && lon <= -86,
  ...oneGeocoder(
    geocoderOf([
      aNode(1, [32.46, -86.46], { place: "town", name: "Prattville" }),
      aWay(2, LANE, { highway: "residential", name: "Bell Lane" }),
      aWay(3, STREET, { highway: "residential", name: "Landstrasse" }),
      aNode(5, [32.48, -86.48], { shop: "toys", name: "An der Strasse" }),
      aHouse(4, [32.4705, -86.47], "Landstrasse", "124", { "addr:city": "Prattville" }),
    ]),
  ),
};
const old: UnopenedBase = {
  id: "old",
  reason: "earlier_version",
  box: [47, 9, 48, 10],
  sections: ["geocoder"],
  covers: (lat, lon) => lat >= 47 && lat <= 48 && lon >= 9 && lon <= 10,
};
const HERE = { lat: 47.14, lon: 9.52 };
const NAMES_OLD =
  "the base old is of another version, so that what it has is missing; asking again changes nothing until the operator acts by importing it again";

function ask(unopened: readonly UnopenedBase[], places: GeocodingBase | null = gazetteer) {
  return {
    list: () => [base],
    listUnopened: () => unopened,
    gazetteer: () => places,
    isPending: () => false,
  };
}

async function byName(q: string, near: typeof HERE | null, unopened: readonly UnopenedBase[]) {
  const query = { q, language: "en", country: null, near };
  const by_name = await findByName(ask(unopened), query, { operation: "geocode" });
  assert.ok(by_name.status === "ok", q);
  return { first: by_name.hits[0]?.item.name ?? null, ...by_name };
}

const addresses: UnopenedBase = { ...old, sections: ["services"] };

/** Question, near to what, whether it is about the base that cannot be opened. */
const QUESTIONS: [q: string, near: typeof HERE | null, isMissing: boolean][] = [
  ["Vaduz", null, true],
  ["Landstrasse 5, Vaduz", null, true],
  ["Zzyzxgasse", HERE, true],
  // What nothing is called may be anywhere.
  ["Zzyzxgasse", null, true],
  ["Helsinki", null, false],
  ["Helsinki", { lat: 60, lon: 25 }, false],
  ["Landstrasse 124, Prattville", null, false],
];

for (const [q, near, isMissing] of QUESTIONS)
  test(`${q}${near ? ` near ${near.lat}` : ""}: ${isMissing ? "a base is missing" : "is whole"}`, async () => {
    const match = await byName(q, near, [old]);
    assert.deepEqual(match.notices, isMissing ? [NAMES_OLD] : []);
    assert.equal(match.isPartial, isMissing);
    const whole = await byName(q, near, [addresses]);
    assert.ok(!whole.notices.includes(NAMES_OLD), "one without names is none of geocoding");
  });

test("at a point of it the gazetteer answers, and says what is missing; without one it is the cause", async () => {
  const query = { ...HERE, language: "en", limit: 5 };
  const at_point = await findAtPoint(ask([old]), query);
  assert.ok(at_point.status === "ok");
  assert.deepEqual([at_point.notices, at_point.isPartial], [[NAMES_OLD], true]);
  assert.deepEqual(await findAtPoint(ask([old], null), query), {
    ...{ status: "unavailable", reason: "earlier_version", source: "the base old" },
  });
  const far = await findAtPoint(ask([old], null), { ...query, lat: 60.17, lon: 24.94 });
  assert.deepEqual(far, { status: "unavailable", reason: "no_coverage" });
});

for (const q of ["Landstrasse 124 Bell", "Landstrasse 124, Bell", "124 Landstrasse Bell"])
  test(`${q}: the town, and not a lane that is called like it`, async () => {
    const match = await byName(q, null, []);
    assert.equal(match.first, "Bell");
    assert.equal(match.hits[0]?.base.statement.id, "gazetteer");
    assert.deepEqual(match.notices, [
      "no imported base covers Bell, so that only the place itself is known",
    ]);
  });

/** The base, of whose page nothing can be had. */
function lostTo(reason: MissingPage["reason"]): GeocodingBase {
  const { pages } = base;
  const missing = [{ number: 0, cell: WHOLE, reason }];
  const none = { pages: [], missing, [Symbol.dispose]: () => undefined };
  const pin = () => Promise.resolve(none);
  const own = { rows: pages.rows, at: () => 0, around: () => [0], ofTile: () => [0], pin };
  return { ...base, pages: own };
}

const HOME = { lat: 32.4705, lon: -86.47 };

test("where the page of a point cannot be read, the gazetteer answers and says so; without one it is the cause", async () => {
  const query = { ...HOME, language: "en", limit: 5 };
  for (const [reason, words] of [
    ["damaged", /^the base mixed is unreadable, .* by importing it again$/],
    ["busy", /^the base mixed is over its allowance, .*; ask again in a moment$/],
  ] as const) {
    const lost = lostTo(reason);
    const at_point = await findAtPoint({ ...ask([]), list: () => [lost] }, query);
    assert.ok(at_point.status === "ok");
    assert.ok(at_point.isPartial && at_point.hits.every(({ base: { isWorld } }) => isWorld));
    assert.match(at_point.notices.join(), words);
    const alone = { ...ask([], null), list: () => [lost] };
    assert.deepEqual(await findAtPoint(alone, query), {
      ...{ status: "unavailable", reason, source: "the base mixed" },
    });
    // Another base that covers the point has it.
    const other = { ...base, statement: { ...base.statement, id: "other" } };
    const whole = await findAtPoint({ ...alone, list: () => [lost, other] }, query);
    assert.ok(whole.status === "ok" && whole.hits[0]!.base.statement.id === "other");
    assert.deepEqual([whole.notices, whole.isPartial], [[], false]);
  }
});

test("a name that a page may have which cannot be read is answered in part, with the base", async () => {
  const deps = { ...ask([]), list: () => [lostTo("damaged")] };
  const query = { q: "Landstrasse 124, Prattville", language: "en", country: null, near: null };
  const by_name = await findByName(deps, query, { operation: "geocode" });
  assert.ok(by_name.status === "ok" && by_name.isPartial);
  assert.ok(by_name.notices.some((text) => text.startsWith("the base mixed is unreadable")));
});
