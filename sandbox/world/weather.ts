// The weather of the simulated world: at any place and hour the same for the same seed, without jumps.
import type { Point } from "../geo.ts";
import { unit } from "../rng.ts";

export type Weather = {
  readonly temp_c: number;
  readonly feels_c: number;
  readonly pressure_hpa: number;
  readonly humidity: number;
  readonly clouds: number;
  readonly wind_ms: number;
  readonly wind_deg: number;
  readonly gust_ms: number;
  readonly visibility_m: number;
  readonly sky: Sky;
};

/** Precipitation in an hour. */
export type Fall = { readonly mm: number; readonly snow: boolean; readonly percent: number };

/** The sky; `level`: light, plain, heavy; of clouds clear, few, scattered, broken, overcast. */
export type Sky = { readonly kind: Kind; readonly level: number };
type Kind = "clouds" | "fog" | "rain" | "showers" | "snow" | "thunder";

export const HOUR_MS = 3_600_000;
const TURN = 2 * Math.PI;
const CLOUD_LEVELS = [11, 25, 51, 85];
const FALL_LEVELS = [0.5, 2.5];
/** How much of a front there must be before anything falls: its sky is overcast by then. */
const FALLS_FROM = 1.25;
const FOG_M = 1000;

/** Returns the weather at a moment; precipitation is that of its hour. */
export function weatherAt(seed: number, at: Point, at_ms: number): Weather {
  const front = frontAt(seed, at, at_ms);
  const temp = temperature(seed, at, at_ms);
  const wind = 4 + 3 * wave(seed, 3, at, at_ms / HOUR_MS / 37);
  const wind_ms = round(wind, 1);
  const humidity = 62 + 17 * front;
  const visibility_m = visibilityOf(humidity, wind);
  const clouds = Math.round(cloudsOf(front));
  const temp_c = round(temp, 1);
  return {
    temp_c,
    humidity: Math.round(humidity),
    clouds,
    wind_ms,
    feels_c: round(temp - wind * 0.4, 1),
    pressure_hpa: round(1013 - 9 * front, 1),
    wind_deg: Math.round(230 + 150 * wave(seed, 4, at, at_ms / HOUR_MS / 67) + 360) % 360,
    gust_ms: round(wind * 1.7 + 0.5, 1),
    visibility_m,
    sky: skyOf(fallIn(seed, at, hourOf(at_ms)), { clouds, visibility_m, wind_ms, temp_c }),
  };
}

/** Returns the precipitation in the hour that begins then: showers within a front, under its clouds. */
export function fallIn(seed: number, at: Point, hour_ms: number): Fall {
  const middle_ms = hour_ms + HOUR_MS / 2;
  const shower = 0.4 * wave(seed, 2, at, middle_ms / HOUR_MS / 9);
  const over = frontAt(seed, at, middle_ms) + shower - FALLS_FROM;
  const mm = over > 0 ? round(over ** 2 * 5 + 0.1, 1) : 0;
  const percent = Math.round(clamp((over + 1.1) * 70, 0, 100));
  return { mm, snow: temperature(seed, at, middle_ms) < 0.5, percent };
}

export const hourOf = (at_ms: number): number => Math.floor(at_ms / HOUR_MS) * HOUR_MS;

type Felt = Pick<Weather, "clouds" | "visibility_m" | "wind_ms" | "temp_c">;

function skyOf({ mm, snow }: Fall, { clouds, visibility_m, wind_ms, temp_c }: Felt): Sky {
  const level = levelOf(mm, FALL_LEVELS);
  if (mm > 3 && temp_c > 16) return { kind: "thunder", level: 1 };
  if (mm > 0) return { kind: snow ? "snow" : wind_ms > 5 ? "showers" : "rain", level };
  if (visibility_m < FOG_M) return { kind: "fog", level: 0 };
  return { kind: "clouds", level: levelOf(clouds, CLOUD_LEVELS) };
}

const levelOf = (value: number, bounds: readonly number[]): number =>
  bounds.filter((bound) => value >= bound).length;

/** Damp air that does not move is fog. */
function visibilityOf(humidity: number, wind_ms: number): number {
  const calm = clamp((2 - wind_ms) / 0.8, 0, 1);
  const damp = clamp((humidity - 66) / 10, 0, 1);
  return Math.round((24_000 - humidity * 180) * 0.04 ** (calm * damp));
}

/** Cold near the poles, warm in its summer, warmest in the afternoon and more so under a clear sky. */
function temperature(seed: number, at: Point, at_ms: number): number {
  const lat = (at.lat * Math.PI) / 180;
  const year = (at_ms / 86_400_000 / 365.25) % 1;
  const local_h = (at_ms / HOUR_MS + at.lon / 15) % 24;
  const season = -13 * Math.sin(lat) * Math.cos(TURN * (year - 0.05));
  const clear = 1 - cloudsOf(frontAt(seed, at, at_ms)) / 100;
  const daily = (1.5 + 3.5 * clear) * Math.cos((TURN * (local_h - 15)) / 24);
  return 41 * Math.cos(lat) - 14 + season + daily + 3 * wave(seed, 1, at, at_ms / HOUR_MS / 97);
}

/** -2..2: fronts that pass in two days and in five; the pressure falls as they come. */
const frontAt = (seed: number, at: Point, at_ms: number): number =>
  wave(seed, 5, at, at_ms / HOUR_MS / 53) + wave(seed, 6, at, at_ms / HOUR_MS / 131);

const cloudsOf = (front: number): number => clamp(48 + 34 * front, 0, 100);

/** -1..1, different in every place. */
const wave = (seed: number, kind: number, { lat, lon }: Point, turns: number): number =>
  Math.sin(
    turns * TURN + lat * 0.9 + Math.sin((lon * Math.PI) / 180) * 9 + unit(seed, kind, 77) * TURN,
  );

const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));

function round(value: number, decimals: number): number {
  const power = 10 ** decimals;
  return Math.round(value * power) / power + 0;
}
