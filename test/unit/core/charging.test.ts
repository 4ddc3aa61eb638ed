/** Availability of charging stations: unknown is never zero, and a part is never the whole (§2.5). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type ConnectorOffer,
  powerOf_kw,
  toAvailability,
  toConnectors,
  toKw,
  type Unit,
} from "#core/places/charging-facts.ts";
import { CONNECTOR_TYPES } from "#api/tokens.ts";

const unit: fc.Arbitrary<Unit> = fc.record({
  count: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 6 }),
  state: fc.option(fc.constantFrom("available", "occupied", "out_of_service"), { freq: 6 }),
  updated_s: fc.option(fc.integer({ min: 1.6e9, max: 1.7e9 })),
});
const offer: fc.Arbitrary<ConnectorOffer> = fc.record({
  type: fc.constantFrom(...CONNECTOR_TYPES),
  unit,
  max_kw: fc.option(fc.constantFrom(22, 50)),
});

// Proves §2.5 never zero
test("sums are given when every unit states its count and state, and only then", () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 6 }), (units) => {
      const complete = units.length > 0 && units.every((one) => one.count && one.state);
      const availability = toAvailability(units);
      if (!complete) return assert.deepEqual(availability, {});
      const of = (state: string): number =>
        units.filter((one) => one.state === state).reduce((sum, one) => sum + one.count!, 0);
      assert.equal(availability.available_count, of("available"));
      assert.equal(availability.out_of_service_count, of("out_of_service"));
    }),
  );
});

test("one item for each type and power, which holds nothing unknown", () => {
  fc.assert(
    fc.property(fc.array(offer, { maxLength: 8 }), (offers) => {
      const items = toConnectors(offers);
      const keys = items.map(({ type, max_kw }) => `${type} ${max_kw}`);
      assert.equal(new Set(keys).size, items.length);
      for (const item of items) {
        const group = offers.filter(
          ({ type, max_kw }) => type === item.type && max_kw === (item.max_kw ?? null),
        );
        const counts = group.map((one) => one.unit.count);
        const whole = counts.every((count) => count !== null);
        assert.equal(item.count, whole ? counts.reduce((a, b) => a + b, 0) : undefined);
        const states = whole && group.every((one) => one.unit.state !== null);
        assert.equal("available_count" in item, states);
        for (const value of Object.values(item)) assert.ok(value != null);
      }
    }),
  );
});

test("the whole is as fresh as its newest part", () => {
  const units: Unit[] = [1_700_000_000, 1_700_000_060, null].map((updated_s) => ({
    count: 1,
    state: "available",
    updated_s,
  }));
  assert.equal(toAvailability(units).availability_updated_at, "2023-11-14T22:14:20Z");
});

test("power of voltage, current and phases", () => {
  const rows: [number | null, number | null, "dc" | "ac_1" | "ac_3" | null, number | null][] = [
    [230, 32, "ac_1", 7.36],
    [230, 32, "ac_3", 22.08],
    [400, 32, "ac_3", 22.17],
    [500, 120, "dc", 60],
    [230, 32, null, null],
    [null, 32, "dc", null],
    [230, null, "dc", null],
    [0, 32, "dc", null],
    [100_000, 1_000, "dc", null],
  ];
  for (const [volts, amperes, current, kw] of rows)
    assert.equal(powerOf_kw(volts, amperes, current), kw, `${volts} V, ${amperes} A`);
});

// Proves §2.5 never zero
test("no power is not zero", () => {
  for (const kw of [null, 0, -1, Number.NaN, Infinity, 4_001, 0.001]) assert.equal(toKw(kw), null);
  assert.equal(toKw(3.6789), 3.68);
});
