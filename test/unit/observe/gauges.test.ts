/** What is asked when it is scraped: both sides of each state, a clock that is behind, and what is unknown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { diag } from "@opentelemetry/api";
import { createMetrics, type Metrics } from "#http/metrics.ts";
import { countUsage } from "#observe/access-meter.ts";
import { noteCatalogue, watchCatalogues } from "#observe/catalogue-meter.ts";
import { watchFeeds } from "#observe/feed-meter.ts";
import { createFleetMeter } from "#observe/fleet-meter.ts";
import { createTelemetry, loadTelemetry } from "#observe/open-telemetry.ts";
import type { CatalogueEvent, CatalogueHealth } from "#upstream/catalogue-reader.ts";
import type { FeedInfo } from "#upstream/feeds/feed-types.ts";
import { readExposition } from "../../support/exposition.ts";

const NOW_MS = 1_795_000_000_000;

/** The series of a name as `label=value … number`. */
function read(name: string, fill: (metrics: Metrics) => unknown): string[] {
  const metrics = createMetrics();
  fill(metrics);
  const { series } = readExposition(metrics.text());
  metrics.close();
  return series
    .filter((each) => each.name === name)
    .map(({ labels, value }) => [...Object.values(labels), value].join(" "));
}

const health = (change: Partial<CatalogueHealth>): CatalogueHealth =>
  ({
    status: "ok",
    reason: null,
    last_success_at_ms: NOW_MS - 90_000,
    ...change,
  }) as CatalogueHealth;
const CATALOGUES = [
  { id: "well", health: () => health({}) },
  { id: "away", health: () => health({ status: "timeout" }) },
  { id: "never", health: () => health({ status: "error", last_success_at_ms: null }) },
  { id: "ahead", health: () => health({ last_success_at_ms: NOW_MS + 1 }) },
];

test("catalogues: up or not, and the age of what was read at some time", () => {
  const watch = (metrics: Metrics): void => watchCatalogues(metrics, CATALOGUES, () => NOW_MS);
  assert.deepEqual(read("svc_catalogue_up", watch), ["well 1", "away 0", "never 0", "ahead 1"]);
  assert.deepEqual(read("svc_catalogue_age_seconds", watch), ["well 90", "away 90", "ahead 0"]);
});

test("a catalogue that was read is a line of information, one that failed a warning with its cause", () => {
  const lines: string[] = [];
  const say = (level: string) => (fields: object, message: string) =>
    lines.push(`${level}: ${message} ${JSON.stringify(fields)}`);
  const note = noteCatalogue({ info: say("info"), warn: say("warn") });
  const event = { reason: null, last_success_at_ms: null, kept: false, dropped: {} };
  note({ ...event, status: "ok", last_success_at_ms: 0 } as unknown as CatalogueEvent);
  note({ ...event, status: "ok", kept: true } as unknown as CatalogueEvent);
  note({ ...event, status: "timeout" } as unknown as CatalogueEvent);
  assert.match(lines[0]!, /^info: catalogue \{.*"read_at":"1970-01-01T00:00:00.000Z"/);
  assert.match(lines[1]!, /^info: catalogue of an earlier start \{.*"read_at":null/);
  assert.match(lines[2]!, /^warn: the catalogue could not be read \{.*"word":".+","cause":".+"/);
});

test("the oldest event that the ledger does not have: none, some time ago, or of a clock ahead", () => {
  for (const [at_ms, seconds] of [
    [null, 0],
    [NOW_MS - 1_500, 1.5],
    [NOW_MS + 1_500, 0],
  ] as const) {
    const usage = {
      record: () => true,
      depth: () => 3,
      oldestAt_ms: () => at_ms,
      room: () => ({ used: 1, free: 2 }),
    };
    const watch = (metrics: Metrics): unknown => countUsage(usage, metrics, () => NOW_MS);
    assert.deepEqual(read("svc_usage_oldest_seconds", watch), [String(seconds)]);
    assert.deepEqual(read("svc_usage_spool_depth", watch), ["3"]);
    assert.deepEqual(read("svc_usage_spool_bytes", watch), ["used 1", "free 2"]);
  }
});

test("feeds: how many in each state, and the ages of those that someone asks for", () => {
  const feeds = [
    { state: "ok", last_success_at_ms: NOW_MS - 4_000 },
    { state: "ok", last_success_at_ms: null },
    { state: "idle", last_success_at_ms: NOW_MS - 9_000_000 },
  ] as FeedInfo[];
  const watch = (metrics: Metrics): void =>
    watchFeeds(
      metrics,
      () => feeds,
      () => NOW_MS,
    );
  assert.deepEqual(read("svc_feeds", watch), ["ok 2", "idle 1"]);
  const ages = read("svc_feed_age_seconds", watch);
  assert.ok(ages.length > 0 && ages.every((line) => line.endsWith(" 4")), ages.join());
});

test("a store that fails has its reason, and no other; one that is well has none", () => {
  const watch = (metrics: Metrics): void =>
    createFleetMeter(metrics).watchFailing([
      { store: "folder", failing: { reason: "full" } },
      { store: "valkey", failing: null },
    ]);
  const lines = read("svc_store_failing", watch);
  assert.ok(lines.length > 4);
  assert.deepEqual(
    lines.filter((line) => !line.endsWith(" 0")),
    ["folder full 1"],
  );
});

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

test("durations: one at each bound and one beyond it, the last of them in +Inf", () => {
  const lines = read("svc_http_request_duration_seconds_bucket", (metrics) => {
    for (const bound of BOUNDS)
      for (const seconds of [bound, bound + 0.000_1])
        metrics.route("/v1/nearby").observe("GET", 200, seconds);
  });
  const counts = [...BOUNDS.map((bound, i) => [bound, 2 * i + 1]), ["+Inf", 2 * BOUNDS.length]];
  assert.deepEqual(
    lines,
    counts.map(([le, count]) => `${le} /v1/nearby GET 200 ${count}`),
  );
});

test("what the libraries of traces report is passed on once a minute", async (t) => {
  let now_ms = 1_000_000;
  t.mock.method(performance, "now", () => now_ms);
  const reported: string[] = [];
  const libraries = await loadTelemetry();
  assert.ok(!("problem" in libraries));
  const telemetry = createTelemetry(libraries, {
    ...{ url: "http://127.0.0.1:1", service_name: "a", version: "1", sampler: "always_off" },
    ...{ ratio: 1, onProblem: (message) => void reported.push(message) },
  });
  t.after(() => telemetry.close());
  for (const [passed_ms, message] of [
    [0, "first"],
    [59_999, "second"],
    [1, "third"],
    [0, "fourth"],
  ] as const) {
    now_ms += passed_ms;
    diag.error(message);
  }
  diag.info("no problem");
  assert.deepEqual(reported, ["first", "third"]);
});
