/** Names of zones are a stranger's: as many are looked up as there may be, and the others are unknown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTrail } from "../trail.ts";
import { createStatedZones, MOST_ZONES } from "../stated-zones.ts";

test("beyond the bound a zone is unknown and counted, and those that are known stay so", () => {
  const trail = createTrail();
  const zoneOf = createStatedZones(trail);
  assert.equal(zoneOf("Europe/Helsinki"), "Europe/Helsinki");
  for (let n = 1; n < MOST_ZONES; n++) assert.equal(zoneOf(`Nowhere/${n}`, "a"), null);
  assert.equal(zoneOf("Asia/Tokyo", "b"), null);
  assert.equal(zoneOf("Europe/Helsinki"), "Europe/Helsinki");
  assert.equal(zoneOf(null), null);
  const [repaired] = trail.toTrail().repaired;
  assert.deepEqual([repaired?.reason, repaired?.count], ["unknown_time_zone", MOST_ZONES]);
});
