/**
 * Several bases and the gazetteer as one list (decisions, Several bases and indexes). Lists were sorted by
 * scores that mean something else in each base: "pharmacy" at Helsinki was answered with Monaco's, and the
 * same city was another one with `limit=1` than with `limit=2`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findByName } from "#app/places/base-geocoding.ts";
import type { NameQuery } from "#app/places/choose-hits.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import { createPhoton } from "#app/photon/photon-search.ts";
import type { City } from "#providers/gazetteer/cities.ts";
import { aHouse, anArea, aNode, type Feature, geocoderOf } from "../../support/geocoder.ts";
import { oneGeocoder } from "../../support/geocoding-bases.ts";
import { openCities, readTables } from "../../support/gazetteer.ts";
import { createManualClock } from "../../support/manual-clock.ts";

type Box = readonly [south: number, west: number, north: number, east: number];

function aBase(id: string, data_at: string, box: Box, features: readonly Feature[]): GeocodingBase {
  const [south, west, north, east] = box;
  return {
    statement: { id, data_at, licence: "ODbL-1.0", attribution: "©" },
    ...oneGeocoder(geocoderOf(features)),
    covers: (lat, lon) => lat >= south && lat <= north && lon >= west && lon <= east,
  };
}

function aCity(
  id: number,
  [name, country]: readonly [string, string],
  at: Box,
  people: number,
): City {
  return {
    ...{ id, name, country, region: "", feature: "PPL", population: people },
    ...{ lat7: at[0] * 1e7, lon7: at[1] * 1e7 },
  };
}

const NORTH: Box = [60, 24, 61, 26];
const SOUTH: Box = [43, 7, 44, 8];
const ages = { new: "2026-01-01T00:00:00Z", old: "2020-01-01T00:00:00Z" };

/** A country over a box with a capital, a pharmacy, a shop and a street with numbers. */
function aCountry(code: string, [south, west, north, east]: Box, town: string): Feature[] {
  const [lat, lon] = [(south + north) / 2, (west + east) / 2];
  const where = { "addr:city": town };
  return [
    anArea(900, [south, west, north, east], {
      ...{ boundary: "administrative", admin_level: "2", name: `Land ${code}` },
      "ISO3166-1:alpha2": code,
    }),
    aNode(1, [lat, lon], { place: "city", name: town }),
    aNode(10, [lat + 0.001, lon], { amenity: "pharmacy", name: `Apotheke ${code}` }),
    aNode(11, [lat, lon + 0.002], { shop: "supermarket", name: "Merkur" }),
    aHouse(20, [lat - 0.001, lon], "Hafenweg", "5", where),
    aHouse(21, [lat - 0.001, lon + 0.001], "Hafenweg", "7", where),
  ];
}

const north = aBase("north", ages.old, NORTH, aCountry("FI", NORTH, "Nordstadt"));
const south = aBase(
  "south",
  ages.new,
  SOUTH,
  aCountry("MC", SOUTH, "Südstadt").map((each): Feature => ({ ...each, id: each.id + 7_000 })),
);

function ask(bases: readonly GeocodingBase[], gazetteer: GeocodingBase | null = null) {
  const deps = { list: () => bases, gazetteer: () => gazetteer, isPending: () => false };
  return async (
    q: string,
    more: Partial<NameQuery> = {},
    operation: "geocode" | "search" = "search",
  ): Promise<string[]> => {
    const query = { q, language: null, country: null, near: null, ...more };
    const reply = await findByName(deps, query, { operation });
    assert.equal(reply.status, "ok");
    if (reply.status !== "ok") return [];
    return reply.hits.map(({ item, base }) => `${base.statement.id}: ${item.name}`);
  };
}

const AT_NORTH = { lat: 60.5, lon: 25 };
const AT_SOUTH = { lat: 43.5, lon: 7.5 };

/** Question, near to what, and the base that leads. */
const LEADING: [q: string, near: NameQuery["near"], first: string][] = [
  ["pharmacy", AT_NORTH, "north: Apotheke FI"],
  ["pharmacy", AT_SOUTH, "south: Apotheke MC"],
  ["Merkur", AT_NORTH, "north: Merkur"],
  ["Merkur", AT_SOUTH, "south: Merkur"],
  ["Hafenweg 5", AT_NORTH, "north: Hafenweg 5"],
  ["Hafenweg 5", AT_SOUTH, "south: Hafenweg 5"],
  // A place that is named goes before one that is near.
  ["Hafenweg 5, Nordstadt", AT_SOUTH, "north: Hafenweg 5"],
  ["Hafenweg 5, Südstadt", AT_NORTH, "south: Hafenweg 5"],
  // Of equals the newest.
  ["Merkur", null, "south: Merkur"],
];

