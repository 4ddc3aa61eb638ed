/**
 * The request-duration histogram. prom-client hashes a label object on every observation, which
 * costs more than the rest of the bookkeeping; here a series is found by route and status and an
 * observation is a few additions. prom-client only asks for the values when it is scraped.
 */
import type { Metric } from "prom-client";

/** Bounds of the OpenTelemetry HTTP conventions, seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] as const;

type Series = { method: string; status: number; buckets: Float64Array; sum: number; count: number };

/** Series of one route, by method and status. */
export type RouteSeries = { route: string; series: Map<string, Map<number, Series>> };

type Sample = { labels: Record<string, string | number>; value: number; metricName: string };

export type DurationHistogram = {
  route(template: string): RouteSeries;
  metric: Metric;
};

export function createDurationHistogram(name: string, help: string): DurationHistogram {
  const routes = new Map<string, RouteSeries>();
  const get = () => ({
    name,
    help,
    type: "histogram",
    aggregator: "sum",
    values: collect(routes, name),
  });
  const metric = { name, help, get, reset: () => resetAll(routes) };
  return {
    route: (template) => {
      const known = routes.get(template) ?? { route: template, series: new Map() };
      routes.set(template, known);
      return known;
    },
    metric: metric as unknown as Metric,
  };
}

export function observe(route: RouteSeries, method: string, status: number, seconds: number): void {
  const series = findSeries(route, method, status);
  series.sum += seconds;
  series.count++;
  let bucket = 0;
  while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++;
  series.buckets[bucket] = (series.buckets[bucket] as number) + 1;
}

function findSeries(route: RouteSeries, method: string, status: number): Series {
  let statuses = route.series.get(method);
  if (statuses === undefined) route.series.set(method, (statuses = new Map()));
  let series = statuses.get(status);
  if (series === undefined) {
    series = { method, status, buckets: new Float64Array(BOUNDS.length + 1), sum: 0, count: 0 };
    statuses.set(status, series);
  }
  return series;
}

function resetAll(routes: Map<string, RouteSeries>): void {
  for (const route of routes.values()) route.series.clear();
}

function collect(routes: Map<string, RouteSeries>, name: string): Sample[] {
  const samples: Sample[] = [];
  for (const { route, series } of routes.values()) {
    for (const statuses of series.values()) {
      for (const one of statuses.values()) samples.push(...toSamples(name, route, one));
    }
  }
  return samples;
}

function toSamples(name: string, route: string, series: Series): Sample[] {
  const labels = { route, method: series.method, status: series.status };
  let below = 0;
  const buckets = Array.from(series.buckets, (count, index) => {
    below += count;
    const le = index < BOUNDS.length ? (BOUNDS[index] as number) : "+Inf";
    return { labels: { le, ...labels }, value: below, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels, value: series.sum, metricName: `${name}_sum` },
    { labels, value: series.count, metricName: `${name}_count` },
  ];
}
