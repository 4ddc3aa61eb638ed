/**
 * Departures of another time than now, the first and last ones of a service day, and those that go to a
 * place further along (departures.md, First and last, and Toward): small timetables and manual clocks.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import { feedOf, type FeedTexts, SMALL } from "../../support/gtfs.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { openDepartures } from "../../support/departures.ts";
import { heldOf, packFeed } from "../../support/transit.ts";
import { NO_WALKS } from "../../support/walks.ts";

const HERE = { lat: 48.85, lon: 2.35 };
const PLAIN = { radius: 500, within: 60, limit: 100, debug: false };
const NONE = { modes: undefined, lines: undefined, language: undefined, ...NO_WALKS };

type Trip = {
  line: string;
  headsign: string;
  calls: readonly (readonly [stop: string, time: string])[];
};

/** A town of three stops: P1 and P2 are here, A is beyond; trips run every day of 2026. */
function textsOf(trips: readonly Trip[], more: FeedTexts = {}): FeedTexts {
  const lines = [...new Set(trips.map(({ line }) => line))];
  return {
    ...SMALL,
    "stops.txt": [
      "stop_id,stop_name,stop_lat,stop_lon",
      "P1,Central,48.8501,2.3501",
      "P2,Market,48.8512,2.3512",
      "A,Harbour Road,48.86,2.36",
      "B,Airport Bhf,48.88,2.38\n",
    ].join("\n"),
    "routes.txt": `route_id,agency_id,route_short_name,route_type\n${lines.map((line) => `R${line},M,${line},0`).join("\n")}\n`,
    "trips.txt": `route_id,service_id,trip_id,trip_headsign\n${trips.map(({ line, headsign }, i) => `R${line},W,T${i},${headsign}`).join("\n")}\n`,
    "stop_times.txt": `trip_id,stop_id,stop_sequence,arrival_time,departure_time\n${trips
      .flatMap(({ calls }, i) =>
        calls.map(([stop, time], n) => `T${i},${stop},${n + 1},${time},${time}`),
      )
      .join("\n")}\n`,
    ...more,
  };
}

const out = (line: string, ...times: readonly string[]): Trip[] =>
  times.map((time) => {
    const [hours, minutes] = time.split(":").map(Number) as [number, number];
    const later = (by: number): string =>
      `${String(hours).padStart(2, "0")}:${String(minutes + by).padStart(2, "0")}:00`;
    const calls = [
      ["P1", later(0)],
      ["P2", later(2)],
      ["A", later(9)],
    ] as const;
    return { line, headsign: "Harbour", calls };
  });
const back = (line: string, ...times: readonly string[]): Trip[] =>
  out(line, ...times).map(({ calls: [one, two, three], ...trip }) => ({
    ...trip,
    headsign: "Market",
    calls: [
      ["A", one![1]],
      ["P1", two![1]],
      ["P2", three![1]],
    ],
  }));

function desk(trips: readonly Trip[], now: string, more: FeedTexts = {}) {
  const now_ms = Date.parse(now);
  const departures = openDepartures({
    finders: [feedDepartures(() => [heldOf("f", packFeed(feedOf(textsOf(trips, more)).feed))])],
    clock: createManualClock(now_ms),
    timezones: () => Promise.resolve(() => "Europe/Paris"),
  });
  return (
    wish: { at?: string; first?: boolean; last?: boolean; toward?: string; within?: number } = {},
  ) =>
    departures.ask({
      question: { ...HERE, ...PLAIN, ...NONE, ...wish },
      ...{ now_ms, deadline_ms: now_ms + 3_000, signal: new AbortController().signal },
    });
}

type Ask = ReturnType<typeof desk>;

async function list(ask: Ask, wish: Parameters<Ask>[0]) {
  const reply = await ask(wish);
  assert.ok("body" in reply, JSON.stringify(reply));
  return {
    window: reply.body.window,
    unknown: reply.body.unknown,
    rows: reply.body.results.departures.map(
      ({ line, headsign, planned_at, departed = false }) =>
        `${line.short_name} ${headsign} ${planned_at!.slice(0, 16)}${departed ? " gone" : ""}`,
    ),
    towards: reply.body.results.departures.map(({ toward }) => toward),
  };
}

