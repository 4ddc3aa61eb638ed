/**
 * The parts of the fault matrix of the legacy routes: deployments, the sources that fail in each,
 * and the questions that are asked (§4.10 to §4.12b).
 */
import type { Sandbox } from "../../../sandbox/main.ts";
import { FAULTS, type FaultName } from "./place-fault-lanes.ts";
import { LONG_MS } from "./support.ts";

export type Limits = {
  /** Of a request. */
  deadline_ms: number;
  /** Of a file of a feed: it must fail before the deadline of the request. */
  file_ms: number;
  /** Of a call for a request: as shipped, it ends before the deadline. */
  call_ms: number;
  /** Of a set: a busy machine that starts must not look like a failing portal. */
  set_ms: number;
  /** Whether answers must come within the deadline, which needs a machine that does nothing else. */
  judged: boolean;
};
export const QUICK: Limits = {
  deadline_ms: 1_000,
  file_ms: 300,
  call_ms: 800,
  set_ms: 900,
  judged: true,
};

/** Such that only the fault itself runs into a timeout, however busy the machine is. */
export function slowLimits(fault: FaultName): Limits {
  const ms = fault === "timeout" || fault === "late" ? 5_000 : LONG_MS;
  return { deadline_ms: LONG_MS, file_ms: ms, call_ms: ms, set_ms: ms, judged: false };
}

/** As with places, but for a shorter deadline. */
export function faultOf(fault: FaultName, { call_ms, file_ms, set_ms }: Limits): object {
  if (fault === "slow") return { fault: "slow", delay_ms: 30 };
  const delay_ms = Math.max(call_ms, file_ms, set_ms) + 600;
  return fault === "late" ? { fault: "slow", delay_ms } : FAULTS[fault];
}

const ROUTES = {
  vehicles: "/api/realtime/{coords}/{provider}",
  scooters: "/api/realtime/{coords}/freefloat/scooter",
  weather: "/realtime/{coords}/weather/{lang}",
  forecast: "/realtime/{coords}/forecast/{lang}",
  water: "/realtime/paris/{coords}/water",
} as const;
/** The same route asks the city's sets in Paris, and the open map elsewhere. */
export const QUERIES = {
  ...ROUTES,
  "water elsewhere": ROUTES.water,
} as const;
export type AskingName = keyof typeof QUERIES;
export const ASKINGS = Object.keys(QUERIES) as AskingName[];

const WEATHER = ["openweathermap", "met_norway", "open_meteo"] as const;
type WeatherSource = (typeof WEATHER)[number];
/** Two operators of Paris; the second is the brand that is asked for. */
const OPERATORS = ["paris-trotti-lune", "paris-zigzag"] as const;
const BRAND = "zigzag-paris";

/** The failing source, as the report names it. */
export type Subject =
  | WeatherSource
  | "openstreetmap"
  | "gbfs"
  | "gbfs, one operator"
  | "paris_opendata"
  | "paris_opendata and openstreetmap";

type SubjectInfo = { sources: readonly string[]; requested: readonly AskingName[] };

const ofWeather = (source: WeatherSource): SubjectInfo => ({
  sources: [source],
  requested: ["weather", "forecast"],
});

/** The simulator's names of those that fail together, and the questions that ask them. */
export const SUBJECTS: Readonly<Record<Subject, SubjectInfo>> = {
  openweathermap: ofWeather("openweathermap"),
  met_norway: ofWeather("met_norway"),
  open_meteo: ofWeather("open_meteo"),
  openstreetmap: { sources: ["openstreetmap"], requested: ["water elsewhere"] },
  gbfs: { sources: ["gbfs"], requested: ["vehicles", "scooters"] },
  "gbfs, one operator": { sources: [`gbfs:${OPERATORS[1]}`], requested: ["vehicles", "scooters"] },
  paris_opendata: { sources: ["paris_opendata"], requested: ["water"] },
  "paris_opendata and openstreetmap": {
    sources: ["paris_opendata", "openstreetmap"],
    requested: ["water", "water elsewhere"],
  },
};

export type Lane = {
  /** The source of weather. */
  weather: WeatherSource;
  /** Asked per question, failing one after the other. */
  lookups: readonly Subject[];
  /** Read in the background, and failing from the first start; later again. */
  polled: Subject;
};

export const LANES = {
  "openweathermap, gbfs": {
    weather: "openweathermap",
    lookups: ["openweathermap"],
    polled: "gbfs",
  },
  "met_norway, gbfs in part": {
    weather: "met_norway",
    lookups: ["met_norway", "openstreetmap"],
    polled: "gbfs, one operator",
  },
  "open_meteo, paris_opendata": {
    weather: "open_meteo",
    lookups: ["open_meteo"],
    polled: "paris_opendata",
  },
  "open_meteo, all water": {
    weather: "open_meteo",
    lookups: [],
    polled: "paris_opendata and openstreetmap",
  },
} as const satisfies Record<string, Lane>;
export type LaneName = keyof typeof LANES;

/** What is known of an answer when its source fails. */
export type Retained =
  /** Polled: the first reading fails. Lookups: never asked before. */
  | "nothing"
  /** It may still be returned as it is. */
  | "whole"
  /** It may still be used as a substitute. */
  | "old"
  /** It may not be shown any more. */
  | "gone";

const FAR_CITIES = [
  ...(["London", "Berlin", "Madrid", "Warszawa", "New York", "Sydney"] as const),
  ...(["San Francisco", "Cape Town"] as const),
];
/** Reserved for loading what must be loaded before the first query is answered in time. */
export const WARM_UP = FAR_CITIES.length - 1;

/** `place`: questions with different ones share nothing that a cache could hold. */
export function pathOf(sandbox: Sandbox, query: AskingName, place: number): string {
  const home = sandbox.cities().find(({ name }) => name === "Paris")!;
  const name = FAR_CITIES[place % FAR_CITIES.length];
  const far = sandbox.cities().find((city) => city.name === name)!;
  const away = query === "water" || query === "vehicles" || query === "scooters" ? home : far;
  const values: Record<string, string> = {
    coords: `${away.lat},${away.lon}`,
    provider: BRAND,
    lang: "en",
  };
  return QUERIES[query].replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key]!);
}

export function settingsOf({ weather }: Lane, limits: Limits, sandbox: Sandbox): object {
  const { deadline_ms, file_ms, call_ms, set_ms } = limits;
  const upstreams = sandbox.upstreams();
  const at = (name: string, more: object = {}): object => ({
    [name]: { ...upstreams[name], ...more },
  });
  const systems = sandbox
    .gbfsSystems()
    .filter(({ id }) => OPERATORS.some((name) => name === id))
    .map(({ id, url, country, name }) => ({ id, url, country, name }));
  return {
    egress: { allow_private: true },
    deadlines_ms: { legacy: deadline_ms },
    weather: { source: weather },
    sources: {
      gbfs: { systems, timeout_ms: file_ms, idle_s: 10_000_000 },
      maps: { adapter: "openstreetmap" },
      ...at(weather, { timeout_ms: call_ms }),
      ...at("openstreetmap", { timeout_ms: call_ms, services_timeout_ms: call_ms }),
      ...at("paris_opendata", { timeout_ms: set_ms }),
    },
  };
}
