/** The table of types, row by row, and which row wins where two of them say yes (places.md 2.5). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CandidateType } from "#osm/geocoder/candidate.ts";
import {
  isInterpolated,
  type OsmObjectType,
  qualityOf,
} from "#providers/open-geocoding/quality.ts";
import { type PlaceFacts, typeOf } from "#providers/open-geocoding/geocoding-types.ts";

const NOTHING: PlaceFacts = {
  key: null,
  value: null,
  words: [],
  name: "A",
  city: null,
  numbered: false,
};
const tag = (text: string): Partial<PlaceFacts> => {
  const [key, value] = text.split("=");
  return { key: key!, value: value! };
};

/** Type, then tags (`a=b`) and words that lead to it alone. */
const ALONE: readonly (readonly [CandidateType, string])[] = [
  ["airport", "aeroway=aerodrome aeroway=terminal aeroway=heliport"],
  ["railway_station", "railway=station railway=halt building=train_station"],
  ["transit_station", "railway=tram_stop railway=subway_entrance highway=bus_stop"],
  ["transit_station", "amenity=bus_station amenity=ferry_terminal public_transport=platform"],
  ["transit_station", "station=subway aerialway=station public_transport=stop_position"],
  ["station", "public_transport=station amenity=taxi amenity=bicycle_rental"],
  ["country", "nominatim:country rank:country pelias:country pelias:dependency"],
  ["region", "nominatim:state nominatim:county nominatim:province rank:state rank:county"],
  ["region", "pelias:region pelias:macroregion pelias:county pelias:macrocounty"],
  ["locality", "place=village place=hamlet place=farm place=postcode place=locality"],
  ["locality", "nominatim:village nominatim:postcode pelias:postalcode boundary=postal_code"],
  ["city", "nominatim:city nominatim:town nominatim:municipality rank:city place=town"],
  ["city", "pelias:locality pelias:localadmin"],
  ["neighborhood", "nominatim:suburb nominatim:borough nominatim:city_block rank:district"],
  ["neighborhood", "pelias:borough pelias:neighbourhood pelias:macrohood place=quarter"],
  ["street", "highway=residential rank:street pelias:street"],
  ["address", "place=house nominatim:building nominatim:house_number pelias:address"],
  ["poi", "amenity=cafe tourism=museum leisure=park historic=castle natural=peak"],
  ["poi", "man_made=tower healthcare=doctor emergency=phone pelias:venue rank:other"],
  ["establishment", "shop=bakery office=lawyer craft=brewery"],
  ["unknown", "waterway=river building=yes rank:house rank:locality nominatim:island"],
];

test("each row alone", () => {
  let count = 0;
  for (const [type, words] of ALONE)
    for (const word of words.split(" ")) {
      const facts = word.includes("=") ? tag(word) : { words: [word] };
      assert.equal(typeOf({ ...NOTHING, ...facts }), type, word);
      count++;
    }
  assert.ok(count >= 70, `only ${count}`);
  assert.equal(typeOf(NOTHING), "unknown");
});

/** Where several rows say yes the first of the table wins; where a detail decides, it does. */
const MIXED: readonly (readonly [what: string, facts: Partial<PlaceFacts>, type: CandidateType])[] =
  [
    [
      "a village of the rank of a city",
      { ...tag("place=village"), words: ["rank:city"] },
      "locality",
    ],
    ["a city that is a state", { ...tag("place=city"), words: ["rank:state"] }, "region"],
    ["a museum in a house", { ...tag("tourism=museum"), words: ["rank:house"] }, "poi"],
    [
      "a bus stop on a street",
      { ...tag("highway=bus_stop"), words: ["rank:street"] },
      "transit_station",
    ],
    [
      "a station that is a building",
      { ...tag("railway=station"), words: ["nominatim:railway"] },
      "railway_station",
    ],
    [
      "a city that is a district of itself",
      { ...tag("boundary=administrative"), words: ["rank:district"], name: "Paris", city: "Paris" },
      "city",
    ],
    [
      "a district of a city",
      { ...tag("boundary=administrative"), words: ["rank:district"], name: "Rive", city: "Paris" },
      "neighborhood",
    ],
    [
      "a district without a name, of no city",
      { ...tag("boundary=administrative"), words: ["rank:district"], name: null },
      "neighborhood",
    ],
    ["a building without a name", { ...tag("building=yes"), name: null }, "address"],
    [
      "a building with a name and a number",
      { ...tag("building=yes"), words: ["rank:house"], numbered: true },
      "address",
    ],
    [
      "a house without a name",
      { ...tag("amenity=bench"), words: ["rank:house"], name: null },
      "address",
    ],
    [
      "a shop with a number",
      { ...tag("shop=bakery"), words: ["rank:house"], numbered: true },
      "establishment",
    ],
    [
      "a quarter of the rank of a locality",
      { ...tag("place=quarter"), words: ["rank:locality"] },
      "neighborhood",
    ],
  ];

test("the first row wins", () => {
  for (const [what, facts, type] of MIXED)
    assert.equal(typeOf({ ...NOTHING, ...facts }), type, what);
});

test("what follows for the point, and what does not", () => {
  const quality = (type: CandidateType, osm_type: OsmObjectType | null, more: object = {}) =>
    qualityOf({ type, osm_type, building: false, numbered: false, interpolated: false, ...more });
  assert.equal(quality("address", "N", { numbered: true }), "rooftop");
  assert.equal(
    quality("address", "W", { numbered: true, interpolated: true }),
    "range_interpolated",
  );
  assert.equal(quality("address", "N"), null);
  assert.equal(quality("address", "W", { building: true }), "rooftop");
  assert.equal(quality("street", "W"), "geometric_center");
  assert.equal(quality("poi", "N"), "rooftop");
  assert.equal(quality("poi", "W"), "geometric_center");
  assert.equal(quality("poi", null), null);
  assert.equal(quality("unknown", "N"), null);
  for (const type of ["locality", "neighborhood", "city", "region", "country"] as const)
    assert.equal(quality(type, "N"), "approximate");
});

test("a house number on a way without an outline is one of a row along it", () => {
  const along = { osm_type: "W" as OsmObjectType, outlined: false };
  for (const value of ["house", "houses", "house_number"])
    assert.equal(isInterpolated({ key: "place", value }, along), true, value);
  const house = { key: "place", value: "house" };
  assert.equal(isInterpolated(house, { ...along, outlined: true }), false, "a building");
  assert.equal(isInterpolated(house, { ...along, osm_type: "N" }), false, "a point");
  assert.equal(isInterpolated({ key: "place", value: "square" }, along), false);
  assert.equal(isInterpolated({ key: "place", value: null }, along), false);
  assert.equal(isInterpolated({ key: "building", value: "house" }, along), false);
});