async function refusal(ask: Ask, wish: Parameters<Ask>[0]): Promise<string> {
  const reply = await ask(wish);
  assert.ok("kind" in reply, "an answer");
  return reply.message;
}

const TRIPS = [...out("5", "06:00", "12:00", "23:50"), ...back("5", "07:00", "22:00")];
/** 15:00 in Paris, in winter. */
const AFTERNOON = "2026-01-15T14:00:00Z";

test("at is an instant, a time of the place, or the next time that clocks show it", async () => {
  const ask = desk(TRIPS, AFTERNOON);
  for (const at of [
    ...["2026-01-16T05:30:00Z", "2026-01-16T06:30:00+01:00", "2026-01-16T06:30"],
    ...["2026-01-16t06:30:00", "06:30"],
  ]) {
    const { rows, window } = await list(ask, { at });
    assert.deepEqual(rows, ["5 Market 2026-01-16T07:02"], at);
    assert.deepEqual(window, {
      from: "2026-01-16T06:30:00+01:00",
      to: "2026-01-16T07:30:00+01:00",
    });
  }
  assert.deepEqual((await list(ask, { at: "22:00" })).rows, ["5 Market 2026-01-15T22:02"]);
  // What has left is said to be gone.
  const past = await list(ask, { at: "2026-01-15T12:00" });
  assert.deepEqual(past.rows, [
    "5 Harbour 2026-01-15T12:00 gone",
    "5 Harbour 2026-01-15T12:02 gone",
  ]);
});

test("what at cannot be is refused, and what no timetable knows with what they know", async () => {
  const ask = desk(TRIPS, AFTERNOON);
  for (const at of ["2026-02-30T10:00", "25:00", "2029-01-01T10:00", "2026-01-15T10:61:00Z"])
    assert.match(await refusal(ask, { at }), /^at must be an RFC 3339 time/, at);
  assert.equal(
    await refusal(ask, { at: "2027-01-05T10:00" }),
    "at must be within what the timetables here know, from 2026-01-01T00:00:00+01:00 to 2027-01-01T00:00:00+01:00",
  );
  assert.match(await refusal(ask, { at: "2025-12-01T10:00", last: true }), /^at must be within/);
  assert.match(await refusal(ask, { first: true, last: true }), /^first and last must not both/);
});

test("the last ones are those of the night, however it is written, at the nearest stop", async () => {
  const trips = [
    ...TRIPS,
    ...out("5", "25:10"),
    ...out("N", "00:40", "23:00"),
    ...back("N", "21:00"),
  ];
  const wanted = [
    "N Market 2026-01-15T21:02",
    "5 Market 2026-01-15T22:02",
    "N Harbour 2026-01-16T00:40",
    "5 Harbour 2026-01-16T01:10",
  ];
  const afternoon = await list(desk(trips, AFTERNOON), { last: true });
  assert.deepEqual(afternoon.rows, wanted);
  assert.deepEqual(afternoon.window, {
    from: "2026-01-15T04:00:00+01:00",
    to: "2026-01-16T04:00:00+01:00",
  });
  // After midnight it is still that day, and what has left is said to be gone.
  const night = await list(desk(trips, "2026-01-16T00:00:00Z"), { last: true });
  assert.deepEqual(
    night.rows,
    wanted.map((row, i) => (i < 3 ? `${row} gone` : row)),
  );
  const other = await list(desk(trips, AFTERNOON), { last: true, at: "2026-01-20T12:00" });
  assert.equal(other.rows.at(-1), "5 Harbour 2026-01-21T01:10");
});

