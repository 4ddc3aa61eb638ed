/**
 * What the list of a tool costs (decisions, Cost of a question): results of its page alone are reduced, and
 * the answer is made some times, not once for each result that does not fit. The list of a dense city
 * was made of 200 results in one stretch of 12 to 16 ms of the serving thread.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SHOWN } from "#api/agent-results.ts";
import { fit, sizeOf } from "#mcp/brief.ts";
import type { ToolCall, ToolDeps } from "#mcp/tool.ts";
import { createFindDepartures } from "#mcp/tools/departures-tool.ts";
import { createFindServices, createFindStations } from "#mcp/tools/places-tool.ts";

const RESULTS = 200;
const AT = { lat: 48.85, lon: 2.35 };

/** A result of each operation that counts how often it is looked at. */
function counting<T extends object>(make: (n: number) => T, seen: Set<number>): T[] {
  return Array.from({ length: RESULTS }, (_, n) => {
    const own = make(n);
    return new Proxy(own, {
      get(target, name) {
        seen.add(n);
        return Reflect.get(target, name) as unknown;
      },
    });
  });
}

const place = (n: number) => ({
  ...{ id: `p${n}`, service_type: "toilets", name: "Halle", location: AT, distance_meters: n },
  ...{ source_id: "openstreetmap", attributes: { fee: false, note: "x".repeat(500) } },
});
const station = (n: number) => ({
  ...{ id: `s${n}`, name: "Central", location: AT, distance_meters: n, modes: ["bus"], routes: [] },
  ...{ accessibility: { wheelchair: "unknown" }, realtime: { available: null } },
  ...{ sources: [{ provider: "gtfs", feed_id: "f" }] },
});
const departure = (n: number) => ({
  ...{ planned_at: null, expected_at: null, delay_seconds: null, realtime: "planned_only" },
  ...{ status: "scheduled", wheelchair: "unknown", headsign: null, platform: null, alerts: [] },
  line: { id: "1", short_name: "1", long_name: null, mode: "bus" },
  ...{ station: { id: "s", name: "Central" }, distance_meters: n },
  sources: [{ provider: "gtfs", feed_id: "f" }],
});

function deps(results: object): { tools: ToolDeps; pauses: () => number } {
  let pauses = 0;
  const head = { status: "success", query_origin: AT, radius: 500, total: RESULTS };
  const time = { local_time: "2026-11-27T10:00:00+01:00", time_zone: "Europe/Paris" };
  const reply = {
    body: { ...head, ...time, results },
    max_age_s: 60,
    metered: { void: false, objects: RESULTS, maps_categories: 0 },
  };
  const search = () => Promise.resolve(reply);
  const tools = {
    clock: { now: () => 0 },
    searches: { services: search, transport: search, departures: { nearby: search } },
    termsOf: () => ({ provider: "p", attribution: null, licence: null, store: "all" }),
    pause: () => {
      pauses++;
      return Promise.resolve();
    },
  } as unknown as ToolDeps;
  return { tools, pauses: () => pauses };
}

const QUERY = {
  ...{ now_ms: 0, deadline_ms: 1_000, signal: new AbortController().signal },
  caller: { kind: "anonymous" },
} as unknown as ToolCall;

const TOOLS: readonly [
  name: string,
  create: (deps: ToolDeps) => (args: never, query: ToolCall) => Promise<object>,
  toResults: (seen: Set<number>) => object,
][] = [
  ["find_urban_services", createFindServices, (seen) => counting(place, seen)],
  ["find_transit_stations", createFindStations, (seen) => ({ stations: counting(station, seen) })],
  [
    "find_departures",
    createFindDepartures,
    (seen) => ({ departures: counting(departure, seen), alerts: [] }),
  ],
];

for (const [name, create, toResults] of TOOLS)
  test(`${name} reduces the results of its page alone, after turns for others`, async () => {
    for (const offset of [0, 40, 190]) {
      const seen = new Set<number>();
      const { tools, pauses } = deps(toResults(seen));
      const outcome = await create(tools)({ ...AT, limit: 20, offset } as never, QUERY);
      assert.equal((outcome as { kind: string }).kind, "answered");
      const first = [...seen].sort((a, b) => a - b);
      assert.ok(seen.size <= SHOWN.items_max && seen.size > 0, `${seen.size} of ${RESULTS}`);
      assert.ok(first[0]! >= offset, `from ${first[0]} on`);
      // Before they are made, fitted and written.
      assert.equal(pauses(), 3);
    }
  });

test("an answer is made six times at most, whatever does not fit", () => {
  for (const length of [10, 300, 700, 3_000, 9_000]) {
    const items = Array.from({ length: 60 }, (_, n) => ({ n, text: "x".repeat(length) }));
    let made = 0;
    const page = fit(items, 50, (results) => {
      made++;
      return { results };
    });
    assert.ok(made <= 6, `${made} times for ${length} letters`);
    assert.ok(page.results.length === 1 || sizeOf(page) <= SHOWN.bytes_max);
  }
});
