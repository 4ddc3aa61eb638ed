/** What MET Norway answers, whole and broken, and what is made of it. Values are invented. */
import { metNorwayForecast } from "#providers/met_norway/index.ts";
import { testGoldenPairs } from "../../../support/place-fixtures.ts";
import { QUERY, SETTINGS } from "../../../support/weather.ts";

const NAMES = [
  ...["whole", "compact", "dirty", "not-json", "wrong-shape"],
  ...["refused-403", "refused-422", "refused-429"],
];

testGoldenPairs("met_norway", NAMES, (wire, trail) =>
  metNorwayForecast.read(wire, QUERY, { settings: SETTINGS, trail }),
);
