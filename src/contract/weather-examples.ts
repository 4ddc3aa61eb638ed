/** One realistic example of each answer of the weather; the tests validate them. */
import type { ForecastBodyValue, WeatherBodyValue } from "./weather.ts";

const CLOUDS = { id: 803, main: "Clouds", description: "broken clouds", icon: "04d" };
const PLACE = { lon: 2.3522, lat: 48.8566 };
const SUN = { sunrise: 1_795_244_940, sunset: 1_795_277_040 };

export const WEATHER_EXAMPLE: WeatherBodyValue = {
  coord: PLACE,
  weather: [CLOUDS],
  base: "stations",
  main: {
    ...{ temp: 8.9, feels_like: 7.2, temp_min: 8.4, temp_max: 9.4 },
    ...{ pressure: 1016, humidity: 81 },
  },
  visibility: 10_000,
  wind: { speed: 4.1, deg: 230 },
  clouds: { all: 75 },
  dt: 1_795_256_400,
  sys: { type: 2, id: 2_041_230, country: "FR", ...SUN },
  timezone: 3_600,
  id: 2_988_507,
  name: "Paris",
  cod: 200,
};

export const FORECAST_EXAMPLE: ForecastBodyValue = {
  cod: "200",
  message: 0,
  cnt: 1,
  list: [
    {
      dt: 1_795_262_400,
      main: { temp: 9.8, temp_min: 7.3, temp_max: 9.8, pressure: 1015, humidity: 78 },
      weather: [{ id: 500, main: "Rain", description: "light rain", icon: "10d" }],
      clouds: { all: 90 },
      wind: { speed: 5.2, deg: 225, gust: 9.1 },
      visibility: 10_000,
      pop: 0.62,
      rain: { "3h": 0.8 },
      sys: { pod: "d" },
      dt_txt: "2026-11-21 12:00:00",
    },
  ],
  city: {
    ...{ id: 2_988_507, name: "Paris", coord: PLACE, country: "FR", population: 2_138_551 },
    ...{ timezone: 3_600, ...SUN },
  },
};
