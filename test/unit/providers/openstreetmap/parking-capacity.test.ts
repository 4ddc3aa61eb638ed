/** How many spaces a car park of the open map has (§2.4, additive). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parkingOf } from "#providers/openstreetmap/osm-parking.ts";

test("the capacity of a car park is shown where it is a number", () => {
  const capacity = (value: string): number | undefined =>
    parkingOf(new Map([["capacity", value]])).capacity;
  assert.equal(capacity("120"), 120);
  for (const value of ["yes", "~50", "0", "-1", "10;20", "100000", "", "1e9"])
    assert.equal(capacity(value), undefined, value);
  assert.ok(!("capacity" in parkingOf(new Map())));
});
