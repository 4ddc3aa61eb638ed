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

export type Metrics = {
  /** Writes all of them, for a collector. */
  text(): string;
  /** The duration series of a route template; unknown routes share `unmatched`. */
  route(template: string): RouteSeries;
  /** Requests being answered, and those of known keys among them; written by the server. */
  inflight: { count: number; keyed: number };
  /** A series to count in: looked up once, and then a number. */
  cell(name: Counted, labels?: Labels): Cell;
  /** Series to count in, one for each of these values of a label. */
  cells<V extends string>(
    name: Counted,
    label: string,
    values: readonly V[],
    others?: Labels,
  ): Readonly<Record<V, Cell>>;
  /** Who knows the values of a metric; asked when scraped. */
  watch(name: Counted, read: () => Reading): void;
  /** Counts one ingested feed by its outcome (`ok`, `timeout`, `error`, …). */
  feedIngested(outcome: string): void;
  /** What a feed did in one go on this thread. */
  feedWorked(piece: string, seconds: number): void;
  /** One call to a provider that is asked per question: how it ended, and how long it took. */
  lookedUp(provider: string, outcome: string, seconds: number): void;
  /** Who knows the ages of the live feeds, seconds; asked when scraped. */
  watchFeedAges(read: () => readonly number[]): void;
  /** Who counts refused requests, by priority and reason; asked when scraped. */
  watchShed(read: () => Counts): void;
  /** Who counts connections of the public listener; asked when scraped. */
  watchConnections(read: { count: number; ended: Readonly<Record<string, number>> }): void;
  close(): void;
};

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** All that is not a histogram. */
type Counted = {
  [N in MetricName]: (typeof METRICS)[N]["type"] extends "histogram" ? never : N;
}[MetricName];
type Timed = Exclude<MetricName, Counted>;

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

const QUANTILES = [0.5, 0.9, 0.99, 1] as const;

export function createMetrics(): Metrics {
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
  const watch: Metrics["watch"] = (name, read) => counts(name).watch(read);
  const inflight = { count: 0, keyed: 0 };
  watch("svc_http_inflight", () =>
    byLabel("class", { keyed: inflight.keyed, anonymous: inflight.count - inflight.keyed }),
  );
  watchProcess(watch);
  const work = times("svc_feed_work_seconds");
  const lookups = times("svc_provider_request_duration_seconds");
  const routes = new Map<string, RouteSeries>();
  const of_routes = {
    requests: counts("svc_http_requests_total"),
    durations: times("svc_http_request_duration_seconds"),
  };
  return {
    text: () => `${Array.from(families.values(), (family) => family.text()).join("\n\n")}\n`,
    route: (template) => {
      const known = routes.get(template) ?? new RouteSeries(template, of_routes);
      routes.set(template, known);
      return known;
    },
    inflight,
    watch,
    cell: (name, labels = {}) => counts(name).cell(labels),
    cells: (name, label, values, others = {}) =>
      toRecord(values, (value) => counts(name).cell({ ...others, [label]: value })),
    feedIngested: (outcome) => void counts("svc_feed_ingest_total").cell({ outcome }).count++,
    feedWorked: (piece, seconds) => work.cell({ piece }).observe(seconds),
    lookedUp: (provider, outcome, seconds) => lookups.cell({ provider, outcome }).observe(seconds),
    watchFeedAges: (read) =>
      watch("svc_feed_age_seconds", () => {
        const ages = [...read()].sort((a, b) => a - b);
        return ages.length === 0 ? [] : toQuantiles((quantile) => ageAt(ages, quantile));
      }),
    watchShed: (read) =>
      watch("svc_shed_total", () =>
        Object.entries(read()).flatMap(([of, reasons]) =>
          Object.entries(reasons).map(([reason, value]) => ({
            labels: { class: of, reason },
            value,
          })),
        ),
      ),
    watchConnections(read) {
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
function ageAt(ages: readonly number[], quantile: number): number {
  return ages[Math.min(ages.length - 1, Math.floor(quantile * ages.length))]!;
}

function toQuantiles(read: (quantile: number) => number): Sample[] {
  return QUANTILES.map((quantile) => ({
    labels: { quantile: String(quantile) },
    value: read(quantile),
  }));
}

/** Returns the end of the measurement. */
function addEventLoopDelay(watch: Metrics["watch"]): () => void {
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

function watchProcess(watch: Metrics["watch"]): void {
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
