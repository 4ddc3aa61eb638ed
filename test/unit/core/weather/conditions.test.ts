/** Codes of others become OpenWeatherMap's: every one of them, one by one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CONDITIONS, findCondition, getCondition } from "#core/weather/conditions.ts";
import { SYMBOLS, metNorwayCondition as toOfSymbol } from "#providers/met_norway/symbols.ts";
import { toCondition as toOfCode, WMO_CODES } from "#providers/open_meteo/codes.ts";

const CONDITION_IDS = [...CONDITIONS.keys()];

test("group and icon of every code", () => {
  const groups: Record<string, string> = {};
  for (const id of CONDITION_IDS) {
    const { main, icon } = findCondition(id)!;
    const key = `${main} ${icon}`;
    groups[key] = groups[key] === undefined ? String(id) : `${groups[key]} ${id}`;
  }
  assert.deepEqual(groups, {
    "Thunderstorm 11": "200 201 202 210 211 212 221 230 231 232",
    "Drizzle 09": "300 301 302 310 311 312 313 314 321",
    "Rain 10": "500 501 502 503 504",
    "Rain 13": "511",
    "Rain 09": "520 521 522 531",
    "Snow 13": "600 601 602 611 612 613 615 616 620 621 622",
    "Mist 50": "701",
    "Smoke 50": "711",
    "Haze 50": "721",
    "Dust 50": "731 761",
    "Fog 50": "741",
    "Sand 50": "751",
    "Ash 50": "762",
    "Squall 50": "771",
    "Tornado 50": "781",
    "Clear 01": "800",
    "Clouds 02": "801",
    "Clouds 03": "802",
    "Clouds 04": "803 804",
  });
  assert.equal(findCondition(805), undefined);
  assert.throws(() => getCondition(805, null), /no condition 805/);
});

/** WeatherCode.swift of open-meteo/open-meteo. */
const WMO: Readonly<Record<number, number>> = {
  0: 800,
  1: 801,
  2: 802,
  3: 804,
  45: 741,
  48: 741,
  51: 300,
  53: 301,
  55: 302,
  56: 511,
  57: 511,
  61: 500,
  63: 501,
  65: 502,
  66: 511,
  67: 511,
  71: 600,
  73: 601,
  75: 602,
  77: 600,
  80: 520,
  81: 521,
  82: 522,
  85: 620,
  86: 622,
  95: 211,
  96: 201,
  99: 202,
};

test("every code of Open-Meteo; overcast with gaps is broken clouds", () => {
  assert.deepEqual(
    Object.keys(WMO).map(Number),
    [...WMO_CODES.keys()].sort((a, b) => a - b),
  );
  assert.equal(WMO_CODES.size, 28);
  for (let code = -1; code <= 100; code++) {
    const of_code = toOfCode(code, { clouds_percent: null, night: true });
    assert.equal(of_code?.id, WMO[code], String(code));
    if (of_code) assert.equal(of_code.night, true);
  }
  const idAt = (clouds_percent: number) => toOfCode(3, { clouds_percent, night: null })?.id;
  assert.deepEqual([idAt(84.9), idAt(85), idAt(100)], [803, 804, 804]);
  assert.equal(toOfCode(2, { clouds_percent: 60, night: null })?.id, 802);
});

/** metno/weathericons, weather/legend.csv: 41 symbols, two of them spelled in two ways here. */
const LEGEND: readonly (readonly [id: number, ...symbols: string[]])[] = [
  [800, "clearsky"],
  [801, "fair"],
  [802, "partlycloudy"],
  [804, "cloudy"],
  [741, "fog"],
  [500, "lightrain"],
  [501, "rain"],
  [502, "heavyrain"],
  [520, "lightrainshowers"],
  [521, "rainshowers"],
  [522, "heavyrainshowers"],
  [200, "lightrainandthunder", "lightrainshowersandthunder"],
  [201, "rainandthunder", "rainshowersandthunder"],
  [202, "heavyrainandthunder", "heavyrainshowersandthunder"],
  [611, "lightsleet", "sleet", "heavysleet"],
  [612, "lightsleetshowers"],
  [613, "sleetshowers", "heavysleetshowers"],
  [600, "lightsnow"],
  [601, "snow"],
  [602, "heavysnow"],
  [620, "lightsnowshowers"],
  [621, "snowshowers"],
  [622, "heavysnowshowers"],
  [211, "lightsleetandthunder", "sleetandthunder", "heavysleetandthunder"],
  [211, "lightssleetshowersandthunder", "sleetshowersandthunder", "heavysleetshowersandthunder"],
  [211, "lightsnowandthunder", "snowandthunder", "heavysnowandthunder"],
  [211, "lightssnowshowersandthunder", "snowshowersandthunder", "heavysnowshowersandthunder"],
];

test("every symbol of MET Norway, by day, by night, in polar twilight and without a suffix", () => {
  const legend = LEGEND.flatMap(([id, ...symbols]) =>
    symbols.map((symbol) => [symbol, id] as const),
  );
  assert.equal(legend.length, 41);
  const spelled = [...legend.map(([symbol]) => symbol)];
  const regular = ["lightsleetshowersandthunder", "lightsnowshowersandthunder"];
  assert.deepEqual([...SYMBOLS.keys()].sort(), [...spelled, ...regular].sort());
  const suffixes = { _day: false, _night: true, _polartwilight: false, "": null } as const;
  for (const [symbol, id] of legend)
    for (const [suffix, night] of Object.entries(suffixes))
      assert.deepEqual(toOfSymbol(symbol + suffix), getCondition(id, night), symbol + suffix);
  for (const odd of ["", "_day", "sunny", "clearsky_noon", "clearsky_day_day", "Fog", "toString"])
    assert.equal(toOfSymbol(odd), null, odd);
});
