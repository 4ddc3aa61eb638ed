/** What OpenWeatherMap answers, whole and broken, and what is made of it. Values are invented. */
import { openWeatherMapCurrent, openWeatherMapForecast } from "#providers/openweathermap/index.ts";
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import { OWM_SETTINGS, QUERY } from "../../../support/weather.ts";

const settings = OWM_SETTINGS;

const CURRENT = [
  ...["whole", "sea", "dirty", "not-json", "wrong-shape", "body-refuses", "401", "429"],
].map((name) => `current-${name}`);
const FORECAST = ["whole", "dirty", "wrong-shape", "empty"].map((name) => `forecast-${name}`);

testGoldenPairs("openweathermap", [...CURRENT, ...FORECAST], (wire, trail, _fixture, name) =>
  name.startsWith("current")
    ? openWeatherMapCurrent.read(wire, QUERY, { settings, trail })
    : openWeatherMapForecast.read(wire, QUERY, { settings, trail }),
);
