/** Trips that go on as others: what is kept of transfers.txt, and when it is said. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { at, listOf, tableOf, timetableOf, updateOf } from "../../../test/support/live.ts";
import { feedOf } from "../../../test/support/gtfs.ts";

const COLUMNS = "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id";
const FIRST = { id: "T1", calls: ["1 A1 08:00:00 08:00:00", "2 B 08:30:00 08:35:00"] };

/** A trip of line 2 from B at a time. */
function later(id: string, time: string, service = "W") {
  const [hour, ...rest] = time.split(":");
  const end = [String(Number(hour) + 1).padStart(2, "0"), ...rest].join(":");
  return { id, route: "R2", service, calls: [`1 B ${time} ${time}`, `2 C ${end} ${end}`] };
}

type Feed = Parameters<typeof timetableOf>;

function feedWith(trips: Feed[0], rows: readonly string[], more: Feed[1] = {}) {
  return timetableOf(trips, { "transfers.txt": [COLUMNS, ...rows].join("\n"), ...more });
}

/** What is said of the first departure at A: `line headsign`; null: nothing. */
function saidOf(
  feed: ReturnType<typeof feedWith>,
  live?: ReturnType<typeof tableOf>,
  day?: string,
) {
  const [match] = listOf(feed, live, "A", { from_ms: at("08:00", day) });
  assert.equal(match?.trip_id, "T1");
  const { continues } = match;
  return continues && `${feed.meta.routes[continues.route]!.id} ${continues.headsign}`;
}

describe("which rows count", () => {
  const trips = [FIRST, later("T2", "08:40:00")];
  for (const [what, rows, wanted] of [
    ["staying in the vehicle", ["B,B,4,T1,T2"], "R2 To E"],
    ["without stops", [",,4,T1,T2"], "R2 To E"],
    ["stated twice", [",,4,T1,T2", ",,4,T1,T2"], "R2 To E"],
    ["having to leave it", [",,5,T1,T2"], null],
    ["both: leaving wins", [",,4,T1,T2", ",,5,T1,T2"], null],
    ["both, the other way round", [",,5,T1,T2", ",,4,T1,T2"], null],
    ["ways between stops", ["B,B,0,,", "B,B,1,,", "B,B,2,,", "B,B,3,T1,T2"], null],
    ["no type at all", ["B,B,,T1,T2"], null],
    ["another direction", [",,4,T2,T1"], null],
    ["a trip that is not there", [",,4,T1,T9", ",,4,T9,T2"], null],
    ["itself", [",,4,T1,T1"], null],
    ["no trips", ["B,B,4,,"], null],
  ] as const)
    test(`${what}: ${wanted ?? "nothing is said"}`, () => {
      assert.equal(saidOf(feedWith(trips, rows)), wanted);
    });

  test("what is wrong with a row is counted", () => {
    const { trail } = feedOf({
      "agency.txt":
        "agency_id,agency_name,agency_url,agency_timezone\nM,M,https://m.example/,UTC\n",
      "routes.txt": "route_id,agency_id,route_short_name,route_type\nR,M,1,3\n",
      "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nA,A,48.8,2.3\n",
      "calendar.txt":
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,1,1,20260101,20261231\n",
      "trips.txt": "route_id,service_id,trip_id\nR,W,T\n",
      "stop_times.txt": "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n",
      "transfers.txt": [COLUMNS, "A,A,2,,", ",,4,T,X", ",,4,T,T", ",,4,,"].join("\n"),
    });
    assert.deepEqual(
      trail.dropped
        .filter(({ reason }) => reason.startsWith("transfer"))
        .map(({ reason, count, examples }) => [reason, count, examples]),
      [
        ["transfer_of_unknown_trip", 2, ["T", "line 5"]],
        ["transfer_to_itself", 1, ["T"]],
      ],
    );
  });
});

