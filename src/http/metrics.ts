/**
 * The registry behind /metrics: the metrics of the table (metric-table.ts), who counts them and who
 * is asked for them.
 */
import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Histogram, Registry } from "prom-client";
import { createDurationHistogram, type RouteSeries } from "./histogram.ts";
import { type Cell, createFamily, type Family, type Labels, type Sample } from "./metric-family.ts";
import { METRICS, type MetricName } from "./metric-table.ts";

export type Metrics = {
  registry: Registry;
  /** The duration series of a route template; unknown routes share `unmatched`. */
  route(template: string): RouteSeries;
  /** Requests being answered, and those of known keys among them; written by the server. */
  inflight: { count: number; keyed: number };
  /** A series to count in: looked up once, and then a number. */
  cell(name: Counted, labels?: Labels): Cell;
  /** Who knows the values of a metric; asked when scraped. */
  watch(name: Counted, read: () => readonly Sample[]): void;
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

/** All that is not a histogram. */
type Counted = Exclude<
  MetricName,
  | "svc_http_request_duration_seconds"
  | "svc_http_requests_total"
  | "svc_provider_request_duration_seconds"
  | "svc_feed_work_seconds"
>;

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

const HISTOGRAMS: ReadonlySet<string> = new Set([
  "svc_http_request_duration_seconds",
  "svc_http_requests_total",
  "svc_provider_request_duration_seconds",
  "svc_feed_work_seconds",
]);
const WORK_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const PROVIDER_BOUNDS = [0.05, 0.25, 1, 2.5, 5];
const QUANTILES = [0.5, 0.9, 0.99, 1] as const;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const durations = createDurationHistogram();
  for (const metric of durations.metrics) registry.registerMetric(metric);
  const families = new Map<string, Family>();
  for (const [name, row] of Object.entries(METRICS)) {
    if (HISTOGRAMS.has(name)) continue;
    const family = createFamily(name, row);
    families.set(name, family);
    registry.registerMetric(family.metric);
  }
  const familyOf = (name: Counted): Family => families.get(name)!;
  const watch: Metrics["watch"] = (name, read) => familyOf(name).watch(read);
  const inflight = { count: 0, keyed: 0 };
  watch("svc_http_inflight", () => [
    { labels: { class: "keyed" }, value: inflight.keyed },
    { labels: { class: "anonymous" }, value: inflight.count - inflight.keyed },
  ]);
  watchProcess(watch);
  return {
    registry,
    route: durations.route,
    inflight,
    watch,
    cell: (name, labels = {}) => familyOf(name).cell(labels),
    feedIngested: (outcome) => void familyOf("svc_feed_ingest_total").cell({ outcome }).count++,
    feedWorked: addFeedWork(registry),
    lookedUp: addLookups(registry),
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
      watch("svc_http_connections", () => [{ labels: {}, value: read.count }]);
      watch("svc_http_connections_ended_total", () =>
        Object.entries(read.ended).map(([reason, value]) => ({ labels: { reason }, value })),
      );
    },
    close: addEventLoopDelay(watch),
  };
}

function addFeedWork(registry: Registry): Metrics["feedWorked"] {
  const name = "svc_feed_work_seconds";
  const work = new Histogram({
    name,
    help: METRICS[name].help,
    labelNames: ["piece"],
    buckets: WORK_BOUNDS,
    registers: [registry],
  });
  return (piece, seconds) => work.labels(piece).observe(seconds);
}

function addLookups(registry: Registry): Metrics["lookedUp"] {
  const name = "svc_provider_request_duration_seconds";
  const { help } = METRICS[name];
  const lookups = new Histogram({
    name,
    help,
    labelNames: ["provider", "outcome"],
    buckets: PROVIDER_BOUNDS,
    registers: [registry],
  });
  // Looking a series up by its labels costs more than writing to it.
  const series = new Map<string, { observe(seconds: number): void }>();
  return (provider, outcome, seconds) => {
    const key = `${provider} ${outcome}`;
    const known = series.get(key) ?? lookups.labels({ provider, outcome });
    series.set(key, known);
    known.observe(seconds);
  };
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
  const one = (value: number): Sample[] => [{ labels: {}, value }];
  const started_s = Date.now() / 1000 - process.uptime();
  watch("process_start_time_seconds", () => one(started_s));
  watch("process_resident_memory_bytes", () => one(process.memoryUsage.rss()));
  watch("process_cpu_seconds_total", () => {
    const { user, system } = process.cpuUsage();
    return one((user + system) / 1e6);
  });
  watch("process_heap_bytes", () => {
    const { heapUsed, heapTotal } = process.memoryUsage();
    return [
      { labels: { state: "used" }, value: heapUsed },
      { labels: { state: "reserved" }, value: heapTotal },
    ];
  });
  if (process.platform !== "linux") return;
  watch("process_open_fds", () => one(readdirSync("/proc/self/fd").length));
}
