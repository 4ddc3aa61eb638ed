/** What Open-Meteo answers, whole and broken, and what is made of it. Values are invented. */
import { openMeteoForecast } from "#providers/open_meteo/index.ts";
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import { QUERY, SETTINGS } from "../../../support/weather.ts";

const NAMES = [
  ...["whole", "hours-only", "dirty", "not-json", "wrong-shape"],
  ...["refused-400", "refused-429"],
];
const settings = { ...SETTINGS, api_key: null };

testGoldenPairs("open_meteo", NAMES, (wire, trail) =>
  openMeteoForecast.read(wire, QUERY, { settings, trail }),
);
