/** Answers of a service that knows the streets, for pages whose service does not. */
import type { Route } from "playwright-core";

type Thing = { distance_meters: number; walk?: object | null };
type Input = Record<string, any>;

/** Ways of a service that knows the streets: the farther by the straight line, the nearer on foot. */
function walkOf({ distance_meters }: Thing): object {
  const seconds = Math.max(1, 1500 - 3 * Math.round(distance_meters));
  return { meters: Math.round(seconds * 1.33), seconds, step_free: null };
}

export const LINE = {
  status: "success",
  ...{ meters: 500, seconds: 376, step_free: true, from_snap_meters: 12, to_snap_meters: 8 },
  geometry: {
    type: "LineString",
    coordinates: [
      [2.3522, 48.8566],
      [2.3524, 48.8567],
      [2.3542, 48.8567],
      [2.3542, 48.858],
      [2.3541, 48.8581],
    ],
  },
};

export const toLine = (route: Route): Promise<void> => route.fulfill({ json: LINE });
export const noRoute = (route: Route): Promise<void> => route.fulfill({ status: 500 });

export function toOutline(route: Route): object {
  const minutes = Number(new URL(route.request().url()).searchParams.get("minutes"));
  const by = minutes / 4000;
  const ring = [
    [2.3522 - by, 48.8566 - by / 2],
    [2.3522 + by, 48.8566 - by / 2],
    [2.3522, 48.8566 + by],
    [2.3522 - by, 48.8566 - by / 2],
  ];
  const geometry = { type: "MultiPolygon", coordinates: [[ring]] };
  return { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry }] };
}

const later = (minutes: number): string =>
  new Date(Date.UTC(2026, 10, 23, 9, 30) + minutes * 60_000).toISOString();
const departure = (minutes: number, more: object = {}): object => ({
  line: { short_name: String(minutes), long_name: null, mode: "bus", color: null },
  ...{ headsign: "End", planned_at: later(minutes), expected_at: null, delay_seconds: null },
  ...{ status: "scheduled", realtime: "planned_only", continues_as: null, ...more },
});
/** As the service's clock has it; that of the page is a day ahead. */
export const BOARD = {
  status: "success",
  ...{ local_time: later(0), time_zone: "Europe/Paris", total: 3 },
  results: {
    departures: [departure(1), departure(55), departure(56, { status: "cancelled" })],
    alerts: [],
  },
};

/** Adds ways to what the service found; `reason`: why it knows none. */
export async function change(route: Route, { reason }: { reason?: string } = {}): Promise<void> {
  const request = new URL(route.request().url());
  for (const name of ["walk", "within_minutes", "profile"]) request.searchParams.delete(name);
  const body = (await (await fetch(request)).json()) as Input;
  const { results } = body;
  const things = [
    ...(Array.isArray(results) ? results : (results.stations ?? [])),
    ...(results.vehicles ?? []).map(({ source }: { source: Thing }) => source),
  ] as Thing[];
  for (const thing of things) thing.walk = reason === undefined ? walkOf(thing) : null;
  await route.fulfill({ json: { ...body, walking: reason === undefined ? {} : { reason } } });
}

export const addWays = (route: Route): Promise<void> => change(route);