describe("which run is meant", () => {
  const both = (time: string, ...others: Feed[0]) =>
    feedWith([FIRST, later("T2", time), ...others], [",,4,T1,T2", ",,4,T1,T3"]);

  test("one that begins when the vehicle has arrived, and not much later", () => {
    assert.equal(saidOf(both("08:30:00")), "R2 To E");
    assert.equal(saidOf(both("08:29:59")), null);
    assert.equal(saidOf(both("10:30:00")), "R2 To E");
    assert.equal(saidOf(both("10:30:01")), null);
  });

  test("of two, the one that runs on that day; of two that do, none", () => {
    const calendar =
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date";
    const rows = ["W,1,1,1,1,1,1,1,20260101,20261231", "S,0,0,0,0,0,1,1,20260101,20261231"];
    const trips = [
      FIRST,
      later("T2", "08:40:00"),
      { ...later("T3", "08:45:00", "S"), route: "R1" },
    ];
    const feed = feedWith(trips, [",,4,T1,T2", ",,4,T1,T3"], {
      "calendar.txt": [calendar, ...rows].join("\n"),
    });
    assert.equal(saidOf(feed, undefined, "2026-11-27"), "R2 To E");
    assert.equal(saidOf(feed, undefined, "2026-11-28"), null);
  });

  test("after midnight that of the next service day", () => {
    const night = { id: "T1", calls: ["1 A1 23:30:00 23:30:00", "2 B 24:10:00 24:10:00"] };
    const feed = feedWith([night, later("T2", "00:20:00")], [",,4,T1,T2"]);
    const reportOf = (day: string) =>
      listOf(feed, undefined, "A", { from_ms: at("23:30", day) })[0]!.continues?.headsign;
    assert.equal(reportOf("2026-11-26"), "To E");
    // Friday's: on Saturday nothing runs.
    assert.equal(reportOf("2026-11-27"), undefined);
  });

  test("after midnight it may still be that of the service day before", () => {
    const early = { id: "T1", calls: ["1 A1 00:30:00 00:30:00", "2 B 01:10:00 01:10:00"] };
    const feed = feedWith([early, later("T2", "25:20:00")], [",,4,T1,T2"]);
    const reportOf = (day: string) =>
      listOf(feed, undefined, "A", { from_ms: at("00:30", day) })[0]!.continues?.headsign;
    assert.equal(reportOf("2026-11-26"), "To E");
    // On Sunday nothing runs.
    assert.equal(reportOf("2026-11-30"), undefined);
  });

  test("trips that repeat go on as nothing", () => {
    const headways = "trip_id,start_time,end_time,headway_secs\n";
    for (const trip of ["T1", "T2"]) {
      const feed = feedWith([FIRST, later("T2", "08:40:00")], [",,4,T1,T2"], {
        "frequencies.txt": `${headways}${trip},08:00:00,09:00:00,600\n`,
      });
      assert.equal(saidOf(feed), null, trip);
    }
  });
});

describe("live data", () => {
  const feed = feedWith([FIRST, later("T2", "08:40:00")], [",,4,T1,T2"]);
  const trip = (tripId: string, scheduleRelationship = "SCHEDULED") => ({
    tripId,
    startDate: "20261125",
    scheduleRelationship,
  });
  const delay = { stopSequence: 1, departure: { delay: 60 } };
  const reportOf = (...entities: ReturnType<typeof updateOf>[]) =>
    saidOf(feed, tableOf(feed, { at_ms: at("08:00"), entities }));

  test("a run that is late goes on all the same", () => {
    assert.equal(reportOf(updateOf(trip("T1"), [delay])), "R2 To E");
    assert.equal(reportOf(updateOf(trip("T2"), [delay])), "R2 To E");
  });

  test("not as a run that is cancelled, deleted or replaced", () => {
    const calls = [{ stopId: "C", departure: { time: at("09:00") / 1000 } }];
    assert.equal(reportOf(updateOf(trip("T2", "CANCELED"))), null);
    assert.equal(reportOf(updateOf(trip("T2", "DELETED"))), null);
    assert.equal(reportOf(updateOf(trip("T2", "REPLACEMENT"), calls)), null);
  });

  test("a run that is cancelled goes on as nothing", () => {
    assert.equal(reportOf(updateOf(trip("T1", "CANCELED"))), null);
  });
});
