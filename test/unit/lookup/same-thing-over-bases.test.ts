/**
 * The same thing of two bases is one result, of the newest (decisions, Several bases and indexes), also
 * where the maps differ in its id, its middle, its address or the outline that it has.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { aBase, aGazetteer, toQuery } from "../../support/geocoding-bases.ts";
import { aHouse, anArea, aNode, aWay, type Feature } from "../../support/geocoder.ts";

const BOX = [47, 9, 47.2, 9.2] as const;
const COUNTRY = anArea(900, BOX, {
  ...{ boundary: "administrative", admin_level: "2", name: "Liechtenstein", "ISO3166-1": "LI" },
});
const TOWN = anArea(901, [47.1, 9, 47.2, 9.2], {
  ...{ boundary: "administrative", admin_level: "8", name: "Vaduz" },
});
const line = (id: number, [lat, from, to]: readonly number[], name: string): Feature =>
  aWay(
    id,
    [
      [lat!, from!],
      [lat!, (from! + to!) / 2],
      [lat!, to!],
    ],
    { highway: "residential", name },
  );
const square = (id: number, [lat, lon]: readonly number[], tags: Record<string, string>): Feature =>
  aWay(
    id,
    [
      [lat!, lon!],
      [lat!, lon! + 0.0004],
      [lat! + 0.0004, lon! + 0.0004],
      [lat! + 0.0004, lon!],
      [lat!, lon!],
    ],
    tags,
  );

const OLD: readonly Feature[] = [
  COUNTRY,
  aNode(1, [47.15, 9.1], { place: "village", name: "Vaduz" }),
  aNode(2, [47.12, 9.05], { place: "hamlet", name: "Mühleholz" }),
  aNode(3, [47.151, 9.1], { tourism: "hotel", name: "Adler" }),
  line(4, [47.16, 9.1, 9.104], "Landstrasse"),
  aHouse(5, [47.1601, 9.101], "Landstrasse", "5"),
  aNode(6, [47.152, 9.1], { highway: "bus_stop", name: "Post" }),
  aNode(7, [47.153, 9.1], { amenity: "townhall", name: "Rathaus" }),
];
/** Drawn again: other ids, outlines, more of the street, addresses, and a municipality. */
const NEW: readonly Feature[] = [
  COUNTRY,
  TOWN,
  aNode(101, [47.153, 9.103], { place: "town", name: "Vaduz", population: "5000" }),
  square(102, [47.121, 9.051], { place: "hamlet", name: "Mühleholz" }),
  square(103, [47.1511, 9.1001], {
    ...{ tourism: "hotel", name: "Adler", "addr:street": "Landstrasse", "addr:housenumber": "9" },
  }),
  line(104, [47.1601, 9.096, 9.106], "Landstrasse"),
  aHouse(105, [47.16015, 9.10105], "Landstrasse", "5", { "addr:postcode": "9490" }),
  aNode(106, [47.1521, 9.1009], { highway: "bus_stop", name: "Post" }),
  square(107, [47.1531, 9.1001], {
    building: "yes",
    name: "Rathaus",
    "addr:street": "Landstrasse",
  }),
];
const older = aBase("older", BOX, OLD, { data_at: "2020-01-01T00:00:00Z" });
const newer = aBase("newer", BOX, NEW);
const world = aGazetteer([
  ["Vaduz", "LI", 47.141, 9.121, 5_200],
  ["Planken", "LI", 47.05, 9.05, 400],
]);

const QUESTIONS = [
  ...["Vaduz", "Mühleholz", "Adler", "Landstrasse", "Landstrasse 5", "Post", "Rathaus"],
  ...["Landstrasse 5, Vaduz", "hotel", "Landstrasse, Vaduz", "Nirgendsgasse 77, Vaduz"],
];

test("what two bases have is listed once, of the newest, in any order of them", async () => {
  for (const bases of [
    [older, newer],
    [newer, older],
  ])
    for (const gazetteer of [world, null])
      for (const q of QUESTIONS) {
        const operation = q === "hotel" ? "search" : "geocode";
        const { names } = await toQuery(bases, gazetteer)(q, {}, operation);
        if (gazetteer === null && q.startsWith("Nirgendsgasse")) continue;
        const [first] = names;
        assert.equal(first?.split(":")[0], "newer", `${q}: ${names.join()}`);
        const same = names.filter((name) => name.split(": ")[1] === first?.split(": ")[1]);
        assert.equal(same.length, 1, `${q}: ${names.join()}`);
      }
});

test("things of one name in two towns, or further apart, are two", async () => {
  const other = aBase("other", BOX, [
    COUNTRY,
    anArea(902, [47, 9, 47.1, 9.2], {
      ...{ boundary: "administrative", admin_level: "8", name: "Triesen" },
    }),
    aNode(201, [47.05, 9.1], { tourism: "hotel", name: "Adler" }),
    line(202, [47.05, 9.1, 9.104], "Landstrasse"),
    aNode(203, [47.05, 9.1], { amenity: "townhall", name: "Rathaus" }),
    aHouse(204, [47.0501, 9.101], "Landstrasse", "5"),
    aNode(205, [47.05, 9.1], { highway: "bus_stop", name: "Post" }),
  ]);
  for (const q of ["Adler", "Landstrasse", "Rathaus", "Landstrasse 5", "Post"]) {
    const { names } = await toQuery([newer, other])(q);
    const sources = new Set(names.slice(0, 2).map((name) => name.split(":")[0]));
    assert.deepEqual(sources, new Set(["newer", "other"]), `${q}: ${names.join()}`);
  }
});
