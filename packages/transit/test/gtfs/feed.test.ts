/** From files to stations: one rule of mobility.md 3.1 to 3.3 per test. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeedStation } from "../../schedule/schedule-stations.ts";
import type { TrailEntry } from "#kit/trail.ts";
import { SMALL, feedOf, readTexts, type FeedTexts } from "../../../../test/support/gtfs.ts";

const STOPS =
  "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding";
/** Stops, all of them called at by one bus. */
const served = (rows: readonly string[]): FeedTexts => ({
  "stops.txt": [STOPS, ...rows].join("\n"),
  "stop_times.txt": callsOf(...rows.map((row) => `T1,${row.split(",")[0]}`)),
});
/** Calls of TRIP,STOP, all at one time. */
const callsOf = (...rows: string[]): string =>
  ["trip_id,stop_id,departure_time", ...rows.map((row) => `${row},8:00:00`)].join("\n");
const ids = (stations: readonly FeedStation[]): string[] => stations.map(({ id }) => id);
const reasons = (entries: readonly TrailEntry[]): Record<string, number> =>
  Object.fromEntries(entries.map(({ reason, count }) => [reason, count]));

test("a small feed: platforms go to their station, an entrance is none, a lone stop is one", () => {
  const { feed, trail, counts } = feedOf({});
  const { timetable, ...rest } = feed;
  assert.equal(timetable!.trips.count, 1);
  assert.deepEqual(rest, {
    feed_id: "f",
    region: null,
    fetched_at_ms: 5,
    licence: null,
    attribution: null,
    realtime: null,
    alerts: null,
    operators: [{ id: "M", name: "Métro", url: "https://metro.example/" }],
    routes: [
      {
        id: "R1",
        short_name: "1",
        long_name: "Line one",
        mode: "metro",
        operator_id: "M",
        color: "FF0000",
      },
    ],
    stations: [
      { id: "S", name: "Central", lat: 48.85, lon: 2.35, wheelchair: "yes", routes: [0] },
      { id: "A", name: "Alone", lat: 48.86, lon: 2.36, wheelchair: "unknown", routes: [0] },
    ],
  });
  assert.deepEqual(trail, { dropped: [], repaired: [] });
  assert.deepEqual(counts, { stops: 5, stop_times: 3 });
});

test("a boarding area belongs to the station of its platform, in any order of rows", () => {
  const rows = ["B,,1,1,4,P,", "P,Platform,1,1,0,S,", "S,Station,1,1,1,,"];
  for (const order of [rows, rows.toReversed()]) {
    const texts = { ...served(order), "stop_times.txt": callsOf("T1,B") };
    const { feed, trail } = feedOf(texts);
    assert.deepEqual(ids(feed.stations), ["S"]);
    assert.deepEqual(trail.repaired, []);
  }
});

test("a platform whose parent is not there is its own station", () => {
  const { feed, trail } = feedOf(served(["P,Platform,1,1,0,NOWHERE,", "Q,Quay,1,1,0,NOWHERE,"]));
  assert.deepEqual(ids(feed.stations), ["P", "Q"]);
  assert.deepEqual(trail.repaired, [{ reason: "dangling_parent", count: 2, examples: ["P", "Q"] }]);
});

test("parents in a circle, and parents that are no stations, leave a platform on its own", () => {
  const rows = ["A,A,1,1,0,B,", "B,B,1,1,0,A,", "C,C,1,1,0,C,", "D,D,1,1,0,E,", "E,E,1,1,2,A,"];
  const { feed, trail } = feedOf(served(rows));
  assert.deepEqual(ids(feed.stations), ["A", "B", "C", "D"]);
  assert.deepEqual(reasons(trail.repaired), {
    parent_is_no_station: 1,
    parents_in_a_circle: 3,
  });
  assert.deepEqual(reasons(trail.dropped), { call_at_no_stop: 1 });
});

test("a platform below a parentless platform is part of it", () => {
  const { feed } = feedOf(served(["A,A,1,1,0,,", "B,B,1,1,0,A,"]));
  assert.deepEqual(ids(feed.stations), ["A"]);
});

