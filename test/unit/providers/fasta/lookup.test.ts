/** The request to the register of lifts, and what may be kept of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import fasta, { fastaLifts } from "#providers/fasta.ts";
import { isConfigured, type Source } from "#providers/source.ts";
import { toWire } from "../../../support/place-fixtures.ts";
import { read, SETTINGS } from "./readers.ts";

test("all lifts are asked for at once, and no escalators, with both parts of the key as headers", () => {
  assert.deepEqual(fastaLifts.request(null, SETTINGS), {
    url: "https://lifts.example/v2/facilities?type=ELEVATOR",
    headers: { accept: "application/json" },
    auth: { kind: "headers", headers: { "DB-Client-Id": "client", "DB-Api-Key": "key" } },
  });
  assert.equal(fastaLifts.keyOf(null), fastaLifts.keyOf(null));
});

test("without both parts of its key it is not there", () => {
  const settings = { ...SETTINGS, client_id: "client", api_key: null };
  assert.equal(isConfigured(fasta, settings), false);
  const source: Source = fasta;
  assert.equal(source.without!(SETTINGS), "absent");
  assert.equal(isConfigured(fasta, SETTINGS), true);
});

test("whatever rows it sends, each lift has a state, and none that is not said to be in service is", () => {
  const arbRow = fc.record(
    {
      equipmentnumber: fc.oneof(fc.nat(), fc.string(), fc.jsonValue()),
      type: fc.oneof(fc.constantFrom("ELEVATOR", "ESCALATOR", "elevator"), fc.jsonValue()),
      state: fc.oneof(fc.constantFrom("ACTIVE", "INACTIVE", "UNKNOWN", " active "), fc.jsonValue()),
      stationnumber: fc.jsonValue(),
      geocoordX: fc.oneof(fc.double(), fc.jsonValue()),
      geocoordY: fc.oneof(fc.double(), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  const arbRows = fc.array(fc.oneof({ weight: 5, arbitrary: arbRow }, fc.jsonValue()));
  fc.assert(
    fc.property(arbRows, (rows) => {
      const match = read(toWire(JSON.stringify(rows)));
      if (!match.ok) return assert.match(match.reason, /^[a-z_]+$/);
      const active = rows.filter((row) =>
        /"active"/i.test(JSON.stringify(row).replaceAll(" ", "")),
      );
      const fine = match.value.filter(({ state }) => state === "in_service");
      assert.ok(fine.length <= active.length);
      for (const { state, location } of match.value) {
        assert.ok(["in_service", "out_of_order", "unknown"].includes(state));
        if (location !== null) assert.ok(Math.abs(location.lat) <= 90);
      }
    }),
  );
});
