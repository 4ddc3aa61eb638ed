/** The three systems of units. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromKelvin, UNITS } from "#core/weather/weather-units.ts";

test("the readings of a thermometer and a vane in each unit", () => {
  const { metric, standard, imperial } = UNITS;
  const shown = (celsius: number) =>
    [metric, standard, imperial].map(({ temperature }) => temperature(celsius));
  assert.deepEqual(shown(20.7), [20.7, 293.85, 69.26]);
  assert.deepEqual(shown(-40), [-40, 233.15, -40]);
  assert.deepEqual(shown(0), [0, 273.15, 32]);
  const speeds = [metric, standard, imperial].map(({ speed }) => speed(10));
  assert.deepEqual(speeds, [10, 10, 22.37]);
  const differences = [metric, standard, imperial].map(({ warmth }) => warmth(-0.93));
  assert.deepEqual(differences, [-0.93, -0.93, -1.67]);
  assert.ok(Object.is(metric.temperature(-0.001), 0), "never -0");
});

test("Kelvin to the hundredth, there and back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 17_000, max: 35_000 }), (hundredths) => {
      const kelvin = hundredths / 100;
      assert.equal(UNITS.standard.temperature(fromKelvin(kelvin)), kelvin);
    }),
  );
});