test("a boarding area without a platform is nothing; a station's parent is not looked at", () => {
  const { feed, trail } = feedOf(served(["B,B,1,1,4,GONE,", "C,C,1,1,4,,", "S,S,1,1,1,B,"]));
  assert.deepEqual(ids(feed.stations), ["S"]);
  assert.deepEqual(reasons(trail.dropped), {
    boarding_area_dangling_parent: 1,
    boarding_area_without_parent: 1,
  });
});

test("entrances and nodes are never stations, even when a trip calls there", () => {
  const { feed, trail } = feedOf(
    served(["S,S,1,1,1,,", "E,E,1,1,2,S,", "N,N,1,1,3,S,", "X,X,1,1,3,,"]),
  );
  assert.deepEqual(ids(feed.stations), ["S"]);
  assert.deepEqual(trail.dropped, [
    { reason: "call_at_no_stop", count: 3, examples: ["E", "N", "X"] },
  ]);
});

test("a station that no trip serves is left out, and counted", () => {
  const { feed, trail } = feedOf({ "stop_times.txt": callsOf("T1,A") });
  assert.deepEqual(ids(feed.stations), ["A"]);
  assert.deepEqual(trail.dropped, [{ reason: "served_by_no_trip", count: 1, examples: ["S"] }]);
});

test("without a usable point a station takes the middle of its children, or goes", () => {
  for (const bad of ["0,0", ",", "91,2", "x,y", "NaN,1", "1,181"]) {
    const rows = [
      `S,S,${bad},1,,`,
      "P,P,10,20,0,S,",
      "Q,Q,12,22,0,S,",
      `R,R,${bad},0,S,`,
      `A,A,${bad},,,`,
    ];
    const { feed, trail } = feedOf(served(rows));
    assert.deepEqual(ids(feed.stations), ["S"], bad);
    assert.deepEqual([feed.stations[0]!.lat, feed.stations[0]!.lon], [11, 21], bad);
    assert.deepEqual(reasons(trail.dropped), { station_without_location: 1 }, bad);
    assert.deepEqual(reasons(trail.repaired), { location_from_platforms: 1 }, bad);
  }
});

test("zero is a latitude, and a longitude; coordinates may have spaces and exponents", () => {
  const { feed } = feedOf(served(["A,A,0,9.5,,,", "B,B, 51.5 ,0,,,", "C,C,4.5e1,+2,,,"]));
  assert.deepEqual(
    feed.stations.map(({ lat, lon }) => [lat, lon]),
    [
      [0, 9.5],
      [51.5, 0],
      [45, 2],
    ],
  );
});

test("wheelchair: its own word, else any platform's yes, else no when all say no", () => {
  const of = (own: string, ...platforms: string[]): string =>
    feedOf(served([`S,S,1,1,1,,${own}`, ...platforms.map((word, i) => `P${i},P,1,1,0,S,${word}`)]))
      .feed.stations[0]!.wheelchair;
  assert.equal(of("1", "2"), "yes");
  assert.equal(of("2", "1"), "no");
  for (const empty of ["", "0", "7", "yes"]) {
    assert.equal(of(empty), "unknown");
    assert.equal(of(empty, "1", "2", ""), "yes");
    assert.equal(of(empty, "2", "2"), "no");
    assert.equal(of(empty, "2", "0"), "unknown");
  }
});

test("wheelchair: a boarding area that says nothing is as its platform", () => {
  const of = (platform: string, area: string): string =>
    feedOf(served(["S,S,1,1,1,,", `P,P,1,1,0,S,${platform}`, `B,,1,1,4,P,${area}`])).feed
      .stations[0]!.wheelchair;
  for (const empty of ["", "0"]) {
    assert.equal(of("2", empty), "no");
    assert.equal(of("1", empty), "yes");
    assert.equal(of("", empty), "unknown");
  }
  assert.equal(of("2", "1"), "yes");
  assert.equal(of("", "2"), "unknown");
});

test("an entrance's steps say nothing of the platforms", () => {
  const { feed } = feedOf(served(["S,S,1,1,1,,", "P,P,1,1,0,S,2", "E,E,1,1,2,S,1"]));
  assert.equal(feed.stations[0]!.wheelchair, "no");
});

