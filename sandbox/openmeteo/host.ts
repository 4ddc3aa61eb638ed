// Open-Meteo: /v1/forecast with the variables that it is asked for (mobility.md 5.3).
import type { Point } from "../geo.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { numberIn, type RegistryDeps } from "../registry.ts";
import type { Source } from "../source.ts";
import { HOUR_MS } from "../world/weather.ts";
import type { World } from "../world/world.ts";
import { isVariable, UNITS, valueOf } from "./variables.ts";

const ROOT = "/upstreams/open_meteo";
const QUARTER_MS = 900_000;
const DAY_MS = 24 * HOUR_MS;
/** Side of a cell of the grid, degrees. */
const CELL = 0.0625;
const DAYS = { usual: 7, most: 16 };
const SPEEDS: Readonly<Record<string, readonly [unit: string, per_ms: number]>> = {
  kmh: ["km/h", 3.6],
  ms: ["m/s", 1],
  mph: ["mp/h", 2.236_94],
  kn: ["kn", 1.943_84],
};

export function createOpenMeteo({ world, now, origin }: RegistryDeps): Source {
  return {
    id: "open_meteo",
    description: "Open-Meteo Forecast API",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}` },
    observe: () => [],
    handle: (request) => answer(request, world, now()),
  };
}

const refuse = (reason: string): Reply => answerJson(400, { error: true, reason });

function answer(request: SandboxRequest, world: World, now_ms: number): Reply {
  if (request.pathname.slice(ROOT.length) !== "/v1/forecast")
    return answerJson(404, { error: true, reason: "Not Found" });
  const [lat, lon] = [numberIn(request, "latitude"), numberIn(request, "longitude")];
  if (lat === null || lon === null)
    return refuse("Parameter 'latitude' and 'longitude' must have the same number of elements");
  if (Math.abs(lat) > 90) return refuse(`Latitude must be in range of -90 to 90°. Given: ${lat}.`);
  if (Math.abs(lon) > 180)
    return refuse(`Longitude must be in range of -180 to 180°. Given: ${lon}.`);
  const [current, hourly] = [listOf(request, "current"), listOf(request, "hourly")];
  const unknown = [...current, ...hourly].find((name) => !isVariable(name));
  if (unknown !== undefined)
    return refuse(`Cannot initialize ForecastVariable from invalid String value ${unknown}.`);
  const speed = SPEEDS[request.query.get("wind_speed_unit") ?? "kmh"];
  if (speed === undefined)
    return refuse("Cannot initialize WindspeedUnit from invalid String value");
  const days = numberIn(request, "forecast_days") ?? DAYS.usual;
  if (days < 0 || days > DAYS.most)
    return refuse(`Forecast days is invalid. Allowed range 0 to ${DAYS.most}. Given ${days}.`);
  const unixtime = request.query.get("timeformat") === "unixtime";
  const query: Request = { world, at: { lat, lon }, now_ms, speed, unixtime, days };
  return answerJson(200, print(query, current, hourly));
}

const listOf = ({ query }: SandboxRequest, name: string): string[] =>
  (query.get(name) ?? "").split(",").filter((text) => text !== "");

type Request = {
  readonly world: World;
  readonly at: Point;
  readonly now_ms: number;
  readonly speed: readonly [unit: string, per_ms: number];
  readonly unixtime: boolean;
  readonly days: number;
};

function print(request: Request, current: readonly string[], hourly: readonly string[]): unknown {
  const { at, now_ms, days } = request;
  const midnight_ms = Math.floor(now_ms / DAY_MS) * DAY_MS;
  const hours = Array.from({ length: days * 24 }, (_, hour) => midnight_ms + hour * HOUR_MS);
  const at_ms = Math.floor(now_ms / QUARTER_MS) * QUARTER_MS;
  const columns = (times: readonly number[], names: readonly string[]): [string, unknown[]][] => [
    ["time", times.map((ms) => printTime(ms, request))],
    ...names.map((name): [string, unknown[]] => [name, times.map((ms) => read(name, ms, request))]),
  ];
  const now = columns([at_ms], current).map(([name, [value]]) => [name, value]);
  return {
    latitude: cell(at.lat),
    longitude: cell(at.lon),
    generationtime_ms: 0.12,
    utc_offset_seconds: 0,
    timezone: "GMT",
    timezone_abbreviation: "GMT",
    elevation: 38,
    ...(current.length === 0
      ? {}
      : {
          current_units: { interval: "seconds", ...printUnits(current, request) },
          current: { interval: 900, ...Object.fromEntries(now) },
        }),
    ...(hourly.length === 0
      ? {}
      : {
          hourly_units: printUnits(hourly, request),
          hourly: Object.fromEntries(columns(hours, hourly)),
        }),
  };
}

const cell = (degrees: number): number => Math.round(degrees / CELL) * CELL + 0;

const printTime = (at_ms: number, { unixtime }: Request): unknown =>
  unixtime ? at_ms / 1000 : new Date(at_ms).toISOString().slice(0, 16);

function read(name: string, at_ms: number, { world, at, speed }: Request): number | null {
  const value = valueOf(name, world.seed, at, at_ms);
  return value === null || UNITS[name] !== "m/s" ? value : Math.round(value * speed[1] * 100) / 100;
}

const printUnits = (names: readonly string[], { unixtime, speed }: Request): object => ({
  time: unixtime ? "unixtime" : "iso8601",
  ...Object.fromEntries(
    names.map((name) => [name, UNITS[name] === "m/s" ? speed[0] : UNITS[name]]),
  ),
});
