/** Messages of strangers: bounded, cleaned, and never more than what they say. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { LiveMessage } from "../../live/live-model.ts";
import { MOST_MESSAGE_BYTES, readLiveMessage } from "../../gtfs-rt/message.ts";
import { encodeMessage, type Json } from "../../../../sandbox/gtfs-rt/encode.ts";
import { Bytes } from "../../../../sandbox/pbf/bytes.ts";
import { tries } from "../../../../test/support/size.ts";

const HEADER = { gtfsRealtimeVersion: "2.0", timestamp: 1_565_199_921 };

function read(...entity: Json[]): LiveMessage {
  const result = readLiveMessage(encodeMessage({ header: HEADER, entity }));
  assert.ok(result.ok, result.ok ? "" : result.problem);
  return result.message;
}

function problemOf(bytes: Uint8Array): string {
  const result = readLiveMessage(bytes);
  return result.ok ? "no problem" : result.problem;
}

const updateOf = (tripUpdate: Json): Json => ({ id: "1", tripUpdate });
const stopsOf = (...stopTimeUpdate: Json[]): Json =>
  updateOf({ trip: { tripId: "T" }, stopTimeUpdate });

test("what is no message is a problem, and not an empty feed", () => {
  const damaged = "not a GTFS Realtime message, or a damaged one";
  assert.equal(problemOf(new Uint8Array(0)), "an empty message");
  assert.equal(problemOf(new Uint8Array(MOST_MESSAGE_BYTES + 1)), "a message of 33554433 bytes");
  assert.equal(problemOf(encodeMessage({ entity: [{ id: "1" }] })), "a message without a header");
  for (const text of ["<!DOCTYPE html><html></html>", '{"header":{}}', "404 page not found", "\0"])
    assert.equal(problemOf(Buffer.from(text)), damaged, text);
  const whole = encodeMessage({ header: HEADER, entity: [stopsOf({ stopSequence: 1 })] });
  assert.equal(problemOf(whole.subarray(0, whole.length - 1)), damaged);
  assert.equal(problemOf(encodeMessage({ header: HEADER })), "no problem");
});

test("what is differential, or of an incrementality that is not known, is refused", () => {
  const text = "a differential message, which the specification leaves open";
  for (const incrementality of ["DIFFERENTIAL", 2, 77])
    assert.equal(problemOf(encodeMessage({ header: { ...HEADER, incrementality } })), text);
});

test("all that an update can say is read", () => {
  const { trips } = read({
    id: "e",
    tripUpdate: {
      trip: {
        tripId: "T",
        routeId: "R",
        directionId: 0,
        startDate: "20190807",
        startTime: "25:10:05",
        scheduleRelationship: "DUPLICATED",
      },
      vehicle: { id: "v", label: "Tram 12" },
      timestamp: "1565199900",
      delay: -40,
      tripProperties: {
        tripId: "T2",
        startDate: "20190808",
        startTime: "7:00:00",
        tripHeadsign: "Harbour",
        tripShortName: "12",
      },
      stopTimeUpdate: [
        {
          stopSequence: 0,
          stopId: "A",
          arrival: { delay: -2_147_483_648, time: "1565200000", scheduledTime: "1565200060" },
          departure: { delay: 30, uncertainty: 0 },
          scheduleRelationship: "SKIPPED",
          stopTimeProperties: { assignedStopId: "B", stopHeadsign: "Zoo", pickupType: "NONE" },
        },
      ],
    },
  });
  assert.deepEqual(trips, [
    {
      entity_id: "e",
      trip: {
        trip_id: "T",
        route_id: "R",
        direction: 0,
        start_day: 18_115,
        start_s: 90_605,
        relation: "duplicated",
      },
      timestamp_s: 1_565_199_900,
      delay_s: -40,
      vehicle_label: "Tram 12",
      properties: {
        trip_id: "T2",
        start_day: 18_116,
        start_s: 25_200,
        headsign: "Harbour",
        short_name: "12",
      },
      stops: [
        {
          sequence: 0,
          stop_id: "A",
          arrival: { delay_s: -(2 ** 31), time_s: 1_565_200_000, scheduled_s: 1_565_200_060 },
          departure: { delay_s: 30, time_s: null, scheduled_s: null },
          relation: "skipped",
          assigned_stop_id: "B",
          headsign: "Zoo",
          pickup: 1,
          drop_off: null,
        },
      ],
    },
  ]);
});

test("values of enumerations that are not known are null, and not the default", () => {
  const { trips, vehicles } = read(
    updateOf({
      trip: { tripId: "T", scheduleRelationship: 9 },
      stopTimeUpdate: [{ stopSequence: 1, scheduleRelationship: 4 }],
    }),
    updateOf({ trip: { tripId: "T", scheduleRelationship: 4 } }),
    { id: "2", vehicle: { currentStatus: 3, occupancyStatus: 99 } },
    { id: "3", vehicle: { occupancyStatus: "NO_DATA_AVAILABLE" } },
  );
  assert.equal(trips[0]!.trip.relation, null);
  assert.equal(trips[0]!.stops[0]!.relation, null);
  assert.equal(trips[1]!.trip.relation, null);
  assert.deepEqual([vehicles[0]!.status, vehicles[0]!.occupancy], [null, null]);
  assert.deepEqual([vehicles[1]!.status, vehicles[1]!.occupancy], ["in_transit_to", null]);
});

test("a start that is stated and cannot be read drops the entity: it is not known which run is meant", () => {
  const starts = [
    { startDate: "AAAABBCC" },
    { startDate: "20190231" },
    { startDate: "2019-08-07" },
    { startTime: "AA:BB:CC" },
    { startTime: "12:60:00" },
    { startTime: "999:00:00" },
  ];
  const { trips, trail } = read(
    ...starts.map((start) => updateOf({ trip: { tripId: "T", ...start } })),
  );
  assert.deepEqual(trips, []);
  assert.deepEqual(
    trail.dropped.map(({ reason, count }) => [reason, count]),
    [["unreadable_start", starts.length]],
  );
});

test("a time that is none leaves the event unknown, even with a delay", () => {
  const { trips, trail } = read(
    stopsOf({
      stopSequence: 1,
      arrival: { time: 0, delay: 0 },
      departure: { time: -5, delay: 60 },
    }),
  );
  const unknown = { delay_s: null, time_s: null, scheduled_s: null };
  assert.deepEqual(trips[0]!.stops[0]!.arrival, unknown);
  assert.deepEqual(trips[0]!.stops[0]!.departure, unknown);
  assert.deepEqual(trail.dropped, [{ reason: "unusable_time", count: 2, examples: ["1", "1"] }]);
});

test("one bad entity costs no other", () => {
  const good = encodeMessage({ entity: [stopsOf({ stopSequence: 1 })] });
  const bad = new Bytes();
  bad.bytes(2, Buffer.from([0x0a, 0x01, 0x41, 0x1a, 0x02, 0x0a, 0x7f]));
  const whole = Buffer.concat([good, bad.done(), encodeMessage({ header: HEADER }), good]);
  const result = readLiveMessage(whole);
  assert.ok(result.ok);
  assert.equal(result.message.trips.length, 2);
  assert.deepEqual(result.message.trail.dropped, [
    { reason: "damaged_entity", count: 1, examples: ["A"] },
  ]);
});

test("deleted entities, updates without a trip and alerts about nothing are dropped", () => {
  const { trips, alerts, trail } = read(
    { isDeleted: true, tripUpdate: { trip: { tripId: "T" } }, id: "gone" },
    updateOf({ stopTimeUpdate: [] }),
    { id: "a", alert: { headerText: { translation: [{ text: "x" }] }, informedEntity: [{}] } },
  );
  assert.deepEqual([trips, alerts], [[], []]);
  assert.deepEqual(
    trail.dropped.map(({ reason }) => reason),
    ["alert_about_nothing", "deleted", "update_without_trip"],
  );
});

test("texts of alerts are cleaned and cut, and only web addresses are addresses", () => {
  const long = "x".repeat(100_000);
  const { alerts } = read({
    id: "a\u202e1",
    alert: {
      informedEntity: [{ routeId: "R" }],
      cause: "STRIKE",
      effect: "UNKNOWN_EFFECT",
      severityLevel: "SEVERE",
      activePeriod: [{ start: 1_565_199_921 }, { start: 0, end: "18446744073709551615" }],
      headerText: {
        translation: [
          { text: "a\u0000b\u202ec\u{e0041}  d\n", language: "en" },
          { text: " " },
          { text: long },
        ],
      },
      url: {
        translation: [{ text: "javascript:alert(1)" }, { text: "https://example.org/x" }],
      },
    },
  });
  const [alert] = alerts;
  assert.equal(alert!.id, "a1");
  assert.deepEqual([alert!.cause, alert!.effect, alert!.severity], ["strike", null, "severe"]);
  assert.deepEqual(alert!.header[0], { text: "abc d", language: "en" });
  assert.equal(alert!.header.length, 2);
  assert.ok(alert!.header[1]!.text.length <= 4_096);
  assert.deepEqual(alert!.url, [{ text: "https://example.org/x", language: null }]);
  assert.deepEqual(alert!.periods, [
    { from_s: 1_565_199_921, to_s: null },
    { from_s: null, to_s: null },
  ]);
});

test("text that is no UTF-8 is replaced", () => {
  const bytes = Buffer.from(
    encodeMessage({
      header: HEADER,
      entity: [{ id: "1", vehicle: { vehicle: { label: "Tram ??" } } }],
    }),
  );
  bytes.fill(0xff, bytes.indexOf("??"), bytes.indexOf("??") + 2);
  const result = readLiveMessage(bytes);
  assert.ok(result.ok);
  assert.equal(result.message.vehicles[0]!.label, "Tram \ufffd\ufffd");
});

test("positions off the globe, and the zero that means none, are unknown", () => {
  const positions = [
    { latitude: 100, longitude: -121 },
    { latitude: 37, longitude: 200 },
    { latitude: 0, longitude: 0 },
    { latitude: NaN, longitude: 5 },
    { latitude: 37 },
  ];
  const { vehicles } = read(...positions.map((position) => ({ id: "1", vehicle: { position } })), {
    id: "1",
    vehicle: { position: { latitude: 37.5, longitude: -121.25 } },
  });
  assert.deepEqual(
    vehicles.map(({ location }) => location),
    [null, null, null, null, null, { lat: 37.5, lon: -121.25 }],
  );
});

test("parts and entities beyond the bounds are counted and left out", () => {
  const bytes = new Bytes();
  bytes.bytes(1, Buffer.from([0x0a, 0x03, 0x32, 0x2e, 0x30]));
  const update = new Bytes();
  update.bytes(1, Buffer.from([0x0a, 0x01, 0x54]));
  for (let i = 0; i < 1_600_000; i++) update.bytes(2, new Uint8Array(0));
  const entity = new Bytes();
  entity.message(3, update);
  bytes.message(2, entity);
  for (let i = 0; i < 300_000; i++) bytes.bytes(2, new Uint8Array(0));
  const result = readLiveMessage(bytes.done());
  assert.ok(result.ok);
  assert.equal(result.message.trips[0]!.stops.length, 1_500_000);
  assert.deepEqual(
    result.message.trail.dropped.map(({ reason, count }) => [reason, count]),
    [
      ["too_many_entities", 1],
      ["too_many_parts", 100_000],
    ],
  );
});

const WHOLE = encodeMessage({
  header: HEADER,
  entity: [
    stopsOf({ stopSequence: 1, stopId: "A", arrival: { delay: 5, time: 1_565_200_000 } }),
    { id: "v", vehicle: { position: { latitude: 1, longitude: 2 }, trip: { tripId: "T" } } },
    {
      id: "a",
      alert: { informedEntity: [{ stopId: "A" }], headerText: { translation: [{ text: "é" }] } },
    },
  ],
});

test("mutated bytes never throw", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(WHOLE.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      fc.nat(WHOLE.length),
      (changes, length) => {
        const bytes = Buffer.from(WHOLE);
        for (const [at, value] of changes) bytes[at] = value;
        for (const one of [bytes, bytes.subarray(0, length)]) {
          const result = readLiveMessage(one);
          assert.equal(
            typeof (result.ok ? result.message.trips.length : result.problem.length),
            "number",
          );
        }
      },
    ),
    { numRuns: tries(2_000) },
  );
});

test("any bytes never throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const result = readLiveMessage(bytes);
      assert.ok(result.ok || !result.problem.includes("\n"));
    }),
    { numRuns: tries(1_000) },
  );
});
