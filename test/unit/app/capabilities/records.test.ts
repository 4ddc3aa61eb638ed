/** The records of a dataset (app/capabilities/stored-records): of what may not be kept whole, ids alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toRecords } from "#app/capabilities/stored-records.ts";

type Options = Parameters<typeof toRecords>[2];

const NEAREST = { id: "s", distance_meters: 12, location: { lat: 48.85, lon: 2.35 } };

function keep(store: "all" | "ids", nearest_known: object | null) {
  const body = {
    results: { places: [], stations: [{ id: "s", name: "Square" }], vehicles: [] },
    available_actions: [],
    nearest_known,
  };
  const audit = { sources: [{ source_id: "a" }], observed: new Map([["s", ["a"]]]) };
  const termsOf = (() => ({ store })) as unknown as Options["termsOf"];
  const { bytes } = toRecords(
    Buffer.from(JSON.stringify(body)),
    audit as unknown as Parameters<typeof toRecords>[1],
    { intent: null, termsOf },
  );
  return JSON.parse(Buffer.from(bytes).toString()) as Partial<typeof body>;
}

test("where the nearest is that is known to fit is kept of what may be kept whole", () => {
  assert.deepEqual(keep("all", NEAREST).nearest_known, NEAREST);
  const bare = keep("ids", NEAREST);
  assert.deepEqual(bare.results!.stations, [{ id: "s" }]);
  assert.ok(!("nearest_known" in bare));
  assert.equal(keep("ids", null).nearest_known, null);
});
