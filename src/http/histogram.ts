/**
 * The durations of requests, and how many there were. prom-client hashes a label object on every
 * observation, which costs more than the rest of the bookkeeping; here a series is found by route
 * and status and an observation is a few additions. prom-client only asks for the values when it is
 * scraped. Counts keep route and exact status of everything; buckets, of which there are many, are
 * kept of a route's answers, and of all refusals and all defects together.
 */
import type { Metric } from "prom-client";
import { toMethodLabel, toStatusLabel } from "./metric-labels.ts";
import { METRICS } from "./metric-table.ts";

/** Bounds of the OpenTelemetry HTTP conventions, seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] as const;

type Labels = { route: string; method: string; status: string };
type Durations = { labels: Labels; buckets: Float64Array; sum: number; count: number };
type Series = { labels: Labels; count: number; durations: Durations };

/** Series of one route, by method and status. */
export type RouteSeries = {
  route: string;
  series: Map<string, Map<number, Series>>;
  durations: Map<string, Durations>;
  /** Durations of refusals, preflights and other methods, of all routes together. */
  shared: Map<string, Durations>;
};

type Sample = { labels: Record<string, string | number>; value: number; metricName?: string };

export type DurationHistogram = {
  route(template: string): RouteSeries;
  metrics: readonly Metric[];
};

const DURATION = "svc_http_request_duration_seconds";
const COUNT = "svc_http_requests_total";

export function createDurationHistogram(): DurationHistogram {
  const shared: RouteSeries["shared"] = new Map();
  const routes = new Map<string, RouteSeries>();
  const reset = (): void => {
    shared.clear();
    for (const route of routes.values())
      for (const map of [route.series, route.durations]) map.clear();
  };
  const toMetric = (name: typeof DURATION | typeof COUNT, collect: () => Sample[]): Metric => {
    const { help, type } = METRICS[name];
    const get = () => ({ name, help, type, aggregator: "sum", values: collect() });
    return { name, help, get, reset } as unknown as Metric;
  };
  return {
    route: (template) => {
      const known = routes.get(template) ?? {
        route: template,
        series: new Map(),
        durations: new Map(),
        shared,
      };
      routes.set(template, known);
      return known;
    },
    metrics: [
      toMetric(DURATION, () =>
        [shared, ...Array.from(routes.values(), ({ durations }) => durations)].flatMap((each) =>
          [...each.values()].flatMap(toSamples),
        ),
      ),
      toMetric(COUNT, () =>
        [...routes.values()].flatMap(({ series }) =>
          [...series.values()].flatMap((statuses) => Array.from(statuses.values(), toCount)),
        ),
      ),
    ],
  };
}

export function observe(route: RouteSeries, method: string, status: number, seconds: number): void {
  const series = findSeries(route, method, status);
  series.count++;
  const { durations } = series;
  durations.sum += seconds;
  durations.count++;
  let bucket = 0;
  while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++;
  durations.buckets[bucket] = (durations.buckets[bucket] as number) + 1;
}

function findSeries(route: RouteSeries, method: string, status: number): Series {
  let statuses = route.series.get(method);
  if (statuses === undefined) {
    // All but GET and POST take this path on every request: they are few.
    const label = toMethodLabel(method);
    statuses = route.series.get(label) ?? new Map<number, Series>();
    route.series.set(label, statuses);
  }
  let series = statuses.get(status);
  if (series === undefined) {
    const labels = { route: route.route, method: toMethodLabel(method), status: String(status) };
    series = { labels, count: 0, durations: findDurations(route, labels) };
    statuses.set(status, series);
  }
  return series;
}

/** Refusals and defects share their durations, which say little of a route; the counter has their numbers. */
function findDurations(route: RouteSeries, exact: Labels): Durations {
  const status = toStatusLabel(Number(exact.status));
  const isAnswer = status !== "4xx" && status !== "5xx";
  const own = isAnswer && exact.method !== "OPTIONS" && exact.method !== "_OTHER";
  const labels = { ...exact, ...(own ? {} : { route: "any" }), status };
  const durations = own ? route.durations : route.shared;
  const key = `${labels.method} ${labels.status}`;
  const known = durations.get(key) ?? {
    labels,
    buckets: new Float64Array(BOUNDS.length + 1),
    sum: 0,
    count: 0,
  };
  durations.set(key, known);
  return known;
}

function toCount({ labels, count }: Series): Sample {
  return { labels, value: count };
}

function toSamples({ labels, buckets, sum, count }: Durations): Sample[] {
  let below = 0;
  const bounded = Array.from(buckets, (each, index) => {
    below += each;
    const le = index < BOUNDS.length ? (BOUNDS[index] as number) : "+Inf";
    return { labels: { le, ...labels }, value: below, metricName: `${DURATION}_bucket` };
  });
  return [
    ...bounded,
    { labels, value: sum, metricName: `${DURATION}_sum` },
    { labels, value: count, metricName: `${DURATION}_count` },
  ];
}
