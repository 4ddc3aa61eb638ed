/** vicinity places: classes as an argument, and the table of an answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CLASS_PLACES_EXAMPLE } from "#api/class-places.ts";
import { answering, type Request, run } from "./support.ts";

const PARIS = "48.8566,2.3522";

test("the count of each class, then the nearest first with what is known of them", async () => {
  const requested: Request[] = [];
  const ran = await run(["places", "pharmacy,atm", PARIS, "--usable", "now"], {
    fetch: answering([CLASS_PLACES_EXAMPLE], { requested }),
  });
  assert.equal(ran.code, 0, ran.err);
  assert.equal(
    requested[0]?.url.replace(/^http:..[^/]+/, ""),
    "/v1/places/nearby?lat=48.8566&lon=2.3522&usable=now&classes=pharmacy%2Catm",
  );
  assert.match(ran.out, /pharmacy 1 · atm 1/);
  assert.match(ran.out, /80 m\s+pharmacy\s+Pharmacie des Tilleuls\s+open until 20:00/);
  assert.match(ran.out, /168 m\s+atm\s+ATM/);
});

test("without classes or a point it says what is missing", async () => {
  const none = await run(["places", PARIS]);
  assert.equal(none.code, 2);
  assert.match(none.err, /LAT,LON/);
});

test("an answer that knows nothing of the point is exit code 3", async () => {
  const body = { ...CLASS_PLACES_EXAMPLE, status: "partial", results: [], total: 0, summary: {} };
  const ran = await run(["places", "pharmacy", PARIS], { fetch: answering([body]) });
  assert.equal(ran.code, 3, ran.err);
});
