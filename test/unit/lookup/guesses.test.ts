/**
 * Names with a typing error over bases and the gazetteer (decisions, Unknown names): `Triesn` was
 * Trieste (Triest), though the base that is imported has Triesen, and `Hotel` was Homyel, though it has hotels.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NameQuery } from "#app/places/choose-hits.ts";
import { aBase, aGazetteer, toQuery } from "../../support/geocoding-bases.ts";
import { anArea, aNode } from "../../support/geocoder.ts";

const TOWNS = ["Triesen", "Schaan", "Balzers", "Vaduz", "Planken", "Ruggell"];
const base = aBase(
  "here",
  [47, 9, 47.3, 9.3],
  [
    anArea(900, [47, 9, 47.3, 9.3], {
      ...{ boundary: "administrative", admin_level: "2", name: "Liechtenstein" },
      "ISO3166-1": "LI",
    }),
    ...TOWNS.map((name, i) => aNode(i + 1, [47.02 + i * 0.05, 9.1], { place: "village", name })),
    aNode(20, [47.1, 9.2], { tourism: "hotel", name: "Hotel Adler" }),
    aNode(21, [47.1, 9.21], { amenity: "place_of_worship", name: "Evangelische Kirche" }),
    aNode(22, [47.1, 9.22], { highway: "bus_stop", name: "Steg Hotel" }),
  ],
);
/** Cities of the same typing error, all of them larger. */
const world = aGazetteer([
  ["Triest", "IT", 45.65, 13.78, 200_000],
  ["Shan", "MM", 21.39, 98.22, 900_000],
  ["Balzar", "EC", -1.36, -79.9, 40_000],
  ["Planka", "DE", 52, 10, 90_000],
  ["Rugelm", "FR", 48, 2, 70_000],
  ["Homel", "BY", 52.43, 30.98, 500_000],
  ["Kirchen", "DE", 50.81, 7.89, 9_000],
  ["Vaduzig", "RO", 46, 25, 60_000],
  // In the base as well.
  ["Schaan", "LI", 47.07, 9.1, 6_000],
]);
const ask = toQuery([base], world);
const AT_BASE = { lat: 47.1, lon: 9.1 };
const AT_TRIESTE = { lat: 45.6, lon: 13.8 };

const CASES: readonly [q: string, near: NameQuery["near"], first: string, guess: boolean][] = [
  ["Triesn", null, "here: Triesen", true],
  ["Triesn", AT_BASE, "here: Triesen", true],
  ["Schan", null, "here: Schaan", true],
  ["Balzer", null, "here: Balzers", true],
  ["Plankn", null, "here: Planken", true],
  ["Rugell", null, "here: Ruggell", true],
  // The point lies outside of all that is imported: nearness orders.
  ["Triesn", AT_TRIESTE, "gazetteer: Triest", true],
  // What is called so goes before all guesses.
  ["Triest", AT_BASE, "gazetteer: Triest", false],
  ["Schaan", null, "here: Schaan", false],
  ["Vaduzig", null, "gazetteer: Vaduzig", false],
  // No base has it, whatever the error.
  ["Triesst", null, "gazetteer: Triest", true],
  ["Kirchn", null, "gazetteer: Kirchen", true],
];

test("of names with as many errors that of a base leads, unless the point is elsewhere", async () => {
  for (const [q, near, first, isGuess] of CASES)
    for (const prefix of [false, true]) {
      const { names, notices } = await ask(q, { near, prefix });
      const what = `${q} at ${near?.lat}: ${names.join()}`;
      assert.equal(names[0], first, what);
      const name = first.split(": ")[1]!;
      // As the beginning of a name it has no error.
      const isBegun = prefix && name.startsWith(q);
      const reported = isGuess && !isBegun ? [`nothing is called "${q}"; shown for: ${name}`] : [];
      assert.deepEqual(notices, reported, what);
    }
  // The cities are found, and are behind.
  for (const [q, second] of [
    ["Triesn", "gazetteer: Triest"],
    ["Schan", "gazetteer: Shan"],
    ["Balzer", "gazetteer: Balzar"],
    ["Plankn", "gazetteer: Planka"],
    ["Rugell", "gazetteer: Rugelm"],
  ] as const)
    assert.equal((await ask(q)).names[1], second, q);
});

test("a word that things have as it is written goes before a city that is called like it", async () => {
  for (const [q, first] of [
    ["Hotel", "here: Hotel Adler"],
    ["Kirche", "here: Evangelische Kirche"],
    ["Steg Hotel", "here: Steg Hotel"],
    ["Evangelische", "here: Evangelische Kirche"],
    ["Adler", "here: Hotel Adler"],
  ] as const)
    assert.equal((await ask(q)).names[0], first, q);
});

test("the beginning of a name is no typing error", async () => {
  for (const q of ["Tries", "Scha", "Balz", "Plan", "Rugg"]) {
    const { names, notices } = await ask(q, { prefix: true });
    assert.ok(names.length > 0, q);
    assert.deepEqual(notices, [], `${q}: ${names.join()}`);
  }
});
