// One entry of the series: the instant, and what the hours ahead bring.
import type { Point } from "../geo.ts";
import { isDay } from "../world/sun.ts";
import { fallIn, HOUR_MS, type Sky, weatherAt } from "../world/weather.ts";

type Deps = { readonly seed: number; readonly at: Point; readonly complete: boolean };

const INTENSITIES = ["light", "", "heavy"];
const CLOUDS = ["clearsky", "fair", "partlycloudy", "cloudy", "cloudy"];
/** Symbols that show the sun or the moon. */
const TWOFOLD = /^(clearsky|fair|partlycloudy)$|showers/;

function symbolOf({ kind, level }: Sky, day: boolean): string {
  const light = INTENSITIES[level] ?? "";
  const symbols: Readonly<Record<Sky["kind"], string>> = {
    clouds: CLOUDS[level] ?? "cloudy",
    fog: "fog",
    rain: `${light}rain`,
    showers: `${light}rainshowers`,
    snow: `${light}snow`,
    thunder: `${light}rainandthunder`,
  };
  const symbol = symbols[kind];
  return TWOFOLD.test(symbol) ? `${symbol}_${day ? "day" : "night"}` : symbol;
}

/** Prints an entry; `hours`: until the next one. */
export function printMoment(at_ms: number, hours: 1 | 6, deps: Deps): unknown {
  const { seed, at, complete } = deps;
  const weather = weatherAt(seed, at, at_ms);
  const summary = { symbol_code: symbolOf(weather.sky, isDay(at, at_ms)) };
  const ahead = (count: number): unknown => ({ summary, details: printFall(at_ms, count, deps) });
  return {
    time: new Date(at_ms).toISOString().replace(".000", ""),
    data: {
      instant: {
        details: {
          air_pressure_at_sea_level: weather.pressure_hpa,
          air_temperature: weather.temp_c,
          cloud_area_fraction: weather.clouds,
          relative_humidity: weather.humidity,
          wind_from_direction: weather.wind_deg,
          wind_speed: weather.wind_ms,
          ...(complete ? { wind_speed_of_gust: weather.gust_ms } : {}),
        },
      },
      ...(hours === 1 ? { next_1_hours: ahead(1) } : {}),
      next_6_hours: ahead(6),
      next_12_hours: { summary, details: {} },
    },
  };
}

function printFall(from_ms: number, count: number, { seed, at, complete }: Deps): unknown {
  const falls = Array.from({ length: count }, (_, hour) =>
    fallIn(seed, at, from_ms + hour * HOUR_MS),
  );
  const mm = falls.reduce((sum, each) => sum + each.mm, 0);
  return {
    precipitation_amount: Math.round(mm * 10) / 10,
    ...(complete
      ? { probability_of_precipitation: Math.max(...falls.map(({ percent }) => percent)) }
      : {}),
  };
}
