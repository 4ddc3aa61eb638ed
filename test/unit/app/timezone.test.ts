/** Offsets of clocks at coordinates, offline. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadTimezones, offsetOf_s } from "#app/timezone.ts";

const HOUR_S = 3_600;
const WINTER_MS = Date.UTC(2026, 0, 15);
const SUMMER_MS = Date.UTC(2026, 6, 15);

const PLACES: readonly [string, lat: number, lon: number, winter_h: number, summer_h: number][] = [
  ["Paris", 48.8566, 2.3522, 1, 2],
  ["London", 51.5, -0.12, 0, 1],
  ["New York", 40.7, -74, -5, -4],
  ["Kathmandu", 27.7, 85.32, 5.75, 5.75],
  ["Adelaide", -34.93, 138.6, 10.5, 9.5],
  ["St. John's", 47.56, -52.71, -3.5, -2.5],
  ["Apia", -13.83, -171.77, 13, 13],
  ["Lord Howe", -31.55, 159.08, 11, 10.5],
];

test("whole hours, halves and quarters, summer and winter", async () => {
  const zoneAt = await loadTimezones();
  for (const [name, lat, lon, winter_h, summer_h] of PLACES) {
    const zone = zoneAt(lat, lon);
    assert.equal(offsetOf_s(zone, WINTER_MS), winter_h * HOUR_S, `${name} ${zone} in January`);
    assert.equal(offsetOf_s(zone, SUMMER_MS), summer_h * HOUR_S, `${name} ${zone} in July`);
  }
  assert.equal(offsetOf_s("Africa/Monrovia", Date.UTC(1960, 0, 1)), -(44 * 60 + 30));
});

test("every place on Earth has a zone that the runtime knows", async () => {
  const zoneAt = await loadTimezones();
  const zones = new Set<string>();
  for (let lat = -90; lat <= 90; lat += 1)
    for (let lon = -180; lon <= 180; lon += 1) zones.add(zoneAt(lat, lon));
  for (const zone of zones) {
    const offset_s = offsetOf_s(zone, SUMMER_MS);
    assert.ok(Math.abs(offset_s) <= 14 * HOUR_S && offset_s % 900 === 0, `${zone}: ${offset_s}`);
  }
  assert.ok(zones.size > 250, `${zones.size} zones`);
});
