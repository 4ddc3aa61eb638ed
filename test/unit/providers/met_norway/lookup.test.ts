/** MET Norway: what is asked, by its terms, and any JSON at all. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { createTrail } from "#kit/trail.ts";
import { metNorwayForecast } from "#providers/met_norway/index.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { toWire } from "../../../support/place-fixtures.ts";
import { checkOutlook, QUERY, SETTINGS } from "../../../support/weather.ts";

const { request, keyOf } = metNorwayForecast;

test("four decimals at most, the language is not asked for, and one answer serves all of them", () => {
  assert.equal(
    request(QUERY, SETTINGS).url,
    "https://weather.example/base/locationforecast/2.0/complete?lat=48.8566&lon=0",
  );
  assert.equal(keyOf(QUERY), keyOf({ ...QUERY, language: "de", lat: 48.85664 }));
  assert.notEqual(keyOf(QUERY), keyOf({ ...QUERY, lat: 48.8567 }));
  assert.equal(metNorwayForecast.honours_expiry, true);
  const point = fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  fc.assert(
    fc.property(point, ({ lat, lon }) => {
      const { searchParams } = new URL(request({ lat, lon, language: "fr" }, SETTINGS).url);
      const pairs = [
        [searchParams.get("lat"), lat] as const,
        [searchParams.get("lon"), lon] as const,
      ];
      for (const [text, degrees] of pairs) {
        assert.match(text!, /^-?\d{1,3}(\.\d{1,4})?$/);
        assert.ok(Math.abs(Number(text) - degrees) <= 0.000_051 && text !== "-0");
      }
    }),
  );
});

test("any JSON is a typed failure or a series in order", () => {
  const file = new URL("../../../fixtures/providers/met_norway/whole.wire.json", import.meta.url);
  const { body } = JSON.parse(readFileSync(file, "utf8")) as { body: unknown };
  const members = [
    ...["properties", "timeseries", "time", "data", "instant", "details", "air_temperature"],
    ...["next_1_hours", "next_6_hours", "summary", "symbol_code", "precipitation_amount"],
  ];
  let good = 0;
  fc.assert(
    fc.property(
      fc.oneof(oddJson(members), damaged(body)),
      fc.constantFrom(200, 200, 200, 203, 403, 503),
      (json, status) => {
        const wire = toWire(JSON.stringify(json) ?? "", status);
        const options = { settings: SETTINGS, trail: createTrail() };
        if (checkOutlook(metNorwayForecast.read(wire, QUERY, options))) good++;
      },
    ),
    { numRuns: 1_000 },
  );
  assert.ok(good > 100, `${good} answers`);
});
