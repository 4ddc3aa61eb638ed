/** What a station has of a wish for one form of vehicle, counted by kinds or not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readWish } from "#core/wishes/read-wish.ts";
import { countOf } from "#mcp/tools/ask-mobility.ts";

type Station = Parameters<typeof countOf>[0];
type Kinds = NonNullable<Station["vehicle_types"]>;

function countCargo(kinds?: readonly string[]): number | null {
  const read = readWish("bike:cargo");
  if (!read.ok) assert.fail(read.message);
  const vehicle_types = kinds?.map((form_factor) => ({ form_factor })) as Kinds | undefined;
  const availability = { vehicles: 4, docks: null, electric: null, by_mode: null };
  const station = { availability, mode: "bicycle", ...(kinds && { vehicle_types }) };
  return countOf(station as unknown as Station, "bicycle", read.wish.options);
}

test("a station that says no kinds of vehicles may have one of the form: never none", () => {
  assert.equal(countCargo(), null);
  assert.equal(countCargo([]), null);
});

test("its kinds say whether it may have one of the form", () => {
  assert.equal(countCargo(["bicycle", "cargo_bicycle"]), null);
  assert.equal(countCargo(["bicycle"]), 0);
});
