/** Every counter moves when its event happens: a row a series, through the code that counts it. */
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { Quotas } from "#app/access/unit-quota.ts";
import { findOperation } from "#api/operations.ts";
import { BadKeyThrottle } from "#http/bad-keys.ts";
import { Connections } from "#http/connections.ts";
import { byLabel } from "#http/metric-family.ts";
import { METRICS, type MetricName, type MetricRow } from "#http/metric-table.ts";
import { createMetrics, type Metrics } from "#http/metrics.ts";
import { OpenStreams } from "#http/open-streams.ts";
import { countDecisions, countUsage } from "#observe/access-meter.ts";
import { watchFeeds } from "#observe/feed-meter.ts";
import { watchBasePages } from "#observe/base-meter.ts";
import { createFleetMeter } from "#observe/fleet-meter.ts";
import { createLookupMeter } from "#observe/lookup-meter.ts";
import type { Admission, RateLimiter, UsageEvent } from "#ports.ts";
import { PageCache } from "#upstream/bases/page-cache.ts";
import { createSlot } from "#upstream/bases/page-slot.ts";
import type { FeedInfo } from "#upstream/feeds/feed-types.ts";
import { type Exposition, readExposition, sumOf } from "../../support/exposition.ts";
import { ask, PAID, ringOf, stubGate } from "../../support/gate.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createAsker, toBody, turn, USUAL } from "../../support/lookup.ts";

type Labels = Record<string, string>;
type Row = [
  metric: MetricName,
  labels: Labels,
  event: (metrics: Metrics) => unknown,
  /** How far it moves. */
  by?: number,
];

const AGAIN = { retry_after_s: 1, remaining: 0 as const, reset_s: 1 };
const refusing = {
  charge: () => undefined,
  admit: (): Admission => ({ admitted: false, ...AGAIN }),
} satisfies RateLimiter;
const ADMITTING: RateLimiter = {
  charge: () => undefined,
  admit: () => ({ admitted: true, remaining: 1, reset_s: 1 }),
};
const FULL = new Quotas({ unitsOf: () => PAID.units! }, assert.ifError);

/** A question of a known key under this gate. */
function question(metrics: Metrics, change: Parameters<typeof stubGate>[0]): Promise<void> {
  const { deps } = stubGate({ limiter: ADMITTING, decisions: countDecisions(metrics), ...change });
  return ask(deps, "getNearby", { query: "lat=48&lon=2" }).done;
}

const UNREACHED = { keyring: ringOf({ ok: false, code: "store_unavailable" }) };
const unread = (): never => {
  throw new Error("the store of usage cannot be read");
};
const UNKNOWN = new Quotas({ unitsOf: unread }, () => undefined);

/** An answer whose usage the journal does not take. */
async function unwritten(metrics: Metrics): Promise<void> {
  const meter = { record: () => Promise.resolve(false) };
  const { deps, gate } = stubGate({
    limiter: ADMITTING,
    decisions: countDecisions(metrics),
    meter,
  });
  const operation = findOperation("getNearby");
  const metered = { void: false, objects: 1, maps_categories: 0 };
  const send = (): void => assert.fail("it leaves nonetheless");
  await ask(deps, "getNearby", {
    query: "lat=48&lon=2",
    handler: (exchange, caller) =>
      gate.release(exchange, { operation, caller: caller!, metered }, { send }),
  }).done;
}

/** A question with a key that does not exist. */
async function badKey(metrics: Metrics, admitted: boolean, enforced = true): Promise<void> {
  const verdict = { admitted, ...AGAIN, remaining: 0 } as Admission;
  const badKeys = Object.assign(new BadKeyThrottle(refusing), { strike: () => verdict });
  await question(metrics, {
    keyring: ringOf({ ok: false, code: "invalid_api_key" }),
    badKeys,
    enforced,
  });
}

/** Words asked of a source, counted. */
function asker(metrics: Metrics) {
  const desk = createAsker(USUAL, { meter: createLookupMeter(metrics) });
  desk.line.always(() => toBody(["x"], desk.clock.now()));
  return desk;
}

function record(metrics: Metrics, recorded: boolean): void {
  const usage: Parameters<typeof countUsage>[0] = {
    record: () => recorded,
    depth: () => 7,
    oldestAt_ms: () => 1_000,
    room: () => ({ used: 3, free: 5 }),
  };
  assert.equal(countUsage(usage, metrics, () => 61_000).record([{} as UsageEvent]), recorded);
}

/** The second connection of an address that may have one. */
function connectTwice(metrics: Metrics): void {
  const connections = new Connections({
    max_connections: 10,
    max_connections_per_address: 1,
    write_timeout_ms: 1_000,
    trusted_proxies: [],
  });
  metrics.watchConnections(connections);
  const noop = (): void => undefined;
  const socket = {
    remoteAddress: "192.0.2.1",
    once: noop,
    resetAndDestroy: noop,
  } as unknown as Socket;
  connections.admit(socket);
  connections.admit(socket);
}

