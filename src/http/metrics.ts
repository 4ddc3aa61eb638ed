/**
 * What is behind /metrics: the metrics of the table (metric-table.ts), who counts them and who is
 * asked for them.
 */
import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { RouteSeries } from "./histogram.ts";
import {
  byLabel,
  type Cell,
  Count,
  Family,
  Histogram,
  type Labels,
  type Reading,
  type Sample,
} from "./metric-family.ts";
import { METRICS, type MetricName, type MetricRow } from "./metric-table.ts";

export type Metrics = ReturnType<typeof createMetrics>;

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** All that is not a histogram. */
type Counted = {
  [N in MetricName]: (typeof METRICS)[N]["type"] extends "histogram" ? never : N;
}[MetricName];
type Timed = Exclude<MetricName, Counted>;

type Watch = (name: Counted, read: () => Reading) => void;

const QUANTILES = [0.5, 0.9, 0.99, 1] as const;

export function createMetrics() {
  const rows = Object.entries<MetricRow>(METRICS);
  const families = new Map(
    rows.map(([name, row]) => [
      name,
      new Family<Count | Histogram>(name, row, () =>
        row.bounds === undefined ? new Count() : new Histogram(row.bounds),
      ),
    ]),
  );
  const counts = (name: Counted): Family<Count> => families.get(name) as Family<Count>;
  const times = (name: Timed): Family<Histogram> => families.get(name) as Family<Histogram>;
  const watch: Watch = (name, read) => counts(name).watch(read);
  const inflight = { count: 0, keyed: 0 };
  watch("svc_http_inflight", () =>
    byLabel("class", { keyed: inflight.keyed, anonymous: inflight.count - inflight.keyed }),
  );
  watchProcess(watch);
  const routes = new Map<string, RouteSeries>();
  const of_routes = {
    requests: counts("svc_http_requests_total"),
    durations: times("svc_http_request_duration_seconds"),
  };
  return {
    /** Writes all of them, for a collector. */
    text: () => `${Array.from(families.values(), (family) => family.text()).join("\n\n")}\n`,
    /** Returns the duration series of a route template; unknown routes share `unmatched`. */
    route: (template: string): RouteSeries => {
      const known_route = routes.get(template) ?? new RouteSeries(template, of_routes);
      routes.set(template, known_route);
      return known_route;
    },
    /** Requests being answered, and those of known keys among them; written by the server. */
    inflight,
    /** Returns a series to count in: looked up once, and then a number. */
    cell: (name: Counted, labels: Labels = {}): Cell => counts(name).cell(labels),
    /** Returns series to count in, one for each of these values of a label. */
    cells: <V extends string>(
      name: Counted,
      label: string,
      values: readonly V[],
      others: Labels = {},
    ): Readonly<Record<V, Cell>> =>
      toRecord(values, (value) => counts(name).cell({ ...others, [label]: value })),
    /** Sets who knows the values of a metric; asked when scraped. */
    watch,
    /** Counts one ingested feed by its outcome (`ok`, `timeout`, `error`, …). */
    feedIngested: (outcome: string) =>
      void counts("svc_feed_ingest_total").cell({ outcome }).count++,
    /** Notes what a feed did in one go on this thread. */
    feedWorked: (piece: string, seconds: number) =>
      times("svc_feed_work_seconds").cell({ piece }).observe(seconds),
    /** Notes one call to a provider that is asked per question: how it ended, and how long it took. */
    lookedUp: (provider: string, outcome: string, seconds: number) =>
      times("svc_provider_request_duration_seconds").cell({ provider, outcome }).observe(seconds),
    /** Sets who knows the ages of the live feeds, seconds; asked when scraped. */
    watchFeedAges: (read: () => readonly number[]) =>
      watch("svc_feed_age_seconds", () => toAgeQuantiles(read())),
    /** Sets who counts refused requests, by priority and reason; asked when scraped. */
    watchShed: (read: () => Readonly<Record<string, Readonly<Record<string, number>>>>) =>
      watch("svc_shed_total", () =>
        Object.entries(read()).flatMap(([of, reasons]) =>
          byLabel("reason", reasons, { class: of }),
        ),
      ),
    /** Sets who counts connections of the public listener; asked when scraped. */
    watchConnections(read: { count: number; ended: Readonly<Record<string, number>> }) {
      watch("svc_http_connections", () => read.count);
      watch("svc_http_connections_ended_total", () => byLabel("reason", read.ended));
    },
    close: addEventLoopDelay(watch),
  };
}

function toRecord<V extends string, T>(names: readonly V[], make: (name: V) => T): Record<V, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<V, T>;
}

/** Over all feeds: a series per feed would be thousands. */
function toAgeQuantiles(unsorted: readonly number[]): Sample[] {
  const ages = unsorted.toSorted((a, b) => a - b);
  const at = (quantile: number): number => Math.floor(quantile * ages.length);
  if (ages.length === 0) return [];
  return toQuantiles((quantile) => ages[Math.min(ages.length - 1, at(quantile))]!);
}

function toQuantiles(read: (quantile: number) => number): Sample[] {
  return QUANTILES.map((quantile) => ({
    labels: { quantile: String(quantile) },
    value: read(quantile),
  }));
}

/** Returns the end of the measurement. */
function addEventLoopDelay(watch: Watch): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  watch("svc_eventloop_delay_seconds", () => {
    const samples = toQuantiles((quantile) => delay.percentile(quantile * 100) / 1e9);
    delay.reset();
    return samples;
  });
  return () => {
    delay.disable();
  };
}

function watchProcess(watch: Watch): void {
  const started_s = Date.now() / 1000 - process.uptime();
  watch("process_start_time_seconds", () => started_s);
  watch("process_resident_memory_bytes", () => process.memoryUsage.rss());
  watch("process_cpu_seconds_total", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  watch("process_heap_bytes", () => {
    const { heapUsed, heapTotal } = process.memoryUsage();
    return byLabel("state", { used: heapUsed, reserved: heapTotal });
  });
  if (process.platform === "linux")
    watch("process_open_fds", () => readdirSync("/proc/self/fd").length);
}
