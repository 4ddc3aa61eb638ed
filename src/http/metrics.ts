/** The registry behind /metrics. One prefix, base units, no label from request data. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { createDurationHistogram, type RouteSeries } from "./histogram.ts";

export type Metrics = {
  registry: Registry;
  /** The duration series of a route template; unknown routes share `unmatched`. */
  route(template: string): RouteSeries;
  /** Requests being answered; written by the server, read when scraped. */
  inflight: { count: number };
  /** Counts one ingested feed by its outcome (`ok`, `timeout`, `error`, …). */
  feedIngested(outcome: string): void;
  /** One call to a provider that is asked per question: how it ended, and how long it took. */
  lookedUp(provider: string, outcome: string, seconds: number): void;
  /** Who knows the ages of the live feeds, seconds; asked when scraped. */
  watchFeedAges(read: () => readonly number[]): void;
  /** Who counts refused requests, by priority and reason; asked when scraped. */
  watchShed(read: () => Counts): void;
  close(): void;
};

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

const QUANTILES = [0.5, 0.9, 0.99, 1] as const;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const durations = createDurationHistogram(
    "svc_http_request_duration_seconds",
    "Time from routing a request to the end of its response.",
  );
  registry.registerMetric(durations.metric);
  const inflight = { count: 0 };
  addInflight(registry, inflight);
  const stopDelay = addEventLoopDelay(registry);
  const ingested = new Counter({
    name: "svc_feed_ingest_total",
    help: "Feeds read, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const lookups = new Histogram({
    name: "svc_provider_request_duration_seconds",
    help: "Calls to providers that are asked per question.",
    labelNames: ["provider", "outcome"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  // Looking a series up by its labels costs more than writing to it.
  const series = new Map<string, { observe(seconds: number): void }>();
  const seriesOf = (provider: string, outcome: string): { observe(seconds: number): void } => {
    const key = `${provider} ${outcome}`;
    const known = series.get(key) ?? lookups.labels({ provider, outcome });
    series.set(key, known);
    return known;
  };
  return {
    registry,
    route: durations.route,
    inflight,
    feedIngested: (outcome) => ingested.inc({ outcome }),
    lookedUp: (provider, outcome, seconds) => seriesOf(provider, outcome).observe(seconds),
    watchFeedAges: addFeedAges(registry),
    watchShed: addShed(registry),
    close: stopDelay,
  };
}

function addInflight(registry: Registry, inflight: { count: number }): void {
  const gauge: Gauge = new Gauge({
    name: "svc_http_inflight",
    help: "Requests being answered.",
    registers: [registry],
    collect: () => gauge.set(inflight.count),
  });
}

/** Returns the end of the measurement. */
function addEventLoopDelay(registry: Registry): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const gauge: Gauge<"quantile"> = new Gauge({
    name: "svc_eventloop_delay_seconds",
    help: "Delay of the event loop since the last scrape.",
    labelNames: ["quantile"],
    registers: [registry],
    collect: () => {
      for (const quantile of QUANTILES) {
        gauge.set({ quantile: String(quantile) }, delay.percentile(quantile * 100) / 1e9);
      }
      delay.reset();
    },
  });
  return () => void delay.disable();
}

/** Quantiles over all feeds: a series per feed would be thousands. */
function addFeedAges(registry: Registry): (read: () => readonly number[]) => void {
  let read: () => readonly number[] = () => [];
  const gauge: Gauge<"quantile"> = new Gauge({
    name: "svc_feed_age_seconds",
    help: "Age of the live feeds, quantiles over the feeds.",
    labelNames: ["quantile"],
    registers: [registry],
    collect: () => {
      gauge.reset();
      const ages = [...read()].sort((a, b) => a - b);
      if (ages.length === 0) return;
      for (const quantile of QUANTILES) {
        const at = Math.min(ages.length - 1, Math.floor(quantile * ages.length));
        gauge.set({ quantile: String(quantile) }, ages[at] as number);
      }
    },
  });
  return (next) => {
    read = next;
  };
}

/** Counts that somebody else keeps, who is on the hot path. */
function addShed(registry: Registry): (read: () => Counts) => void {
  let read: () => Counts = () => ({});
  const counter: Counter<"class" | "reason"> = new Counter({
    name: "svc_shed_total",
    help: "Requests refused because the service is busy.",
    labelNames: ["class", "reason"],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [of, reasons] of Object.entries(read())) {
        for (const [reason, count] of Object.entries(reasons))
          counter.inc({ class: of, reason }, count);
      }
    },
  });
  return (next) => {
    read = next;
  };
}
