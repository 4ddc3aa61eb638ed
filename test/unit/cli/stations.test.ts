/** `vicinity stations`: what is asked, and the table. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { displayWidth } from "#cli/print/wrap.ts";
import { TRANSPORT_EXAMPLE } from "#api/transit-examples.ts";
import type { TransportBodyValue } from "#api/transit.ts";
import { answering, run, terminal } from "./support.ts";

type Station = TransportBodyValue["results"]["stations"][number];
const PARIS = ["stations", "48.8566,2.3522"];
const [KNOWN] = TRANSPORT_EXAMPLE.results.stations as [Station];
const route = (members: Partial<Station["routes"][number]>): Station["routes"][number] => ({
  id: "r",
  short_name: null,
  long_name: null,
  mode: "bus",
  operator_id: null,
  ...members,
});
const source = (provider: Station["sources"][number]["provider"]) => ({
  provider,
  region: null,
  source_id: "1",
  operator_id: null,
  feed_id: null,
});

const HALL: Station = {
  ...KNOWN,
  name: "Hôtel de Ville",
  distance_meters: 49,
  modes: ["metro", "rapid_transit"],
  routes: [route({ short_name: "1" }), route({ long_name: "Airport" }), route({ id: "x9" })],
  accessibility: { wheelchair: "yes" },
  sources: [source("navitia"), source("gtfs"), source("gtfs")],
};
const bodyOf = (...stations: Station[]): TransportBodyValue => ({
  status: "success",
  query_origin: { lat: 48.8566, lon: 2.3522 },
  radius: 1000,
  total: stations.length,
  results: { stations },
});

test("how many, and one line a station; unknown is a dash", async () => {
  const pole: Station = {
    ...HALL,
    name: "Rivoli",
    distance_meters: 1240,
    modes: ["bus"],
    routes: [],
    accessibility: { wheelchair: "unknown" },
    sources: [source("transitland")],
  };
  const twice: Station = {
    ...pole,
    routes: [route({ short_name: "7" }), route({ short_name: "7" })],
    accessibility: { wheelchair: "no" },
  };
  const body = { ...bodyOf(HALL, pole, twice), total: 70 };
  const ran = await run(PARIS, { fetch: answering([body]) });
  assert.equal(ran.code, 0, ran.err);
  assert.deepEqual(ran.out.split("\n"), [
    "success · 70 within 1 000 m of 48.8566, 2.3522, showing 1 to 3",
    "",
    "distance  name            modes                 lines             wheelchair  from",
    "    49 m  Hôtel de Ville  metro, rapid transit  1 · Airport · x9  yes         navitia, gtfs",
    "  1.2 km  Rivoli          bus                   –                 –           transitland",
    "  1.2 km  Rivoli          bus                   7                 no          transitland",
    "",
  ]);
});

const CROWDED: Station = {
  ...HALL,
  name: "若水中央駅".repeat(9),
  routes: Array.from({ length: 60 }, (_, i) => route({ id: `${i}`, short_name: `東${i}` })),
};

test("every line fits its terminal: COLUMNS, where it is a width, before what the terminal says", async () => {
  for (const [columns, COLUMNS, room] of [
    [80, "", 80],
    [160, "", 160],
    [160, "90", 90],
    [80, "140", 140],
    [100, "0", 100],
    [100, "wide", 100],
    [0, "", 80],
  ] as const) {
    const ran = await run(PARIS, {
      fetch: answering([bodyOf(CROWDED)]),
      out: terminal(columns),
      variables: { COLUMNS },
    });
    const widest = Math.max(...ran.out.split("\n").map(displayWidth));
    assert.ok(widest <= room && widest > room - 4, `${widest} of ${room}: ${ran.out}`);
    assert.match(ran.out, /若水中央\S*…/);
    assert.match(ran.out, /東0.*…/);
  }
});

test("what is piped is whole, whatever COLUMNS says", async () => {
  const { out } = await run(PARIS, {
    fetch: answering([bodyOf(CROWDED)]),
    variables: { COLUMNS: "80" },
  });
  assert.ok(out.includes(CROWDED.name) && out.includes("東58 · 東59"), out);
  assert.ok(!out.includes("…"));
});

test("names keep more of a narrow terminal than modes and lines", async () => {
  const modes: Station["modes"] = ["bus", "tram", "metro", "rail", "rapid_transit", "coach"];
  const station = { ...HALL, name: "Théâtre du Levant", modes };
  const ran = await run(PARIS, { fetch: answering([bodyOf(station)]), out: terminal(80) });
  assert.match(ran.out, /Théâtre du Levant/);
});

test("nothing of a publisher moves the cursor", async () => {
  const routes = [route({ short_name: "1\u001B[2J" })];
  const ran = await run(PARIS, {
    fetch: answering([bodyOf({ ...HALL, name: "A\u001B[31mB\nC\u202E", routes })]),
  });
  for (const control of ["\u001B", "\u202E"]) assert.ok(!ran.out.includes(control));
  assert.equal(ran.out.split("\n").length, 5);
});

test("nothing found is two lines, partial says why, --debug how they did", async () => {
  const empty = { ...bodyOf(), status: "empty", message: "Nothing was found within 1000 metres." };
  const ran = await run(PARIS, { fetch: answering([empty]) });
  assert.equal(ran.out, `empty · 0 within 1 000 m of 48.8566, 2.3522\n${empty.message}\n`);
  const debug = {
    providers: {
      navitia: { status: "timeout", raw_count: 0, returned_count: 0, reason: "deadline" },
    },
    provider_calls: 1,
    cache: "miss",
    requested_radius: 1000,
    applied_radius: 1000,
    requested_limit: 50,
    applied_limit: 50,
  };
  const partial = { ...bodyOf(HALL), status: "partial", message: "Incomplete.", debug };
  const lines = (await run([...PARIS, "--debug"], { fetch: answering([partial]) })).out.split("\n");
  assert.deepEqual(lines.slice(0, 2), [
    "partial · 1 within 1 000 m of 48.8566, 2.3522",
    "Incomplete.",
  ]);
  assert.deepEqual(lines.slice(-4), [
    "source   status   read  returned  reason",
    "navitia  timeout     0         0  deadline",
    "provider calls: 1, cache: miss",
    "",
  ]);
});

test("the options become parameters", async () => {
  const requested: Request[] = [];
  const lists = ["--modes", "metro,tram", "--providers", "gtfs,gbfs"];
  const rest = ["--radius", "500", "--limit", "5", "--language", "fr", "--debug"];
  const fetch = answering([TRANSPORT_EXAMPLE], { requested });
  const ran = await run([...PARIS, ...lists, ...rest], { fetch });
  assert.equal(ran.code, 0, ran.err);
  const { pathname, searchParams } = new URL(requested[0]!.url);
  assert.equal(pathname, "/v1/transport/nearby");
  assert.deepEqual(Object.fromEntries(searchParams), {
    lat: "48.8566",
    lon: "2.3522",
    radius: "500",
    limit: "5",
    language: "fr",
    debug: "true",
    modes: "metro,tram",
    providers: "gtfs,gbfs",
  });
  await run(PARIS, { fetch });
  assert.deepEqual([...new URL(requested[1]!.url).searchParams.keys()], ["lat", "lon"]);
});

test("--json prints the answer as it came; --help covers every option", async () => {
  const ran = await run([...PARIS, "--json"], { fetch: answering([TRANSPORT_EXAMPLE]) });
  assert.deepEqual(JSON.parse(ran.out), TRANSPORT_EXAMPLE);
  const { out, code } = await run(["stations", "--help"]);
  assert.equal(code, 0);
  assert.match(out, /^Usage: vicinity stations LAT,LON \[options\]$/m);
  for (const option of [
    "radius",
    "modes",
    "providers",
    "limit",
    "language",
    "debug",
    "url",
    "json",
  ])
    assert.match(out, new RegExp(`--${option}\\b`));
});