test("a name is cleaned; without one it is a platform's, or the id", () => {
  const rows = [
    'A,"  Gare\tdu ""Nord""\u202e ",1,1,,,',
    "S,,1,1,1,,",
    "P,Quay,1,1,0,S,",
    "B,,1,1,,,",
  ];
  const { feed, trail } = feedOf(served(rows));
  assert.deepEqual(
    feed.stations.map(({ name }) => name),
    ['Gare du "Nord"', "Quay", "B"],
  );
  assert.deepEqual(trail.repaired, [
    { reason: "station_without_name", count: 2, examples: ["S", "B"] },
  ]);
});

test("rows without an id, and duplicate rows, are dropped; the first one is kept", () => {
  const { feed, trail, counts } = feedOf({
    "stops.txt": `${STOPS}\nA,First,1,1,,,\nA,Second,2,2,,,\n,None,3,3,,,`,
    "routes.txt": "route_id,route_type\nR1,0\nR1,3\n,3\n",
    "trips.txt": "route_id,trip_id\nR1,T1\nGONE,T1\nR1,\nGONE,T2\n",
    "stop_times.txt": callsOf("T1,A", "T2,A", "T3,A", ",A", "T1,B", "T1,"),
  });
  assert.deepEqual(
    feed.stations.map(({ id, name }) => [id, name]),
    [["A", "First"]],
  );
  assert.equal(feed.routes[0]!.mode, "tram");
  assert.deepEqual(reasons(trail.dropped), {
    call_at_unknown_stop: 1,
    call_of_unknown_trip: 2,
    duplicate_route: 1,
    duplicate_stop: 1,
    duplicate_trip: 1,
    route_without_id: 1,
    stop_without_id: 1,
    trip_of_unknown_route: 1,
    trip_without_id: 1,
  });
  assert.equal(counts.stop_times, 6);
});

test("a stop that is only named as a parent is no stop", () => {
  const texts = {
    ...served(["P,P,1,1,0,GHOST,"]),
    "stop_times.txt": callsOf("T1,P", "T1,GHOST"),
  };
  const { feed, trail } = feedOf(texts);
  assert.deepEqual(ids(feed.stations), ["P"]);
  assert.deepEqual(reasons(trail.dropped), { call_at_unknown_stop: 1 });
});

test("modes, routes and operators are those that call at the station, each once, in file order", () => {
  const { feed } = feedOf({
    "agency.txt": "agency_id,agency_name\nX,X\nY,Y\nZ,Z\n",
    "routes.txt": "route_id,agency_id,route_type\nR0,Z,3\nR1,Y,1\nR2,X,0\nR3,Y,700\n",
    "trips.txt": "route_id,trip_id\nR3,T3\nR1,T1\nR2,T2\n",
    "stop_times.txt": "trip_id,stop_id\nT3,P1\nT1,P2\nT1,P1\nT3,P1\nT2,A\n",
  });
  assert.deepEqual(
    feed.routes.map(({ id, mode }) => [id, mode]),
    [
      ["R1", "metro"],
      ["R2", "tram"],
      ["R3", "bus"],
    ],
  );
  assert.deepEqual(
    feed.stations.map(({ id, routes }) => [id, routes]),
    [
      ["S", [0, 2]],
      ["A", [1]],
    ],
  );
  assert.deepEqual(
    feed.operators.map(({ id }) => id),
    ["Y", "X"],
    "Z serves nothing",
  );
});

test("agencies: the only one needs no id, an empty name is its id or its host", () => {
  const operators = (agency: string, agency_id = "") =>
    feedOf({
      "agency.txt": agency,
      "routes.txt": `route_id,agency_id,route_type\nR1,${agency_id},3\n`,
    });
  assert.deepEqual(operators("agency_name,agency_url\nBus,http://bus.example\n").feed.operators, [
    { id: "Bus", name: "Bus", url: "http://bus.example/" },
  ]);
  assert.deepEqual(operators("agency_id,agency_name\n7,\n").feed.operators, [
    { id: "7", name: "7" },
  ]);
  assert.deepEqual(
    operators("agency_name,agency_url\n,https://www.bus.example/x\n").feed.operators,
    [{ id: "bus.example", name: "bus.example", url: "https://www.bus.example/x" }],
  );
  assert.deepEqual(operators("agency_name,agency_url\nBus,javascript:alert(1)\n").feed.operators, [
    { id: "Bus", name: "Bus" },
  ]);
  assert.deepEqual(operators("agency_name\nBus\n", "whatever").feed.operators, [
    { id: "Bus", name: "Bus" },
  ]);
});

