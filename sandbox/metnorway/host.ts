// MET Norway: /locationforecast/2.0/compact and /complete, for clients that identify themselves, with four
// decimals at most (mobility.md 5.4). A new run of the model every half hour.
import type { Point } from "../geo.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { answerText, pointIn, type RegistryDeps } from "../registry.ts";
import type { Source } from "../source.ts";
import { HOUR_MS, hourOf } from "../world/weather.ts";
import type { World } from "../world/world.ts";
import { printMoment } from "./moment.ts";

const ROOT = "/upstreams/met_norway";
const RUN_MS = 1_800_000;
const HOURLY = 60;
const SIX_HOURS_MS = 6 * HOUR_MS;
const DAYS_MS = 9 * 24 * HOUR_MS;

export function createMetNorway({ world, now, origin }: RegistryDeps): Source {
  return {
    id: "met_norway",
    description: "MET Norway Locationforecast 2.0",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}` },
    observe: () => [],
    handle: (request) => refusal(request) ?? answer(request, world, now()),
  };
}

/** User agents of programs without a configured one. */
const GENERIC =
  /^\s*(node|undici|node-fetch|axios\/.*|okhttp.*|java.*|python-requests.*|curl.*|)\s*$/i;

function refusal({ headers, query, pathname }: SandboxRequest): Reply | null {
  if (GENERIC.test(headers["user-agent"] ?? ""))
    return html(403, "Forbidden: identify yourself in the User-Agent, with a contact");
  if (!/^\/locationforecast\/2\.0\/(compact|complete)$/.test(pathname.slice(ROOT.length)))
    return html(404, "Not found");
  const input = [query.get("lat") ?? "", query.get("lon") ?? ""];
  if (input.some((degrees) => /\.\d{5,}/.test(degrees)))
    return html(403, "Forbidden: at most 4 decimals");
  return null;
}

const html = (status: number, text: string): Reply =>
  answerText(status, `<html><head><title>${status}</title></head><body>${text}</body></html>\n`, {
    "content-type": "text/html; charset=utf-8",
  });

function answer(request: SandboxRequest, world: World, now_ms: number): Reply {
  const at = pointIn(request, "lat", "lon");
  if (at === null) return html(422, "Missing or bad lat or lon");
  const run_ms = Math.floor(now_ms / RUN_MS) * RUN_MS;
  const headers = {
    date: new Date(now_ms).toUTCString(),
    expires: new Date(run_ms + RUN_MS + 90_000).toUTCString(),
    "last-modified": new Date(run_ms).toUTCString(),
    "cache-control": "public",
    vary: "accept, accept-encoding",
  };
  const since_ms = Date.parse(request.headers["if-modified-since"] ?? "");
  if (since_ms >= run_ms) return { status: 304, headers, body: Buffer.alloc(0) };
  const complete = request.pathname.endsWith("complete");
  return answerJson(200, printForecast(world, at, { run_ms, now_ms, complete }), headers);
}

type Run = { readonly run_ms: number; readonly now_ms: number; readonly complete: boolean };

function printForecast({ seed }: World, at: Point, { run_ms, now_ms, complete }: Run): unknown {
  const first_ms = hourOf(now_ms);
  const near = Array.from({ length: HOURLY }, (_, hour) => first_ms + hour * HOUR_MS);
  const next_ms = Math.ceil((first_ms + HOURLY * HOUR_MS) / SIX_HOURS_MS) * SIX_HOURS_MS;
  const far: number[] = [];
  for (let ms = next_ms; ms <= first_ms + DAYS_MS; ms += SIX_HOURS_MS) far.push(ms);
  // Hours up to the first that is followed by six.
  for (let ms = first_ms + HOURLY * HOUR_MS; ms < next_ms; ms += HOUR_MS) near.push(ms);
  const deps = { seed, at, complete };
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates: [at.lon, at.lat, 38] },
    properties: {
      meta: { updated_at: new Date(run_ms).toISOString().replace(".000", ""), units: UNITS },
      timeseries: [
        ...near.map((ms) => printMoment(ms, 1, deps)),
        ...far.map((ms) => printMoment(ms, 6, deps)),
      ],
    },
  };
}

const UNITS = {
  air_pressure_at_sea_level: "hPa",
  air_temperature: "celsius",
  cloud_area_fraction: "%",
  precipitation_amount: "mm",
  relative_humidity: "%",
  wind_from_direction: "degrees",
  wind_speed: "m/s",
};
