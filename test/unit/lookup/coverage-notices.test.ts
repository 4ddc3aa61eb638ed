/**
 * What is said of the place that a question names is true (decisions, Named places bind): `Vaduz Alabama`
 * said that no base covers Alabama, of which one has a county, and of a street of Feldkirch nothing was
 * said, though no base has Feldkirch, but things around it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { aBase, aGazetteer, toQuery } from "../../support/geocoding-bases.ts";
import { aHouse, anArea, aNode, type Feature } from "../../support/geocoder.ts";

const country = (id: number, code: string, name: string, box: readonly number[]): Feature =>
  anArea(id, box, {
    ...{ boundary: "administrative", admin_level: "2", name, "ISO3166-1": code },
  });

/** Liechtenstein, whose cells hold things on the way to Feldkirch. */
const alpine = aBase(
  "alpine",
  [47, 9.4, 47.3, 9.7],
  [
    country(900, "LI", "Liechtenstein", [47, 9.4, 47.2, 9.6]),
    aNode(1, [47.14, 9.52], { place: "town", name: "Vaduz" }),
    aHouse(2, [47.141, 9.52], "Landstrasse", "5", { "addr:city": "Vaduz" }),
    aNode(3, [47.24, 9.6], { amenity: "fuel", name: "Tankstelle" }),
  ],
);
/** A county of Alabama. */
const county = aBase(
  "county",
  [32.3, -86.9, 32.7, -86.3],
  [
    country(901, "US", "United States", [32, -87, 33, -86]),
    aNode(11, [32.46, -86.46], { place: "town", name: "Prattville" }),
    aHouse(12, [32.461, -86.46], "Main Street", "5", { "addr:city": "Prattville" }),
  ],
);
const world = aGazetteer([
  ["Vaduz", "LI", 47.141, 9.521, 5_200],
  ["Feldkirch", "AT", 47.233, 9.6, 33_000, "08"],
  ["Prattville", "US", 32.464, -86.46, 35_000, "AL"],
  ["Birmingham", "US", 33.52, -86.8, 212_000, "AL"],
  ["Denver", "US", 39.74, -104.98, 700_000, "CO"],
  ["München", "DE", 48.137, 11.575, 1_260_000, "02"],
]);
const ask = toQuery([alpine, county], world);

const uncovered = (place: string) =>
  `no imported base covers ${place}, so that only the place itself is known`;
const alone = (place: string) =>
  `nothing else of the question is known in ${place}, so that only the place itself is shown`;

const CASES: readonly [q: string, first: string, notice: string | null, isPartial: boolean][] = [
  // A base has it, or things in it.
  ["Vaduz Alabama", "gazetteer: Alabama", alone("Alabama"), false],
  ["Vaduz, Alabama", "gazetteer: Alabama", alone("Alabama"), false],
  ["Landstrasse 5, Alabama", "gazetteer: Alabama", alone("Alabama"), false],
  ["Nirgendsgasse 77, Vaduz", "alpine: Vaduz", alone("Vaduz"), false],
  ["Unbekanntstrasse 7, Prattville", "county: Prattville", alone("Prattville"), false],
  // None has.
  ["Landstrasse 5, Feldkirch", "gazetteer: Feldkirch", uncovered("Feldkirch"), true],
  ["Landstrasse 5, Birmingham", "gazetteer: Birmingham", uncovered("Birmingham"), true],
  ["Main Street 5, Denver", "gazetteer: Denver", uncovered("Denver"), true],
  ["Landstrasse 5, München", "gazetteer: München", uncovered("München"), true],
  ["Landstrasse 5, Colorado", "gazetteer: Colorado", uncovered("Colorado"), true],
  ["Landstrasse 5, Germany", "gazetteer: Germany", uncovered("Germany"), true],
  // Nothing is missing.
  ["Landstrasse 5, Vaduz", "alpine: Landstrasse 5", null, false],
  ["Main Street 5, Prattville, Alabama", "county: Main Street 5", null, false],
  ["Feldkirch", "gazetteer: Feldkirch", null, false],
  ["Alabama", "gazetteer: Alabama", null, false],
  ["Vaduz", "alpine: Vaduz", null, false],
];

test("a notice says that no base covers a place only where none has it, and whenever none has", async () => {
  for (const [q, first, notice, isPartial] of CASES) {
    const { names, notices, isPartial: is } = await ask(q);
    assert.equal(names[0], first, `${q}: ${names.join()}`);
    assert.deepEqual(notices, notice === null ? [] : [notice], q);
    assert.equal(is, isPartial, q);
  }
});

test("a town that is around the things of a base is the gazetteer's where the base has no such place", async () => {
  const { names } = await ask("Feldkirch");
  assert.deepEqual(names, ["gazetteer: Feldkirch"]);
  // Its own Vaduz is one with that of the gazetteer.
  assert.deepEqual((await ask("Vaduz")).names, ["alpine: Vaduz"]);
});
