/**
 * The country, the region and the zone of a point: boundaries of bases first, then the maps as far as they
 * are certain (decisions, Clocks and holidays).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { countryAt, loadCountries, NO_BORDERS, withBorders } from "#app/country.ts";
import { createOpenStates } from "#app/places/open-states.ts";
import {
  createTerritories,
  createTerritoryLoader,
  type FindTerritory,
  loadRegions,
} from "#app/territory.ts";
import { createTimezones, loadTimezones } from "#app/timezone.ts";
import type { OpenItem } from "#core/places/place-results.ts";
import type { BorderFacts, Borders } from "#ports/borders.ts";

/** West of 10°E is `west`, the rest is `east`; `whole`: countries whose boundary is known. */
function bordersAt10(
  west: Partial<BorderFacts>,
  east: Partial<BorderFacts>,
  whole: readonly string[] = [],
): Borders {
  const nowhere = { countries: [], region: null };
  const at = (_: number, lon: number): BorderFacts => ({
    ...nowhere,
    ...(lon < 10 ? west : east),
  });
  return {
    version: () => 1,
    at,
    excludes: (code, lat, lon) => whole.includes(code) && !at(lat, lon).countries.includes(code),
    crosses: ([, from, , to]) => from <= 10 && to >= 10,
  };
}

/** The map is wrong by a tenth of a degree. */
const coarse = (lat: number, lon: number): string[] => (lon < 10.1 ? ["SE", "EU"] : ["FI", "EU"]);

const CASES: readonly [what: string, borders: Borders, lon: number, country: string | null][] = [
  ["a base that has it", bordersAt10({}, { countries: ["FI"] }), 10.05, "FI"],
  ["the map where no base has it", bordersAt10({ countries: ["SE"] }, {}), 10.05, "SE"],
  [
    "the nearest other one, outside a whole boundary",
    bordersAt10({ countries: ["SE"] }, {}, ["SE"]),
    10.05,
    "FI",
  ],
  ["none that is near, far outside a whole boundary", bordersAt10({}, {}, ["SE"]), 5, null],
  ["a boundary that agrees with the map", bordersAt10({ countries: ["SE"] }, {}), 5, "SE"],
];

for (const [what, borders, lon, country] of CASES)
  test(`the country of a point: ${what}`, () => {
    assert.equal(countryAt(withBorders(coarse, borders), 0, lon), country);
  });

test("where only the country is drawn, the map still knows its territory", () => {
  const borders = bordersAt10({ countries: ["CN"] }, {});
  const find = withBorders(() => ["HK", "CN"], borders);
  assert.deepEqual(find(0, 5), ["HK", "CN"]);
});

test("the clock of a point is one of the country that a base has there, also next to its border", () => {
  const borders = bordersAt10({ countries: ["SE"] }, { countries: ["FI"] });
  const map = (_: number, lon: number): string =>
    lon < 10.1 ? "Europe/Stockholm" : "Europe/Helsinki";
  const zoneAt = createTimezones(map, withBorders(coarse, borders), borders);
  assert.equal(zoneAt(0, 9.999), "Europe/Stockholm");
  assert.equal(zoneAt(0, 10.001), "Europe/Helsinki");
  assert.equal(zoneAt(0, 10.05), "Europe/Helsinki");
});

test("an exclave smaller than a cell of remembered zones has its own clock", () => {
  const isIn = (lat: number, lon: number): boolean =>
    lat > 0.02 && lat < 0.03 && lon > 10.02 && lon < 10.03;
  const borders: Borders = {
    ...NO_BORDERS,
    at: (lat, lon) => ({ countries: [isIn(lat, lon) ? "FI" : "SE"], region: null }),
    crosses: ([south, west, north, east]) =>
      south < 0.03 && north > 0.02 && west < 10.03 && east > 10.02,
  };
  const map = (lat: number): string => (lat > 1 ? "Europe/Helsinki" : "Europe/Stockholm");
  const zoneAt = createTimezones(
    map,
    withBorders(() => ["SE"], borders),
    borders,
  );
  assert.equal(zoneAt(0.05, 10.05), "Europe/Stockholm");
  assert.equal(zoneAt(0.025, 10.025), "Europe/Helsinki");
});

test("what was remembered is forgotten with the boundaries that it came from", () => {
  let [version, country] = [1, "SE"];
  const borders: Borders = {
    ...NO_BORDERS,
    version: () => version,
    at: () => ({ countries: [country], region: `${country}-01` }),
  };
  const find = withBorders(() => ["NO"], borders);
  const zoneAt = createTimezones(() => "Europe/Oslo", find, borders);
  const territoryAt = createTerritories(find, { borders });
  const both = () => [zoneAt(0, 5), territoryAt(0, 5).country, territoryAt(0, 5).region];
  assert.deepEqual(both(), ["Europe/Stockholm", "SE", "SE-01"]);
  [version, country] = [2, "FI"];
  assert.deepEqual(both(), ["Europe/Helsinki", "FI", "FI-01"]);
});