/** A stream of one byte whose caller has left. */
function streamOnce(metrics: Metrics): void {
  const streams = new OpenStreams();
  streams.watch(metrics);
  const stream = { route: "/mcp", bytes: 1 };
  streams.add(stream);
  streams.remove(stream, "left");
}

const fleet = (pick: (meter: ReturnType<typeof createFleetMeter>) => { count: number }) =>
  ((metrics) => pick(createFleetMeter(metrics)).count++) satisfies Row[2];

const ROWS: readonly Row[] = [
  [
    "svc_http_requests_total",
    { route: "/a", method: "GET", status: "429" },
    ({ route }) => route("/a").observe("HEAD", 429, 1),
  ],
  ["svc_http_connections_ended_total", { reason: "address" }, connectTwice],
  ["svc_stream_ends_total", { route: "/mcp", reason: "left" }, streamOnce],
  ["svc_stream_bytes_total", { route: "/mcp" }, streamOnce],
  [
    "svc_stream_work_total",
    { what: "events" },
    ({ watch }) => watch("svc_stream_work_total", () => byLabel("what", { events: 1 })),
  ],
  [
    "svc_shed_total",
    { class: "keyed", reason: "delay" },
    ({ watchShed }) => watchShed(() => ({ keyed: { delay: 1 } })),
  ],
  ["svc_ratelimit_total", { policy: "burst", decision: "admitted" }, (m) => question(m, {})],
  [
    "svc_ratelimit_total",
    { policy: "burst", decision: "refused" },
    (m) => question(m, { limiter: refusing }),
  ],
  [
    "svc_ratelimit_total",
    { policy: "burst", decision: "unenforced" },
    (m) => question(m, { limiter: refusing, enforced: false }),
  ],
  ["svc_ratelimit_total", { policy: "quota", decision: "admitted" }, (m) => question(m, {})],
  [
    "svc_ratelimit_total",
    { policy: "quota", decision: "refused" },
    (m) => question(m, { quotas: FULL }),
  ],
  [
    "svc_ratelimit_total",
    { policy: "quota", decision: "unenforced" },
    (m) => question(m, { quotas: FULL, enforced: false }),
  ],
  ["svc_store_refused_total", { store: "keys" }, (m) => question(m, UNREACHED)],
  ["svc_store_refused_total", { store: "units" }, (m) => question(m, { quotas: UNKNOWN })],
  ["svc_store_refused_total", { store: "journal" }, unwritten],
  ["svc_ratelimit_total", { policy: "bad_keys", decision: "admitted" }, (m) => badKey(m, true)],
  ["svc_ratelimit_total", { policy: "bad_keys", decision: "refused" }, (m) => badKey(m, false)],
  [
    "svc_ratelimit_total",
    { policy: "bad_keys", decision: "unenforced" },
    (m) => badKey(m, false, false),
  ],
  [
    "svc_provider_request_duration_seconds",
    { provider: "source", outcome: "timeout", __name: "count" },
    (m) => m.lookedUp("source", "timeout", 1),
  ],
  [
    "svc_provider_retries_total",
    { provider: "source" },
    async (m) => {
      const { ask: put, line, clock } = asker(m);
      line.always(() => ({ status: "error", reason: "http_502" }));
      const request = put("q");
      await clock.advance(400);
      await request;
    },
  ],
  ["svc_provider_spend_units_total", { provider: "source" }, (m) => asker(m).ask("q")],
  ["svc_cache_requests_total", { tier: "lookup", outcome: "miss" }, (m) => asker(m).ask("q")],
  [
    "svc_cache_requests_total",
    { tier: "lookup", outcome: "hit" },
    async (m) => {
      const { ask: put } = asker(m);
      await put("q");
      await put("q");
    },
  ],
  [
    "svc_cache_requests_total",
    { tier: "lookup", outcome: "stale" },
    async (m) => {
      const { ask: put, clock } = asker(m);
      await put("q");
      await clock.advance(USUAL.fresh_ms + 1);
      await put("q");
    },
  ],
  [
    "svc_cache_requests_total",
    { tier: "shared", outcome: "unreachable" },
    fleet(({ cache }) => cache.unreachable),
  ],
  ["svc_feed_ingest_total", { outcome: "error" }, (m) => m.feedIngested("error")],
  ["svc_usage_events_total", { state: "taken" }, (m) => record(m, false)],
  ["svc_usage_events_total", { state: "durable" }, (m) => record(m, true)],
  ["svc_usage_events_total", { state: "refused" }, (m) => record(m, false)],
  ["svc_usage_spool_depth", {}, (m) => record(m, true), 7],
  ["svc_feed_leases_total", { outcome: "won" }, fleet(({ leases }) => leases.won)],
  ["svc_feed_snapshots_total", { outcome: "adopted" }, fleet(({ snapshots }) => snapshots.adopted)],
  ["svc_shared_fallbacks_total", { use: "limits" }, fleet(({ fallbacks }) => fallbacks.limits)],
  ["svc_base_page_requests_total", { outcome: "read" }, (m) => wantPages(m, ["a", "b"]), 2],
  ["svc_base_page_requests_total", { outcome: "hit" }, (m) => wantPages(m, ["a", "a", "a"]), 2],
  ["svc_base_page_evictions_total", {}, (m) => wantPages(m, ["a", "b", "a"]), 2],
  ["svc_base_page_waits_total", {}, (m) => wantPages(m, ["a", "b"], true)],
  ["svc_defects_total", {}, (m) => m.watch("svc_defects_total", () => [{ labels: {}, value: 1 }])],
  [
    "svc_workers_ended_total",
    {},
    (m) => m.watch("svc_workers_ended_total", () => [{ labels: {}, value: 1 }]),
  ],
  ["process_cpu_seconds_total", {}, burn, 0],
];

