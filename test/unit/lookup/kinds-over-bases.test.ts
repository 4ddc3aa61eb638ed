/**
 * Things of a kind over several bases (decisions, Several bases and indexes): "hotel" at Vaduz was
 * answered with the hotels of Monaco, since what a hotel is called besides made it a worse one.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NameQuery } from "#app/places/choose-hits.ts";
import { aBase, aGazetteer, toQuery } from "../../support/geocoding-bases.ts";
import { anArea, aNode, type Feature } from "../../support/geocoder.ts";

type Box = readonly [south: number, west: number, north: number, east: number];
const NORTH: Box = [47, 9, 47.3, 9.3];
const SOUTH: Box = [43.6, 7.3, 43.8, 7.5];

/** `long`: whether things are called so by many words. */
function aCountry(
  code: string,
  box: Box,
  { id, towns, named }: { id: number; towns: readonly string[]; named: (kind: string) => string },
): Feature[] {
  const [south, west, north, east] = box;
  const step = (north - south) / towns.length;
  return [
    anArea(id + 900, box, {
      ...{ boundary: "administrative", admin_level: "2", name: `Land ${code}` },
      "ISO3166-1": code,
    }),
    ...towns.flatMap((town, i): Feature[] => {
      const [from, to] = [south + i * step, south + (i + 1) * step];
      const [lat, lon] = [(from + to) / 2, (west + east) / 2];
      return [
        anArea(id + 901 + i, [from, west, to, east], {
          ...{ boundary: "administrative", admin_level: "8", name: town },
        }),
        aNode(id + i * 10, [lat, lon], { place: "town", name: town }),
        aNode(id + i * 10 + 1, [lat + 0.001, lon], { tourism: "hotel", name: named("Hotel") }),
        aNode(id + i * 10 + 2, [lat, lon + 0.001], {
          amenity: "pharmacy",
          name: named("Apotheke"),
        }),
        aNode(id + i * 10 + 3, [lat, lon - 0.001], { amenity: "restaurant", name: "Zur Sonne" }),
      ];
    }),
  ];
}

const north = aBase(
  "north",
  NORTH,
  aCountry("LI", NORTH, {
    ...{ id: 1_000, towns: ["Vaduz", "Schaan"] },
    named: (kind) => `Grosses ${kind} zum goldenen Adler am Marktplatz`,
  }),
);
const south = aBase(
  "south",
  SOUTH,
  aCountry("MC", SOUTH, {
    ...{ id: 5_000, towns: ["Monaco", "Fontvieille"] },
    named: (kind) => (kind === "Hotel" ? "Metropole" : "Bughin"),
  }),
);
const gazetteer = aGazetteer([
  ["Vaduz", "LI", 47.075, 9.15, 5_000],
  ["Schaan", "LI", 47.225, 9.15, 6_000],
  ["Monaco", "MC", 43.65, 7.4, 30_000],
]);

const AT_VADUZ = { lat: 47.076, lon: 9.15 };
const AT_MONACO = { lat: 43.651, lon: 7.4 };

/** Question, point, the base whose things are shown, and their town where one is named. */
const CASES: readonly [q: string, near: NameQuery["near"], base: string, town: string | null][] = [
  ["hotel", AT_VADUZ, "north", "Vaduz"],
  ["hotel", AT_MONACO, "south", "Monaco"],
  ["pharmacy", AT_VADUZ, "north", "Vaduz"],
  ["restaurant", AT_VADUZ, "north", "Vaduz"],
  ["Apotheke", AT_MONACO, "south", "Monaco"],
  ["hotel Vaduz", AT_VADUZ, "north", "Vaduz"],
  ["hotel Vaduz", AT_MONACO, "north", "Vaduz"],
  ["hotel Vaduz", null, "north", "Vaduz"],
  ["pharmacy near Vaduz", AT_MONACO, "north", "Vaduz"],
  ["Apotheke in Schaan", AT_VADUZ, "north", "Schaan"],
  ["restaurant Schaan", AT_MONACO, "north", "Schaan"],
  ["hôtel Monaco", AT_VADUZ, "south", "Monaco"],
  ["pharmacy near Fontvieille", AT_VADUZ, "south", "Fontvieille"],
];

test("the nearest of a kind lead, and those of the place that is named before all others", async () => {
  for (const bases of [
    [north, south],
    [south, north],
  ])
    for (const world of [gazetteer, null]) {
      const ask = toQuery(bases, world);
      for (const [q, near, base, town] of CASES) {
        const { hits, names } = await ask(q, { near }, "search");
        const what = `${q} at ${near?.lat}, ${world ? "with" : "without"} the gazetteer: ${names.join()}`;
        assert.equal(hits[0]?.base.statement.id, base, what);
        assert.equal(hits[0]?.item.address.city, town, what);
        assert.equal(hits[0]?.item.osm_key === "place", false, what);
      }
    }
});

/** Words of other languages; what is called so itself stays what is meant. */
const GEOCODED: readonly [q: string, base: string, name: RegExp][] = [
  ["pharmacy near Vaduz", "north", /Apotheke/],
  ["restaurant Schaan", "north", /Sonne/],
  ["薬局 Monaco", "south", /Bughin/],
  ["صيدلية Vaduz", "north", /Apotheke/],
  ["Apotheke Vaduz", "north", /Apotheke/],
  ["Vaduz", "north", /^Vaduz$/],
];

test("a question for an address that names a kind and a town is answered with things of the kind", async () => {
  for (const bases of [
    [north, south],
    [south, north],
  ]) {
    const ask = toQuery(bases, gazetteer);
    for (const [q, base, name] of GEOCODED) {
      const { hits, names } = await ask(q);
      assert.equal(hits[0]?.base.statement.id, base, `${q}: ${names.join()}`);
      assert.match(hits[0].item.name, name, q);
      assert.deepEqual(hits[0].item.unexplained, [], q);
    }
    // A town that no base has, and a house.
    for (const q of ["pharmacy near Nirgendwo", "restaurant 7, Schaan"]) {
      const { hits } = await ask(q);
      assert.ok(
        hits.every(({ item }) => item.by_kind !== true),
        q,
      );
    }
  }
});

test("a base that does not know the place which is named shows nothing of its own", async () => {
  for (const world of [gazetteer, null])
    for (const q of ["hotel Vaduz", "Apotheke in Schaan", "pharmacy near Vaduz"]) {
      const { hits, names } = await toQuery([south, north], world)(
        q,
        { near: AT_MONACO },
        "search",
      );
      assert.ok(
        hits.every(({ base }) => base.statement.id === "north"),
        `${q}: ${names.join()}`,
      );
    }
});

test("words of where that nothing explains are said to be unexplained", async () => {
  const { hits } = await toQuery([north])("hotel Vaduz Nirgendwo", {}, "search");
  for (const { item } of hits) {
    assert.deepEqual(item.unexplained, ["nirgendwo"]);
    assert.equal(item.match_quality, "approximate");
  }
});
