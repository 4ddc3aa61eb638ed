// OpenWeatherMap 2.5: /data/2.5/weather and /data/2.5/forecast, for those who have the key
// (mobility.md 5.1, 5.2).
import type { Point } from "../geo.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { numberIn, type RegistryDeps } from "../registry.ts";
import { hash } from "../rng.ts";
import type { Source } from "../source.ts";
import { dayAround, isDay } from "../world/sun.ts";
import { fallIn, HOUR_MS, hourOf, type Weather, weatherAt } from "../world/weather.ts";
import type { World } from "../world/world.ts";
import { printSky } from "./conditions.ts";
import { type Whereabouts, whereIs } from "./place.ts";

const ROOT = "/upstreams/openweathermap";
const KEY = "sandbox-openweathermap-key";
const STEP_MS = 3 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
const STEPS = 40;
/** Measured every ten minutes. */
const MEASURED_MS = 600_000;

export function createOpenWeatherMap({ world, now, origin }: RegistryDeps): Source {
  return {
    id: "openweathermap",
    description: "OpenWeatherMap API 2.5",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}`, api_key: KEY },
    observe: () => [],
    handle: (request) => refusal(request) ?? answer(request, world, now()),
  };
}

function refusal({ query }: SandboxRequest): Reply | null {
  if (query.get("appid") === KEY) return null;
  const message =
    "Invalid API key. Please see https://openweathermap.org/faq#error401 for more info.";
  return answerJson(401, { cod: 401, message });
}

/** The type of `cod` differs, as it does. */
const refuse = (status: number, message: string): Reply =>
  answerJson(status, { cod: String(status), message });

function answer(request: SandboxRequest, world: World, now_ms: number): Reply {
  const path = request.pathname.slice(ROOT.length);
  if (path !== "/data/2.5/weather" && path !== "/data/2.5/forecast")
    return refuse(404, "Internal error");
  const [lat, lon] = [numberIn(request, "lat"), numberIn(request, "lon")];
  if (lat === null && lon === null) return refuse(400, "Nothing to geocode");
  if (lat === null || Math.abs(lat) > 90) return refuse(400, "wrong latitude");
  if (lon === null || Math.abs(lon) > 180) return refuse(400, "wrong longitude");
  const query: Request = { ...toUnits(request), at: { lat, lon }, world, now_ms };
  const most = numberIn(request, "cnt") ?? STEPS;
  return answerJson(200, path.endsWith("weather") ? printNow(query) : printForecast(query, most));
}

type Units = { degrees(celsius: number): number; speed(ms: number): number; lang: string };
type Request = Units & { readonly at: Point; readonly world: World; readonly now_ms: number };

const hundredths = (value: number): number => Math.round(value * 100) / 100 + 0;

/** Kelvin unless asked otherwise. */
function toUnits({ query }: SandboxRequest): Units {
  const lang = query.get("lang") ?? "en";
  const units = query.get("units");
  if (units === "metric") return { lang, degrees: hundredths, speed: hundredths };
  if (units === "imperial")
    return {
      lang,
      degrees: (celsius) => hundredths(celsius * 1.8 + 32),
      speed: (ms) => hundredths(ms * 2.23694),
    };
  return { lang, degrees: (celsius) => hundredths(celsius + 273.15), speed: hundredths };
}

function printNow(request: Request): unknown {
  const { at, world, now_ms } = request;
  const at_ms = Math.floor(now_ms / MEASURED_MS) * MEASURED_MS;
  const where = whereIs(world, at, at_ms);
  const weather = weatherAt(world.seed, at, at_ms);
  const { timezone_s: timezone, id, name, country } = where;
  const station = hash(world.seed, Math.round(at.lat * 100), Math.round(at.lon * 100));
  const main = printMain(weather, request);
  return {
    coord: printPoint(at),
    weather: [printSky(weather.sky, isDay(at, at_ms), request.lang)],
    base: "stations",
    main: { ...main, temp_min: main.temp_min - 0.5, temp_max: main.temp_max + 0.5 },
    ...printAir(weather, request),
    ...printFall(request, { from_ms: hourOf(at_ms), hours: 1 }),
    clouds: { all: weather.clouds },
    dt: at_ms / 1000,
    sys: {
      type: 2,
      id: 2_000_000 + (station % 100_000),
      country,
      ...printSun(at, at_ms, timezone),
    },
    timezone,
    id,
    name,
    cod: 200,
  };
}

function printForecast(request: Request, most: number): unknown {
  const { at, world, now_ms } = request;
  const first_ms = (Math.floor(now_ms / STEP_MS) + 1) * STEP_MS;
  const count = Math.max(1, Math.min(STEPS, Math.floor(most)));
  const list = Array.from({ length: count }, (_, index) =>
    printStep(request, first_ms + index * STEP_MS),
  );
  const where = whereIs(world, at, now_ms);
  return {
    cod: "200",
    message: 0,
    cnt: list.length,
    list,
    city: { ...printCity(where, at), ...printSun(at, now_ms, where.timezone_s) },
  };
}

function printStep(request: Request, at_ms: number): unknown {
  const { at, world } = request;
  const weather = weatherAt(world.seed, at, at_ms);
  const day = isDay(at, at_ms);
  return {
    dt: at_ms / 1000,
    main: { ...printMain(weather, request), temp_kf: 0 },
    weather: [printSky(weather.sky, day, request.lang)],
    clouds: { all: weather.clouds },
    ...printAir(weather, request),
    pop: hundredths(fallIn(world.seed, at, hourOf(at_ms) - HOUR_MS).percent / 100),
    ...printFall(request, { from_ms: at_ms - STEP_MS, hours: 3 }),
    sys: { pod: day ? "d" : "n" },
    dt_txt: new Date(at_ms).toISOString().slice(0, 19).replace("T", " "),
  };
}

function printMain({ temp_c, feels_c, pressure_hpa, humidity }: Weather, { degrees }: Units) {
  const [temp, pressure] = [degrees(temp_c), Math.round(pressure_hpa)];
  return {
    temp,
    feels_like: degrees(feels_c),
    temp_min: temp,
    temp_max: temp,
    pressure,
    humidity,
    sea_level: pressure,
    grnd_level: pressure - 12,
  };
}

const printAir = (
  { visibility_m, wind_ms, wind_deg, gust_ms }: Weather,
  { speed }: Units,
): object => ({
  visibility: Math.min(10_000, visibility_m),
  wind: { speed: speed(wind_ms), deg: wind_deg, gust: speed(gust_ms) },
});

type Span = { readonly from_ms: number; readonly hours: number };

/** Dry hours have no member. */
function printFall({ at, world }: Request, { from_ms, hours }: Span): object {
  const sums = { rain: 0, snow: 0 };
  for (let hour = 0; hour < hours; hour += 1) {
    const { mm, snow } = fallIn(world.seed, at, from_ms + hour * HOUR_MS);
    sums[snow ? "snow" : "rain"] += mm;
  }
  const fallen = Object.entries(sums).filter(([, mm]) => mm > 0);
  return Object.fromEntries(fallen.map(([kind, mm]) => [kind, { [`${hours}h`]: hundredths(mm) }]));
}

/** Times on the day of the local calendar; where the sun does not rise or set both are 0. */
function printSun(at: Point, at_ms: number, timezone_s: number): object {
  const local_ms = at_ms + timezone_s * 1000;
  const noon_ms = local_ms - (local_ms % DAY_MS) + DAY_MS / 2 - timezone_s * 1000;
  const { sunrise_s: sunrise = 0, sunset_s: sunset = 0 } = dayAround(at, noon_ms) ?? {};
  return { sunrise, sunset };
}

const printPoint = ({ lat, lon }: Point): Point => ({ lon, lat });

const printCity = (
  { id, name, country, timezone_s: timezone }: Whereabouts,
  at: Point,
): object => ({
  id,
  name,
  coord: printPoint(at),
  country: country ?? "",
  population: id === 0 ? 0 : 1_000_000,
  timezone,
});
