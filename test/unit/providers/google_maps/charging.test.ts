/**
 * Unknown never becomes zero (§2.5), over generated `evChargeOptions`: a zero of ours appears only
 * where Google wrote one, and a total only where every part is known.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTrail } from "#kit/trail.ts";
import { toCharging } from "#providers/google_maps/google-charging.ts";
import { READERS, toWire } from "./readers.ts";
import { tries } from "../../../support/size.ts";

const TYPES = ["CCS_COMBO_2", "TYPE_2", "TESLA", "OTHER", "FROM_TOMORROW"];
const PARTS = [
  ["available_count", "availableCount"],
  ["out_of_service_count", "outOfServiceCount"],
] as const;

const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
/** Plain members of proto3 are left out when zero; optional ones are written. */
const plain = maybe(fc.integer({ min: 1, max: 60 }));
const optional = maybe(fc.integer({ min: 0, max: 3 }));
const aggregation = fc.record({
  type: maybe(fc.constantFrom(...TYPES.map((type) => `EV_CONNECTOR_TYPE_${type}`))),
  maxChargeRateKw: maybe(fc.double({ min: 0.1, max: 400, noNaN: true })),
  count: plain,
  availableCount: optional,
  outOfServiceCount: optional,
  availabilityLastUpdateTime: maybe(
    fc.constantFrom("2026-09-29T14:55:00Z", "2026-09-30T00:00:00Z"),
  ),
});
const optionsOf = fc.record({
  connectorCount: plain,
  connectorAggregation: maybe(fc.array(aggregation, { maxLength: 4 })),
});

type Charging = Record<string, unknown> & { connectors: Record<string, unknown>[] };
const read = (evChargeOptions: unknown): Charging => {
  const wire: unknown = JSON.parse(JSON.stringify({ evChargeOptions }));
  return toCharging(wire as Record<string, unknown>, "id", createTrail()) as Charging;
};
const total = (parts: readonly (number | undefined)[]): number | undefined =>
  parts.length === 0 || parts.includes(undefined)
    ? undefined
    : parts.reduce<number>((sum, part) => sum + part!, 0);

// Proves §2.5 never zero
test("each number is the one that was written, or is not there", () => {
  fc.assert(
    fc.property(optionsOf, (options) => {
      const parts = options.connectorAggregation ?? [];
      const match = read(options);
      assert.equal(match.connectors.length, parts.length);
      parts.forEach((part, index) => {
        const connector = match.connectors[index]!;
        assert.equal(connector["count"], part.count);
        assert.equal(connector["max_kw"], part.maxChargeRateKw);
        for (const [ours, theirs] of PARTS) assert.equal(connector[ours], part[theirs]);
      });
      for (const [ours, theirs] of PARTS) {
        assert.equal(match[ours], total(parts.map((part) => part[theirs])));
      }
      const sum = total(parts.map((part) => part.count));
      assert.equal(match["connector_count"], options.connectorCount ?? sum);
      const times = parts.flatMap((part) => part.availabilityLastUpdateTime ?? []).sort();
      assert.equal(match["availability_updated_at"], times[0]);
    }),
    { numRuns: tries(2_000) },
  );
});

const COUNTS = ["connector_count", "count", "available_count", "out_of_service_count", "max_kw"];

test("garbage yields no number and throws nothing", () => {
  const dirty = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(null, -1, "", " ", "x", 0.5, -0.4, false, []),
  );
  const keys = ["type", "maxChargeRateKw", "count", "availableCount", "outOfServiceCount"];
  const row = fc.dictionary(fc.constantFrom(...keys, "availabilityLastUpdateTime"), dirty);
  const garbage = fc.record({
    connectorCount: dirty,
    connectorAggregation: fc.oneof(fc.array(fc.oneof(row, dirty), { maxLength: 3 }), dirty),
  });
  // Zero as a number or as text in any spelling; nothing else may become one.
  const isZero = (value: unknown) =>
    value === 0 || (typeof value === "string" && value.trim() !== "" && Number(value) === 0);
  fc.assert(
    fc.property(garbage, (options) => {
      const match = read(options);
      const written: unknown[] = [];
      JSON.stringify(options, (_key, value: unknown) => (written.push(value), value));
      for (const item of [match, ...match.connectors]) {
        for (const value of COUNTS.map((name) => item[name]).filter((one) => one !== undefined)) {
          assert.ok(typeof value === "number" && value >= 0);
          if (value === 0) assert.ok(written.some(isZero), JSON.stringify(options));
        }
      }
    }),
    { numRuns: tries(2_000) },
  );
});

test("a charging station that states nothing about its connectors has an empty list of them", () => {
  for (const evChargeOptions of [undefined, null, {}, [], "none"]) {
    const places = [{ id: "a", location: { latitude: 1, longitude: 1 }, evChargeOptions }];
    const { read: answer } = READERS.charging(toWire(JSON.stringify({ places })));
    assert.ok(answer.ok);
    const [place] = answer.value as { attributes: Record<string, unknown> }[];
    assert.deepEqual(place?.attributes["charging"], { connectors: [] });
  }
});