test("a route of an unknown agency has no operator", () => {
  for (const agency_id of ["", "GONE"]) {
    const { feed, trail } = feedOf({
      "agency.txt": "agency_id,agency_name\nA,A\nB,B\n",
      "routes.txt": `route_id,agency_id,route_type\nR1,${agency_id},3\n`,
    });
    assert.equal(feed.routes[0]!.operator_id, null);
    assert.deepEqual(feed.operators, []);
    assert.deepEqual(reasons(trail.repaired), { route_without_known_agency: 1 });
  }
});

test("a feed without agency.txt is still one", () => {
  const { "agency.txt": _, ...rest } = SMALL;
  const read = readTexts(rest);
  assert.equal(read.problem, null);
  assert.deepEqual(read.problem === null && read.feed.operators, []);
});

test("colours are six hexadecimal digits, or absent", () => {
  const row = (color: string, text: string) =>
    feedOf({
      "routes.txt": `route_id,route_type,route_color,route_text_color\nR1,3,${color},${text}\n`,
    }).feed.routes[0]!;
  assert.deepEqual(
    [row("00ff7f", "#ffffff").color, row("00ff7f", "#ffffff").text_color],
    ["00FF7F", "FFFFFF"],
  );
  for (const bad of ["", "0", "FFF", "GGGGGG", "FFFFFFFF", "red"]) {
    assert.ok(!("color" in row(bad, "")), bad);
    assert.ok(!("text_color" in row("", bad)), bad);
  }
});

test("a route type that is no number is other, and reported", () => {
  const { feed, trail } = feedOf({ "routes.txt": "route_id,route_type\nR1,tram\n" });
  assert.equal(feed.routes[0]!.mode, "other");
  assert.equal(reasons(trail.repaired)["route_without_type"], 1);
});

test("an unknown location type is a stop, and reported", () => {
  const { feed, trail } = feedOf(served(["A,A,1,1,9,,", "B,B,1,1,station,,"]));
  assert.deepEqual(ids(feed.stations), ["A", "B"]);
  assert.equal(reasons(trail.repaired)["unknown_location_type"], 2);
});

test("credits: whom attributions.txt names for the whole feed, else the publisher", () => {
  const info = "feed_publisher_name,feed_lang\nVerbund,de\n";
  assert.equal(feedOf({ "feed_info.txt": info }).feed.attribution, "Verbund");
  const lines = "organization_name,route_id,is_producer\nA,,1\nB,R1,1\nC,,0\nD,,\nA,,1\n";
  const both = feedOf({ "feed_info.txt": info, "attributions.txt": lines });
  assert.equal(both.feed.attribution, "A, D");
});

test("ids meet however they are quoted", () => {
  const { feed } = feedOf({
    "stops.txt": 'stop_id,stop_lat,stop_lon\n"a""b",1,1\n',
    "trips.txt": 'route_id,trip_id\n"R1", "T 1"\n',
    "stop_times.txt": 'trip_id,stop_id\nT 1 ,"a""b"\n',
  });
  assert.deepEqual(ids(feed.stations), ['a"b']);
});

test("a missing column is a problem with its file and line", () => {
  const cases: [string, string, string][] = [
    ["stops.txt", "stop_id,stop_lat\n", "stops.txt line 1: no column stop_lon"],
    ["routes.txt", "route_id\n", "routes.txt line 1: no column route_type"],
    ["trips.txt", "trip_id\n", "trips.txt line 1: no column route_id"],
    ["stop_times.txt", "stop_id\n", "stop_times.txt line 1: no column trip_id"],
  ];
  for (const [file, text, problem] of cases)
    assert.deepEqual(readTexts({ ...SMALL, [file]: text }), { problem });
});
