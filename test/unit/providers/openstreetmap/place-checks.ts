/** What is true of every service of the open map, made up or real. */
import assert from "node:assert/strict";
import { type Place, PLACE_KINDS } from "#core/places/place.ts";
import { vocabularyProblem } from "../../../support/vocabulary.ts";

export function checkPlace(place: Place): void {
  const { kind, attributes } = place;
  assert.ok(PLACE_KINDS.includes(kind));
  assert.match(place.external_id, /^(node|way|relation)\/\d+$/);
  assert.ok(place.keys.includes(`osm:${place.external_id}`));
  assert.ok(place.name?.trim() !== "");
  assert.ok(Math.abs(place.lat) <= 90 && Math.abs(place.lon) <= 180);
  for (const value of Object.values(attributes)) assert.ok(value !== null && value !== "");
  assert.equal(vocabularyProblem(kind, attributes), null);
  if (kind === "charging")
    assert.doesNotMatch(JSON.stringify(attributes), /available_count|out_of_service|availability/);
  assert.equal(kind === "water", "drinking_water" in attributes);
}
