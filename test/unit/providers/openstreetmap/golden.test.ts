/** Golden pairs of Overpass: every kind, what is left out, and what is no answer at all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PLACE_KINDS } from "#core/places/place.ts";
import { parseJson } from "#kit/json.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import { openMapServices } from "#providers/openstreetmap/overpass.ts";
import { checkHidden } from "../../../support/hidden-text.ts";
import { pairsOf, plain } from "./pairs.ts";

const PAIRS = pairsOf("openstreetmap");

function read(body: Uint8Array, trail: TrailRecorder) {
  return openMapServices.read(
    { status: 200, content_type: "application/json", body },
    { kinds: PLACE_KINDS, boxes: [] },
    { settings: { url: "http://map.example/api", timeout_ms: 3_000 }, trail },
  );
}

for (const { name, body, expected } of PAIRS) {
  test(`golden ${name}`, () => {
    const trail = createTrail();
    assert.deepEqual(
      plain({ read: read(body, trail), dropped: trail.toTrail().dropped }),
      expected,
    );
  });
  test(`hidden characters in any member of ${name} are in none of the answer`, () => {
    const text = Buffer.from(body).toString();
    if (parseJson(text) === undefined) return;
    checkHidden(parseJson(text), (planted) => read(Buffer.from(planted), createTrail()));
  });
}

test("the pairs are there, a malformed one among them", () => {
  const names = PAIRS.map(({ name }) => name);
  assert.deepEqual(names, ["facilities", "malformed", "same-things", "services", "timed-out"]);
});