test("a base that covers the point, or has the place that is named, leads", async () => {
  for (const bases of [
    [north, south],
    [south, north],
  ])
    for (const [q, near, first] of LEADING)
      assert.equal((await ask(bases)(q, { near }))[0], first, `${q} at ${near?.lat}`);
});

test("what overlapping bases have is listed once, of the newest", async () => {
  const again = aBase("again", ages.new, NORTH, aCountry("FI", NORTH, "Nordstadt"));
  // Another map's number of the same thing.
  const moved = aCountry("FI", NORTH, "Nordstadt").map((each) => ({
    ...each,
    id: each.id + 5_000,
  }));
  const other = aBase("other", ages.new, NORTH, moved);
  for (const twin of [again, other])
    for (const bases of [
      [north, twin],
      [twin, north],
    ])
      for (const q of ["pharmacy", "Merkur", "Hafenweg 5", "Hafenweg", "Nordstadt"]) {
        const match = await ask(bases)(q);
        assert.equal(new Set(match.map((each) => each.split(": ")[1])).size, match.length, q);
        assert.equal(match[0]?.split(":")[0], twin.statement.id, `${q}: ${match.join()}`);
      }
});

test("things of one name that are elsewhere are as many as they are", async () => {
  const match = await ask([north, south])("Merkur");
  assert.deepEqual(match.toSorted(), ["north: Merkur", "south: Merkur"]);
});

const AT: Record<string, Box> = {
  here: [60.5, 25, 0, 0],
  far: [33.66, -95.55, 0, 0],
};
const world = openCities(
  [
    aCity(1, ["Nordstadt", "FI"], AT["here"]!, 900_000),
    aCity(2, ["Nordstadt", "US"], AT["far"]!, 25_000),
  ],
  readTables(),
);
const gazetteer: GeocodingBase = {
  statement: { id: "gazetteer", data_at: null, licence: "CC-BY-4.0", attribution: "© GeoNames" },
  covers: () => true,
  ...oneGeocoder(world),
  names: world.names,
  isWorld: true,
};

test("the order is the same however many are asked for, and by whichever interface", async () => {
  const base = aBase("north", ages.old, NORTH, [
    // As a map without its number of people has it.
    ...aCountry("FI", NORTH, "Nordstadt").filter(({ id }) => id !== 1),
    aNode(1, [60.5, 25], { place: "village", name: "Nordstadt" }),
  ]);
  const deps = { list: () => [base], gazetteer: () => gazetteer, isPending: () => false };
  const all = await ask([base], gazetteer)("Nordstadt", { limit: 5 }, "geocode");
  assert.deepEqual(all.slice(0, 2), ["north: Nordstadt", "gazetteer: Nordstadt"]);
  for (const limit of [1, 2, 3])
    for (const operation of ["geocode", "search"] as const)
      assert.deepEqual(
        await ask([base], gazetteer)("Nordstadt", { limit }, operation),
        all.slice(0, limit),
      );
  const photon = createPhoton({ ...deps, clock: createManualClock(0) });
  for (const limit of [1, 2]) {
    const query = new URLSearchParams({ q: "Nordstadt", limit: String(limit) });
    const reply = await photon.search({ query, accepted_languages: undefined, deadline_ms: 3_000 });
    assert.ok(reply.kind === "ok");
    const countries = reply.body.features.map(({ properties }) => properties["countrycode"]);
    assert.deepEqual(countries, ["FI", "US"].slice(0, limit));
  }
});

test("a question of Photon's waits for pages no longer than its deadline", async () => {
  const clock = createManualClock(0);
  const base = aBase("north", ages.old, NORTH, aCountry("FI", NORTH, "Nordstadt"));
  const pages: GeocodingBase["pages"] = {
    ...base.pages,
    rows: base.pages.rows,
    at: () => 0,
    pin: (numbers, signal) =>
      new Promise((resolve) => {
        const cell = { z: 0, x: 0, y: 0 };
        const missing = numbers.map((number) => ({ number, cell, reason: "deadline" as const }));
        const none = { pages: [], missing, [Symbol.dispose]: () => undefined };
        signal!.addEventListener("abort", () => resolve(none));
      }),
  };
  const list = () => [{ ...base, pages }];
  const photon = createPhoton({ list, gazetteer: () => null, isPending: () => false, clock });
  const query = new URLSearchParams({ lat: "60.5", lon: "25" });
  const pending = photon.reverse({ query, accepted_languages: undefined, deadline_ms: 3_000 });
  await clock.advance(3_000);
  const reply = await pending;
  assert.equal(reply.kind === "refused" && reply.code, "provider_unavailable");
});
