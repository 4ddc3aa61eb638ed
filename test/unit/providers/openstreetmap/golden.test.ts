/** Golden pairs of Overpass: every kind, what is left out, and what is no answer at all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PLACE_KINDS } from "#core/places/place.ts";
import { createTrail } from "#core/trail.ts";
import { openMapServices } from "#providers/openstreetmap/overpass.ts";
import { pairsOf, plain } from "./pairs.ts";

const PAIRS = pairsOf("openstreetmap");

for (const { name, body, expected } of PAIRS) {
  test(`golden ${name}`, () => {
    const trail = createTrail();
    const read = openMapServices.read(
      { status: 200, content_type: "application/json", body },
      { kinds: PLACE_KINDS, boxes: [] },
      { settings: { url: "http://map.example/api", timeout_ms: 3_000 }, trail },
    );
    assert.deepEqual(plain({ read, dropped: trail.toTrail().dropped }), expected);
  });
}

test("the pairs are there, a malformed one among them", () => {
  const names = PAIRS.map(({ name }) => name);
  assert.deepEqual(names, ["facilities", "malformed", "same-things", "services", "timed-out"]);
});
