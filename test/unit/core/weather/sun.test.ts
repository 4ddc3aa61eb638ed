/** Sunrise and sunset, against almanacs, by any calendar, and where there are none. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isNight, sunOf } from "#core/weather/weather-sun.ts";

const utc = (text: string): number => Date.parse(`${text}Z`) / 1000;
const near = (got: number | null, wanted: string, within_s = 90): void =>
  assert.ok(got !== null && Math.abs(got - utc(wanted)) <= within_s, `${got} is not ${wanted}`);

/** Of timeanddate.com and the U.S. Naval Observatory's tables, to the minute. */
const ALMANAC = [
  ["Paris", 48.8566, 2.3522, 7200, "2024-06-20T12:00", "2024-06-20T03:47", "2024-06-20T19:58"],
  ["Quito", -0.18, -78.47, -18000, "2024-03-20T15:00", "2024-03-20T11:18", "2024-03-20T23:25"],
  ["Sydney", -33.87, 151.21, 39600, "2024-12-21T20:00", "2024-12-21T18:41", "2024-12-22T09:05"],
] as const;

test("as almanacs have it, of the day that the place's own calendar has", () => {
  for (const [name, lat, lon, timezone_s, at, sunrise, sunset] of ALMANAC) {
    const sun = sunOf({ lat, lon }, utc(at), timezone_s);
    assert.ok(sun.sunrise_s! < sun.sunset_s!, name);
    near(sun.sunrise_s, sunrise, 120);
    near(sun.sunset_s, sunset, 120);
  }
});

test("an hour before midnight it is today's sun, an hour after it tomorrow's", () => {
  const paris = { lat: 48.8566, lon: 2.3522 };
  const late = sunOf(paris, utc("2024-06-20T21:59:00"), 7200);
  const early = sunOf(paris, utc("2024-06-20T22:01:00"), 7200);
  assert.ok(Math.abs(early.sunrise_s! - late.sunrise_s! - 86_400) < 120);
});

test("polar day and polar night have neither; it is day or night nevertheless", () => {
  const svalbard = { lat: 78.22, lon: 15.65 };
  const none = { sunrise_s: null, sunset_s: null };
  assert.deepEqual(sunOf(svalbard, utc("2024-06-20T12:00"), 7200), none);
  assert.deepEqual(sunOf(svalbard, utc("2024-12-20T12:00"), 3600), none);
  assert.equal(isNight(svalbard, utc("2024-06-20T00:00")), false);
  assert.equal(isNight(svalbard, utc("2024-12-20T12:00")), true);
  for (const lat of [90, -90]) {
    assert.deepEqual(sunOf({ lat, lon: 0 }, utc("2024-06-20T12:00"), 0), none);
    assert.equal(isNight({ lat, lon: 0 }, utc("2024-06-20T12:00")), lat < 0);
  }
});

test("anywhere, any time: sunrise before sunset, night outside of them, on the local day", () => {
  const at = fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
    at_s: fc.integer({ min: 1_500_000_000, max: 2_500_000_000 }),
  });
  let [seen, polar] = [0, 0];
  fc.assert(
    fc.property(at, ({ lat, lon, at_s }) => {
      const timezone_s = Math.round(lon / 15) * 3600;
      const { sunrise_s, sunset_s } = sunOf({ lat, lon }, at_s, timezone_s);
      assert.equal(sunrise_s === null, sunset_s === null);
      if (sunrise_s === null || sunset_s === null) return void polar++;
      seen++;
      assert.ok(sunrise_s < sunset_s && sunset_s - sunrise_s < 86_400);
      const noon_s = (sunrise_s + sunset_s) / 2;
      const local_h = (((noon_s + timezone_s) % 86_400) + 86_400) % 86_400;
      assert.ok(Math.abs(local_h - 43_200) < 3_600, `noon at ${local_h / 3600}`);
      assert.equal(isNight({ lat, lon }, Math.floor(noon_s)), false);
      assert.equal(isNight({ lat, lon }, sunrise_s - 30), true);
      assert.equal(isNight({ lat, lon }, sunset_s + 30), true);
    }),
    { numRuns: 500 },
  );
  assert.ok(seen > 300 && polar > 20, `${seen} with a sun, ${polar} without`);
});