const REGIONS: readonly [what: string, territory: FindTerritory, region: string | null][] = [
  ["of a base", bordered("DE", "DE-BY"), "DE-BY"],
  ["of a base before that of the map", bordered("GB", "GB-SCT", ["GB-ENG"]), "GB-SCT"],
  ["of the map where no base has one", bordered("GB", null, ["GB-ENG"]), "GB-ENG"],
  ["of another country: none", bordered("DE", "AT-8"), null],
  ["none is known", bordered("DE", null), null],
  ["two of the map: none", bordered("GB", null, ["GB-ENG", "GB-WLS"]), null],
];

function bordered(country: string, region: string | null, ofMap: string[] = []): FindTerritory {
  const borders = { ...NO_BORDERS, at: () => ({ countries: [country], region }) };
  return createTerritories(() => [country], { borders, regions: () => ofMap });
}

for (const [what, find, region] of REGIONS)
  test(`the region of a point: ${what}`, () => {
    assert.equal(find(1, 1).region, region);
  });

const PLACES: readonly [name: string, lat: number, lon: number, region: string | null][] = [
  ["London", 51.5074, -0.1278, "GB-ENG"],
  ["Liverpool, at the sea", 53.4084, -2.9916, "GB-ENG"],
  ["Edinburgh", 55.9533, -3.1883, "GB-SCT"],
  ["Swansea", 51.6214, -3.9436, "GB-WLS"],
  ["Belfast", 54.5973, -5.9301, "GB-NIR"],
  ["Gretna, by the border", 54.996, -3.066, null],
  ["Chester, by the border", 53.1934, -2.8931, null],
  ["Hobart", -42.8821, 147.3272, "AU-TAS"],
  ["Honolulu", 21.3069, -157.8583, "US-HI"],
  ["Munich, of which the map has no region", 48.1372, 11.5756, null],
  ["Paris", 48.8566, 2.3522, null],
];

for (const [name, lat, lon, region] of PLACES)
  test(`the region of ${name} by the maps alone: ${region}`, async () => {
    const territoryAt = createTerritories(await loadCountries(), { regions: await loadRegions() });
    assert.equal(territoryAt(lat, lon).region, region);
  });

/** On a day that some regions keep, in the hours of a working day. */
const DAYS: readonly [
  what: string,
  at: string,
  place: readonly [lat: number, lon: number],
  region: string | null,
  state: string,
][] = [
  ["Epiphany in Bavaria", "2026-01-06T10:00:00Z", [48.1372, 11.5756], "DE-BY", "closed"],
  ["Epiphany in Hamburg", "2026-01-06T10:00:00Z", [53.5511, 9.9937], "DE-HH", "open"],
  [
    "Epiphany where no region is known",
    "2026-01-06T10:00:00Z",
    [48.1372, 11.5756],
    null,
    "unknown",
  ],
  ["Easter Monday in London", "2026-04-06T10:00:00Z", [51.5074, -0.1278], null, "closed"],
  ["Easter Monday in Edinburgh", "2026-04-06T10:00:00Z", [55.9533, -3.1883], null, "open"],
  ["Andalusia's day in Seville", "2026-02-28T10:00:00Z", [37.3886, -5.9823], "ES-AN", "closed"],
  [
    "Andalusia's day in Madrid, which surely does not keep it",
    "2026-02-28T10:00:00Z",
    [40.4168, -3.7038],
    "ES-MD",
    "open",
  ],
  ["Reformation Day in Leipzig", "2026-10-31T10:00:00Z", [51.3397, 12.3731], "DE-SN", "closed"],
  ["Reformation Day in Munich", "2026-10-31T10:00:00Z", [48.1372, 11.5756], "DE-BY", "open"],
  ["Family Day in Ontario", "2026-02-16T16:00:00Z", [43.6532, -79.3832], "CA-ON", "closed"],
  ["Asturias' day in Oviedo", "2026-09-08T10:00:00Z", [43.3614, -5.8494], "ES-AS", "closed"],
  [
    "a day that other regions keep in some years",
    "2026-03-19T10:00:00Z",
    [43.3614, -5.8494],
    "ES-AS",
    "unknown",
  ],
];

for (const [what, at, [lat, lon], region, state] of DAYS)
  test(`regional holidays: ${what}`, async () => {
    const borders = { ...NO_BORDERS, at: () => ({ countries: [], region }) };
    const countries = () => loadCountries(borders);
    const statesAt = createOpenStates({
      countries,
      timezones: loadTimezones,
      territories: createTerritoryLoader(countries, borders),
    });
    const states = await statesAt({ at_ms: Date.parse(at), is_now: false });
    const item = {
      ...{ location: { lat, lon }, attributes: {} },
      opening: { text: "Mo-Su 09:00-17:00; PH off" },
    } as unknown as OpenItem;
    assert.equal(states.of(item).state, state);
  });
