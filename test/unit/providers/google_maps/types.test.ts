/** The ordered table of result types (places.md 1.2), with the sets that recorded answers hold. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CandidateType } from "#osm/geocoder/candidate.ts";
import { toKind, toPlaceKind } from "#providers/google_maps/google-types.ts";

const SETS: readonly (readonly [types: string, expected: CandidateType])[] = [
  ["establishment point_of_interest airport", "airport"],
  ["heliport transit_station", "airport"],
  ["transit_station train_station subway_station", "railway_station"],
  ["bus_station establishment point_of_interest transit_station", "transit_station"],
  ["ferry_terminal", "transit_station"],
  ["taxi_stand point_of_interest", "station"],
  ["political country", "country"],
  ["administrative_area_level_1 establishment point_of_interest political", "region"],
  ["administrative_area_level_7 political", "region"],
  ["archipelago natural_feature establishment", "region"],
  ["locality political ward", "city"],
  ["colloquial_area locality political", "city"],
  ["postal_town", "city"],
  ["political sublocality sublocality_level_1", "neighborhood"],
  ["neighborhood political", "neighborhood"],
  ["postal_code postal_code_prefix", "locality"],
  ["colloquial_area political", "locality"],
  ["political", "locality"],
  ["establishment natural_feature park point_of_interest", "poi"],
  ["establishment point_of_interest political university", "poi"],
  ["premise museum", "poi"],
  ["street_address", "address"],
  ["subpremise", "address"],
  ["premise establishment", "address"],
  ["floor", "address"],
  ["post_box", "address"],
  ["route", "street"],
  ["intersection political", "street"],
  ["establishment point_of_interest", "establishment"],
  ["point_of_interest", "establishment"],
  ["plus_code", "unknown"],
  ["geocode", "unknown"],
  ["", "unknown"],
];

for (const [text, expected] of SETS) {
  test(`${text || "nothing"} is ${expected}, in any order`, () => {
    const types = text.split(" ").filter(Boolean);
    assert.equal(toKind(types).type, expected);
    assert.equal(toKind(types.toReversed()).type, expected);
  });
}

test("the primary type of a place counts, unless it says nothing", () => {
  const typeOf = (primary: string | null, ...types: string[]) => toPlaceKind(primary, types).type;
  assert.equal(typeOf("restaurant", "restaurant", "train_station"), "poi");
  assert.equal(typeOf("train_station", "transit_station"), "railway_station");
  assert.equal(typeOf("establishment", "museum", "establishment"), "poi");
  assert.equal(typeOf(null, "locality", "political"), "city");
  assert.equal(typeOf(null), "unknown");
});