/** Pages are wanted one after another, or at once, where one has room. */
async function wantPages(metrics: Metrics, names: readonly string[], atOnce = false) {
  const clock = createManualClock(0);
  const cache = new PageCache<{ name: string }>({
    ...{ bytes_max: 1, clock },
    onFault: (err) => assert.ifError(err),
  });
  watchBasePages(metrics, { list: () => [], pageFacts: () => cache.facts });
  const slots = new Map(
    names.map((name) => [name, createSlot(1, () => Promise.resolve({ page: { name } }))] as const),
  );
  const want = async (name: string): Promise<void> => {
    const { pinned } = await cache.pin([slots.get(name)!]);
    await clock.advance(0);
    cache.release(pinned);
  };
  if (atOnce) await Promise.all(names.map(want));
  else for (const name of names) await want(name);
}

/** Long enough to be seen. */
function burn(): void {
  const until = process.cpuUsage().user + 20_000;
  while (process.cpuUsage().user < until) Math.sqrt(until);
}

for (const [metric, labels, event, by = 1] of ROWS)
  test(`${metric} ${JSON.stringify(labels)}`, async (t) => {
    const metrics = open(t);
    const { __name: part, ...own } = labels;
    const name = part === undefined ? metric : `${metric}_${part}`;
    const before = sumOf(await read(metrics), name, own) ?? 0;
    await event(metrics);
    const after = sumOf(await read(metrics), name, own) ?? assert.fail("no such series");
    if (by > 0) assert.equal(after - before, by);
    else assert.ok(after > before);
  });

test("the table above has a row for every counter there is", () => {
  const counters = Object.entries<MetricRow>(METRICS).filter(([, { type }]) => type === "counter");
  assert.ok(counters.length >= 10, `${counters.length} counters`);
  const rows = new Set<string>(ROWS.map(([metric]) => metric));
  assert.deepEqual(
    counters.map(([name]) => name).filter((name) => !rows.has(name)),
    [],
  );
});

test("the gauges say how it is now", async (t) => {
  const metrics = open(t);
  const meter = createLookupMeter(metrics);
  const states = { near: "closed", far: "closed" } as { near: "closed" | "open"; far: "closed" };
  meter.source("source", () => states.near);
  meter.source("source", () => states.far);
  const valueOf = async (name: string, labels: Labels = {}) =>
    sumOf(await read(metrics), name, labels);
  assert.equal(await valueOf("svc_provider_breaker_state", { provider: "source" }), 0);
  states.near = "open";
  assert.equal(await valueOf("svc_provider_breaker_state", { provider: "source" }), 2);

  // A single service has no stores to report on.
  assert.deepEqual([await valueOf("svc_shared_up"), await valueOf("svc_store_up")], [null, null]);
  const opened = createFleetMeter(metrics);
  opened.watchShared(() => true);
  opened.watchStore(() => false);
  record(metrics, true);
  assert.deepEqual(
    [
      await valueOf("svc_shared_up"),
      await valueOf("svc_store_up"),
      await valueOf("svc_usage_spool_depth"),
    ],
    [1, 0, 7],
  );

  const feed = { state: "ok", last_success_at_ms: 1_000 } as FeedInfo;
  const asleep = { state: "idle", last_success_at_ms: 0 } as FeedInfo;
  watchFeeds(
    metrics,
    () => [feed, feed, asleep],
    () => 4_000,
  );
  assert.equal(await valueOf("svc_feeds", { state: "ok" }), 2);
  assert.equal(await valueOf("svc_feed_age_seconds", { quantile: "1" }), 3);
});

test("a caller that waits for a call is counted while it waits, and requests with keys on their own", async (t) => {
  const metrics = open(t);
  const desk = createAsker(USUAL, { meter: createLookupMeter(metrics) });
  const both = Promise.all([desk.ask("q"), desk.ask("q")]);
  await turn();
  assert.equal(sumOf(await read(metrics), "svc_singleflight_waiters"), 2);
  desk.line.calls[0]!.answer(toBody(["x"], desk.clock.now()));
  await both;
  assert.equal(sumOf(await read(metrics), "svc_singleflight_waiters"), 0);
  Object.assign(metrics.inflight, { count: 5, keyed: 2 });
  assert.equal(sumOf(await read(metrics), "svc_http_inflight", { class: "anonymous" }), 3);
});

function open(t: TestContext): Metrics {
  const metrics = createMetrics();
  t.after(metrics.close);
  return metrics;
}

async function read(metrics: Metrics): Promise<Exposition> {
  return readExposition(metrics.text());
}
