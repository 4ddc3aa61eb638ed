/** Open-Meteo: what is asked, with and without a key, and any JSON at all. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { createTrail } from "#kit/trail.ts";
import { openMeteoForecast } from "#providers/open_meteo/index.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { toWire } from "../../../support/place-fixtures.ts";
import { checkOutlook, QUERY, SETTINGS } from "../../../support/weather.ts";

const settings = { ...SETTINGS, api_key: null };

test("one question for now and six days, in our units; a key goes apart from the address", () => {
  const { url, auth } = openMeteoForecast.request(QUERY, settings);
  const { pathname, searchParams } = new URL(url);
  assert.equal(pathname, "/base/v1/forecast");
  const { current, hourly, ...rest } = Object.fromEntries(searchParams);
  assert.deepEqual(rest, {
    latitude: "48.8566",
    longitude: "0",
    timeformat: "unixtime",
    wind_speed_unit: "ms",
    forecast_days: "6",
  });
  assert.ok(current!.includes("weather_code") && hourly!.startsWith(current!));
  assert.match(hourly!, /,precipitation,rain,showers,precipitation_probability$/);
  assert.equal(auth, undefined);
  const paid = openMeteoForecast.request(QUERY, { ...settings, api_key: "k" });
  assert.deepEqual([paid.auth, paid.url], [{ kind: "query", name: "apikey", value: "k" }, url]);
});

test("any JSON is a typed failure or a series in order", () => {
  const file = new URL("../../../fixtures/providers/open_meteo/whole.wire.json", import.meta.url);
  const { body } = JSON.parse(readFileSync(file, "utf8")) as { body: unknown };
  const members = [
    ...["current", "hourly", "time", "temperature_2m", "weather_code", "is_day", "cloud_cover"],
    ...["precipitation", "rain", "showers", "visibility", "wind_speed_10m", "wind_direction_10m"],
  ];
  let good = 0;
  fc.assert(
    fc.property(
      fc.oneof(oddJson(members), damaged(body)),
      fc.constantFrom(200, 200, 200, 400, 429),
      (json, status) => {
        const wire = toWire(JSON.stringify(json) ?? "", status);
        const options = { settings, trail: createTrail() };
        if (checkOutlook(openMeteoForecast.read(wire, QUERY, options))) good++;
      },
    ),
    { numRuns: 1_000 },
  );
  assert.ok(good > 100, `${good} answers`);
});
