/** What Open Charge Map does not state is never reported as zero (§2.5; places.md 0.5, 7.1). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toWire } from "../../../support/place-fixtures.ts";
import { toPoi } from "./poi.ts";
import { read } from "./readers.ts";
import { tries } from "../../../support/size.ts";

type Counts = { available_count?: number; out_of_service_count?: number };
type Charging = Counts & { connector_count?: number; connectors: (Counts & { type: string })[] };

const GONE = [150, 200, 210];
const KNOWN = [10, 20, 30, 100];
const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(one, { freq: 8 });
const connection = fc.record({
  ConnectionTypeID: maybe(fc.constantFrom(1, 2, 25, 33, 28)),
  StatusTypeID: maybe(fc.constantFrom(0, 10, 10, 20, 20, 30, 50, 75, 100, 150, 200, 210)),
  Quantity: maybe(fc.integer({ min: 0, max: 4 })),
  PowerKW: maybe(fc.constantFrom(0, 22, 50)),
});

function chargingOf(connections: unknown, members: Record<string, unknown> = {}): Charging | null {
  const match = read(toWire(JSON.stringify([toPoi(connections, members)])));
  assert.ok(match.ok);
  return (match.value[0]?.attributes["charging"] as Charging | undefined) ?? null;
}

test("a station's sums need every connection to report, and to say how many it is", () => {
  fc.assert(
    fc.property(fc.array(connection, { maxLength: 5 }), (connections) => {
      const charging = chargingOf(connections);
      const here = connections.filter((one) => !GONE.includes(one.StatusTypeID ?? -1));
      if (connections.length > 0 && here.length === 0) return assert.equal(charging, null);
      const complete =
        here.length > 0 &&
        here.every((one) => one.Quantity && KNOWN.includes(one.StatusTypeID ?? -1));
      const of = (...ids: number[]): number | undefined =>
        complete
          ? here
              .filter((one) => ids.includes(one.StatusTypeID!))
              .reduce((sum, one) => sum + one.Quantity!, 0)
          : undefined;
      assert.equal(charging?.available_count, of(10));
      assert.equal(charging?.out_of_service_count, of(30, 100));
      assert.notEqual(charging?.connector_count, 0);
    }),
    { numRuns: tries(500) },
  );
});

test("a connector's counts need the same of the connections of its type", () => {
  fc.assert(
    fc.property(fc.array(connection, { minLength: 1, maxLength: 5 }), (connections) => {
      for (const item of chargingOf(connections)?.connectors ?? []) {
        assert.equal("available_count" in item, "out_of_service_count" in item);
        if (connections.some((one) => KNOWN.includes(one.StatusTypeID ?? -1))) continue;
        assert.ok(!("available_count" in item), "no status was known");
      }
    }),
  );
});

test("neither unknown nor operational is a state of availability", () => {
  for (const StatusTypeID of [null, 0, 50, 75, 99]) {
    const charging = chargingOf([{ ConnectionTypeID: 25, StatusTypeID, Quantity: 2 }]);
    assert.deepEqual(charging, { connector_count: 2, connectors: [{ type: "Type 2", count: 2 }] });
  }
});

test("the number of points is used where quantities are missing", () => {
  const connections = [{ ConnectionTypeID: 25, Quantity: null }];
  assert.equal(chargingOf(connections, { NumberOfPoints: 6 })?.connector_count, 6);
  for (const NumberOfPoints of [0, null, -1, "many"])
    assert.equal(chargingOf(connections, { NumberOfPoints })?.connector_count, undefined);
  assert.equal(chargingOf(null, { NumberOfPoints: 3 })?.connector_count, 3);
});

const STATES: readonly [site: number | null, status: number | null, out: number | undefined][] = [
  [null, 100, 2],
  [50, 100, 2],
  [50, 50, undefined],
  [30, null, 2],
  [30, 0, 2],
  [30, 50, 2],
  [30, 100, 2],
];

for (const [site, status, out] of STATES)
  test(`a site of status ${site} with a connection of status ${status}`, () => {
    const connections = [{ ConnectionTypeID: 25, StatusTypeID: status, Quantity: 2 }];
    const charging = chargingOf(connections, { StatusTypeID: site });
    assert.equal(charging?.out_of_service_count, out);
    assert.equal(charging?.available_count, out === undefined ? undefined : 0);
  });

test("a site that is closed for a time contradicts a connection that is free: neither is said", () => {
  const connections = [{ ConnectionTypeID: 25, StatusTypeID: 10, Quantity: 2 }];
  const charging = chargingOf(connections, { StatusTypeID: 30 });
  assert.deepEqual(charging, { connector_count: 2, connectors: [{ type: "Type 2", count: 2 }] });
});

test("a site that is out of operation is left out, whatever its connections say", () => {
  for (const status of [null, 0, 10, 50, 100])
    assert.equal(
      chargingOf([{ ConnectionTypeID: 25, StatusTypeID: status }], { StatusTypeID: 100 }),
      null,
    );
  assert.equal(chargingOf([], { StatusTypeID: 100 }), null);
  assert.equal(
    chargingOf([], { StatusTypeID: 30 }),
    null,
    "nothing is known but that it is closed",
  );
});

test("a site that is closed for a time says so of now, also without quantities", () => {
  const match = read(
    toWire(JSON.stringify([toPoi([{ ConnectionTypeID: 25 }], { StatusTypeID: 30 })])),
  );
  assert.ok(match.ok);
  assert.deepEqual(match.value[0]!.opening, { now: { state: "closed", until_ms: null } });
});