test("a run of the timetable's day that goes on after four is of that day", async () => {
  const trips = [...TRIPS, ...out("5", "28:20")];
  const rows = (await list(desk(trips, AFTERNOON), { last: true })).rows;
  assert.equal(rows.at(-1), "5 Harbour 2026-01-16T04:20");
  const first = await list(desk(trips, AFTERNOON), { first: true, at: "2026-01-16T12:00" });
  assert.deepEqual(first.rows, ["5 Harbour 2026-01-16T06:00", "5 Market 2026-01-16T07:02"]);
});

test("the first ones are the next ones, unless a day is asked for", async () => {
  const trips = [...TRIPS, ...out("9", "18:00", "19:00")];
  assert.deepEqual((await list(desk(trips, AFTERNOON), { first: true })).rows, [
    "9 Harbour 2026-01-15T18:00",
    "5 Harbour 2026-01-16T06:00",
    "5 Market 2026-01-16T07:02",
  ]);
  assert.deepEqual(
    (await list(desk(trips, AFTERNOON), { first: true, at: "2026-01-15T15:00" })).rows,
    [
      "5 Harbour 2026-01-15T06:00 gone",
      "5 Market 2026-01-15T07:02 gone",
      "9 Harbour 2026-01-15T18:00",
    ],
  );
});

test("nights in which clocks change have their own lengths", async () => {
  const trips = [...TRIPS, ...out("5", "25:10", "26:30")];
  // Forward at 2:00 of March 29, back at 3:00 of October 25: times count from noon less twelve hours.
  for (const [now, last] of [
    ["2026-03-28T14:00:00Z", "2026-03-29T03:30:00+02:00"],
    ["2026-10-24T14:00:00Z", "2026-10-25T02:30:00+02:00"],
    ["2026-03-29T14:00:00Z", "2026-03-30T02:30:00+02:00"],
  ] as const) {
    const reply = await desk(trips, now)({ last: true });
    assert.ok("body" in reply);
    assert.equal(reply.body.results.departures.at(-1)!.planned_at, last, now);
  }
});

test("runs that repeat have a first and a last one", async () => {
  const more = {
    "frequencies.txt":
      "trip_id,start_time,end_time,headway_secs\nT0,05:00:00,09:00:00,600\nT0,16:00:00,24:35:00,600\n",
  };
  const ask = desk(out("5", "06:00"), AFTERNOON, more);
  assert.deepEqual((await list(ask, { last: true })).rows, ["5 Harbour 2026-01-16T00:30"]);
  assert.deepEqual((await list(ask, { first: true })).rows, ["5 Harbour 2026-01-16T05:00"]);
});

test("toward keeps what calls there later, or says it shows it, with the time of arrival", async () => {
  const [trip] = out("7", "15:20");
  const far: Trip = { ...trip!, headsign: "Express", calls: [...trip!.calls, ["B", "15:45:00"]] };
  const ask = desk([...out("5", "15:10"), ...back("5", "15:15"), far], AFTERNOON);
  const harbour = await list(ask, { toward: "harbour road" });
  assert.deepEqual(harbour.rows, [
    "5 Harbour 2026-01-15T15:10",
    "5 Harbour 2026-01-15T15:12",
    "7 Express 2026-01-15T15:20",
    "7 Express 2026-01-15T15:22",
  ]);
  assert.deepEqual(harbour.towards[0], {
    name: "Harbour Road",
    planned_at: "2026-01-15T15:19:00+01:00",
  });
  assert.deepEqual(harbour.unknown, { toward: 0 });
  // Words of a name in their usual other forms.
  const airport = await list(ask, { toward: "Airport Bahnhof" });
  assert.deepEqual(airport.towards, [
    { name: "Airport Bhf", planned_at: "2026-01-15T15:45:00+01:00" },
    { name: "Airport Bhf", planned_at: "2026-01-15T15:45:00+01:00" },
  ]);
  // Not what lies behind, nor the stop itself.
  assert.deepEqual((await list(ask, { toward: "Central" })).rows, []);
  const last = await list(ask, { toward: "Harbour Road", last: true });
  assert.deepEqual(last.rows, ["5 Harbour 2026-01-15T15:10", "7 Express 2026-01-15T15:20"]);
});
