/** The zone that a location states goes with its hours; one that there is not is left out, and counted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTrail } from "#kit/trail.ts";
import { toLocation } from "./location.ts";
import { openAll } from "./readers.ts";

const EVSES = [
  {
    uid: "E1",
    status: "AVAILABLE",
    connectors: [{ id: "1", standard: "IEC_62196_T2", power_type: "AC_3_PHASE" }],
  },
];

function zoneOf(time_zone: unknown) {
  const trail = createTrail();
  const data = [toLocation(EVSES, { time_zone })];
  const body = new TextEncoder().encode(JSON.stringify({ status_code: 1000, data }));
  const [place] = openAll(body, trail)!;
  const repaired = trail.toTrail().repaired.map(({ reason }) => reason);
  return [place!.opening?.time_zone ?? null, repaired.includes("unknown_time_zone")];
}

for (const [stated, zone, counted] of [
  ["Europe/Helsinki", "Europe/Helsinki", false],
  ["Asia/Calcutta", "Asia/Calcutta", false],
  ["Europe/Nowhere", null, true],
  ["+02:00", null, true],
  ["CEST", null, true],
  ["", null, false],
  [undefined, null, false],
  [2, null, true],
] as const)
  test(`a location that states ${JSON.stringify(stated) ?? "no zone"} has ${zone ?? "that of its place"}`, () => {
    assert.deepEqual(zoneOf(stated), [zone, counted]);
  });
