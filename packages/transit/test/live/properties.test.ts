/** Whatever a feed says: nothing is expected of its silence, and order has no effect. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { buildLive } from "../../live/build-live.ts";
import { indexFeed } from "../../live/feed-index.ts";
import { openLive } from "../../live/live-table.ts";
import { readLiveMessage } from "../../gtfs-rt/message.ts";
import { encodeMessage, type Json } from "../../../../sandbox/gtfs-rt/encode.ts";
import { at, listOf, s, tableOf, timetableOf } from "../../../../test/support/live.ts";
import { tries } from "../../../../test/support/size.ts";

const STOPS = ["A1", "B", "C", "D", "E"];
const STATIONS = ["A", "B", "C", "D", "E"];
const FEED = timetableOf(
  Array.from({ length: 6 }, (_, i) => ({
    id: `T${i}`,
    calls: STOPS.map((stop, call) => `${call + 1} ${stop} 08:${call}${i}:00 08:${call}${i}:30`),
  })),
);
const INDEX = indexFeed(FEED)!;
const NOW = at("08:00");

const event = fc.oneof(
  fc.record({ delay: fc.integer({ min: -600, max: 3_600 }) }),
  fc.record({ time: fc.integer({ min: s("07:50"), max: s("09:30") }) }),
  fc.constant({}),
  fc.record({ time: fc.constantFrom(0, 5, 4_000_000_000), delay: fc.constant(0) }),
);
const stopUpdate = fc.record(
  {
    stopSequence: fc.integer({ min: 0, max: 6 }),
    stopId: fc.constantFrom(...STOPS, "Z"),
    arrival: event,
    departure: event,
    scheduleRelationship: fc.constantFrom(0, 0, 0, 1, 2, 3, 7),
  },
  { requiredKeys: [] },
);
const tripUpdate = fc.record(
  {
    trip: fc.record(
      {
        tripId: fc.constantFrom("T0", "T1", "T2", "T3", "X"),
        startDate: fc.constantFrom("20261125", "20261126", "20261128"),
        scheduleRelationship: fc.constantFrom(0, 0, 0, 0, 1, 2, 3, 5, 6, 7, 8, 9),
      },
      { requiredKeys: ["tripId"] },
    ),
    stopTimeUpdate: fc.array(stopUpdate, { maxLength: 6 }),
    timestamp: fc.integer({ min: s("07:50"), max: s("08:00") }),
    delay: fc.integer({ min: -600, max: 600 }),
  },
  { requiredKeys: ["trip", "stopTimeUpdate"] },
);
const entities = fc
  .array(tripUpdate, { maxLength: 8 })
  .map((updates): Json[] => updates.map((update, i) => ({ id: `e${i}`, tripUpdate: update })));

const listAll = (live: Parameters<typeof listOf>[1], now_ms: number) =>
  STATIONS.flatMap((station) =>
    (["departures", "arrivals"] as const).flatMap((kind) =>
      listOf(FEED, live, station, { from_ms: NOW, now_ms, kind }),
    ),
  );

test("what is expected was stated: silent, old and missing feeds expect nothing", () => {
  fc.assert(
    fc.property(entities, (input) => {
      const live = tableOf(FEED, { at_ms: NOW, entities: input });
      const spoken = new Set(
        input.map(
          (each) => (each as { tripUpdate: { trip: { tripId: string } } }).tripUpdate.trip.tripId,
        ),
      );
      for (const match of listAll(live, NOW)) {
        const { realtime, status, expected_ms, delay_s, planned_ms, trip_id } = match;
        assert.ok(expected_ms === null || realtime === "live");
        assert.ok(
          realtime !== "live" || expected_ms !== null || ["cancelled", "skipped"].includes(status),
        );
        assert.ok(expected_ms === null || status === "scheduled" || status === "added");
        assert.ok(spoken.has(trip_id) || realtime === "unknown", trip_id);
        assert.equal(
          delay_s,
          expected_ms === null || planned_ms === null ? null : (expected_ms - planned_ms) / 1000,
        );
        const time_ms = expected_ms ?? planned_ms!;
        assert.ok(time_ms >= NOW && time_ms < NOW + 3_600_000);
      }
      const planned = listAll(undefined, NOW);
      for (const silent of [listAll(live, NOW + 120_001), listAll(null, NOW)])
        assert.deepEqual(
          silent,
          planned.map((each) => ({ ...each, realtime: "unknown" })),
        );
    }),
    { numRuns: tries(300) },
  );
});

test("the order of entities has no effect where no run is stated twice", () => {
  const distinct = fc.uniqueArray(tripUpdate, {
    selector: ({ trip }) => trip.tripId,
    maxLength: 5,
  });
  fc.assert(
    fc.property(distinct, fc.infiniteStream(fc.nat()), (updates, stream) => {
      const input: Json[] = updates.map((update, i) => ({ id: `e${i}`, tripUpdate: update }));
      const keys = new Map(input.map((each) => [each, stream.next().value as number]));
      const shuffled = input.toSorted((a, b) => keys.get(a)! - keys.get(b)!);
      const [one, other] = [input, shuffled].map((list) => {
        const live = tableOf(FEED, { at_ms: NOW, entities: list });
        return [live.columns, live.meta.counts, listAll(live, NOW)];
      });
      assert.deepEqual(one, other);
    }),
    { numRuns: tries(200) },
  );
});

test("mutated messages are joined without a throw", () => {
  const whole = encodeMessage({
    header: { gtfsRealtimeVersion: "2.0", timestamp: NOW / 1000 },
    entity: [
      {
        id: "1",
        tripUpdate: {
          trip: { tripId: "T1", startDate: "20261125" },
          stopTimeUpdate: [
            { stopSequence: 1, departure: { delay: 60 } },
            { stopSequence: 3, stopId: "C", arrival: { time: s("08:25") } },
          ],
        },
      },
      {
        id: "2",
        tripUpdate: {
          trip: { tripId: "X", scheduleRelationship: "ADDED" },
          stopTimeUpdate: [{ stopId: "A1", departure: { time: s("08:05") } }, { stopId: "B" }],
        },
      },
      { id: "3", alert: { informedEntity: [{ stopId: "A" }, { trip: { tripId: "T1" } }] } },
    ],
  });
  let read_count = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      (changes) => {
        const bytes = Buffer.from(whole);
        for (const [place, value] of changes) bytes[place] = value;
        const read = readLiveMessage(bytes);
        if (!read.ok) return;
        read_count++;
        const inputs = [{ message: read.message, fetched_ms: NOW }];
        const live = openLive(buildLive(INDEX, inputs));
        assert.ok(live);
        listAll(live, NOW);
      },
    ),
    { numRuns: tries(1_500) },
  );
  assert.ok(read_count > tries(500));
});

test("a table is the same in shared memory, and bytes that are not whole are none", () => {
  const input: Json[] = [
    { id: "1", tripUpdate: { trip: { tripId: "T1" }, delay: 60, stopTimeUpdate: [] } },
  ];
  const read = readLiveMessage(encodeMessage({ header: { timestamp: NOW / 1000 }, entity: input }));
  assert.ok(read.ok);
  const inputs = [{ message: read.message, fetched_ms: NOW }];
  const bytes = buildLive(INDEX, inputs);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  assert.deepEqual(listAll(openLive(shared), NOW), listAll(openLive(bytes), NOW));
  assert.equal(openLive(bytes.subarray(0, bytes.length - 8)), null);
  bytes[bytes.length >> 1]! ^= 1;
  assert.equal(openLive(bytes), null);
});
