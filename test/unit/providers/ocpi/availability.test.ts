/** What an OCPI endpoint does not state is never reported as zero (§2.5; places.md 0.5, 7.2). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toLocation } from "./location.ts";
import { openAll } from "./readers.ts";
import { tries } from "../../../support/size.ts";

type Counts = { count?: number; available_count?: number; out_of_service_count?: number };
type Charging = Counts & { connector_count?: number; connectors: (Counts & { type: string })[] };

const KNOWN = ["AVAILABLE", "CHARGING", "RESERVED", "BLOCKED", "INOPERATIVE", "OUTOFORDER"];
const status = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...KNOWN, "CHARGING ", "available") },
  { weight: 1, arbitrary: fc.constantFrom("UNKNOWN", "REMOVED", "PLANNED", "FAULTED", "", null) },
);
const connector = fc.record({
  standard: fc.constantFrom("IEC_62196_T2", "IEC_62196_T2_COMBO", "CHADEMO", null),
  max_electric_power: fc.constantFrom(22_000, 50_000, 50, null),
});
const evse = fc.record({ status, connectors: fc.array(connector, { maxLength: 3 }) });

function chargingOf(evses: unknown): Charging | null {
  const rows = openAll(new TextEncoder().encode(JSON.stringify([toLocation(evses)])));
  assert.equal(rows?.length, 1);
  return (rows[0]?.attributes["charging"] as Charging | undefined) ?? null;
}

const plain = (one: { status: string | null }): string => one.status?.trim().toUpperCase() ?? "";

test("a station's sums need every EVSE to report", () => {
  fc.assert(
    fc.property(fc.array(evse, { maxLength: 5 }), (evses) => {
      const charging = chargingOf(evses);
      const here = evses.filter((one) => !["REMOVED", "PLANNED"].includes(plain(one)));
      if (evses.length > 0 && here.length === 0) return assert.equal(charging, null);
      const complete = here.length > 0 && here.every((one) => KNOWN.includes(plain(one)));
      const of = (...names: string[]): number | undefined =>
        complete ? here.filter((one) => names.includes(plain(one))).length : undefined;
      assert.equal(charging?.available_count, of("AVAILABLE"));
      assert.equal(charging?.out_of_service_count, of("INOPERATIVE", "OUTOFORDER"));
      const whole = here.length > 0 && here.every(({ connectors }) => connectors.length > 0);
      const connectors = here.reduce((sum, one) => sum + one.connectors.length, 0);
      assert.equal(charging?.connector_count, whole ? connectors : undefined);
    }),
    { numRuns: tries(500) },
  );
});

test("each EVSE of a type counts once, and never more are free than exist", () => {
  fc.assert(
    fc.property(fc.array(evse, { maxLength: 5 }), (evses) => {
      const charging = chargingOf(evses);
      for (const { type } of charging?.connectors ?? []) {
        const items = charging!.connectors.filter((one) => one.type === type);
        const count = items.reduce((sum, one) => sum + one.count!, 0);
        assert.ok(count <= evses.length);
      }
      for (const item of charging?.connectors ?? [])
        assert.ok((item.available_count ?? 0) + (item.out_of_service_count ?? 0) <= item.count!);
    }),
  );
});

test("UNKNOWN, nothing and what is in no protocol are no state", () => {
  for (const none of ["UNKNOWN", "", null, "FAULTED", 7, {}]) {
    const connectors = [{ standard: "CHADEMO" }];
    assert.deepEqual(chargingOf([{ status: none, connectors }]), {
      connector_count: 1,
      connectors: [{ type: "CHAdeMO", count: 1 }],
    });
  }
});

test("only exactly 1,1 is typed where coordinates are missing", () => {
  const isKept = (latitude: string, longitude: string): boolean => {
    const rows = [toLocation([], { coordinates: { latitude, longitude } })];
    return openAll(new TextEncoder().encode(JSON.stringify(rows)))?.[0] !== null;
  };
  assert.equal(isKept("1", "1.0"), false);
  for (const [lat, lon] of [
    ["1", "103.8"],
    ["9.1", "1"],
    ["1.0001", "1"],
  ] as const)
    assert.equal(isKept(lat, lon), true, `${lat},${lon}`);
});
