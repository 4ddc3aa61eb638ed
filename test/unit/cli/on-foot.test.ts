/** `vicinity walk`, `vicinity reach`, and minutes on foot in the tables of the searches. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { DEPARTURE_OPERATIONS } from "#api/departures.ts";
import { REACH_EXAMPLE } from "#api/reach-examples.ts";
import { CHARGING_EXAMPLE, PARKING_EXAMPLE, SERVICES_EXAMPLE } from "#api/services-examples.ts";
import { TRANSPORT_EXAMPLE } from "#api/transit-examples.ts";
import type { WalkBody, WalkingBody } from "#api/walk.ts";
import { NO_WAY_EXAMPLE, WAY_EXAMPLE } from "#api/way-examples.ts";
import { displayWidth } from "#cli/print/wrap.ts";
import { answering, nearbyBody, run, station, terminal, vehicle } from "./support.ts";

const [FROM, TO] = ["48.8566,2.3522", "48.8574,2.3531"];
const WALKING: WalkingBody = {
  ...{ profile: "foot", speed_meters_per_second: 1.33, within_meters: 1_596 },
  ...{ reached: 1, not_reached: 0, unknown: 1, step_free_unknown: 0 },
  base: { id: "paris", data_at: null, licence: null, attribution: "© OpenStreetMap contributors" },
};
const WAY: WalkBody = { meters: 300, seconds: 226, step_free: null };

test("one way: minutes, metres, steps; what is asked is the two points and the pace", async () => {
  const requested: Request[] = [];
  const ran = await run(["walk", FROM, TO, "--profile", "step_free", "--speed", "1"], {
    fetch: answering([WAY_EXAMPLE], { requested }),
  });
  assert.deepEqual(ran, {
    code: 0,
    err: "",
    out: [
      "success · 3 min, 164 m, without steps",
      "6 m to the first street, 3 m from the last",
      "on foot at 1.33 m/s, © OpenStreetMap contributors",
      "",
    ].join("\n"),
  });
  const { pathname, searchParams } = new URL(requested[0]!.url);
  assert.equal(pathname, "/v1/walk");
  assert.deepEqual(Object.fromEntries(searchParams), {
    ...{ from: FROM, to: TO, profile: "step_free", speed: "1" },
  });
});

test("no way is said in words; where nothing is known the exit code is another", async () => {
  const none = await run(["walk", FROM, TO], { fetch: answering([NO_WAY_EXAMPLE]) });
  assert.deepEqual([none.code, none.out], [0, `empty · ${NO_WAY_EXAMPLE.message}\n`]);
  const unknown = { ...NO_WAY_EXAMPLE, status: "partial", reason: "outside_bases" };
  assert.equal((await run(["walk", FROM, TO], { fetch: answering([unknown]) })).code, 3);
});

test("a negative coordinate is a place, and a wrong one is named", async () => {
  const requested: Request[] = [];
  const fetch = answering([WAY_EXAMPLE], { requested });
  assert.equal((await run(["walk", "-33.9,18.4", "-33.8,18.5"], { fetch })).code, 0);
  assert.equal(new URL(requested[0]!.url).searchParams.get("to"), "-33.8,18.5");
  const ran = await run(["walk", FROM, "here"], { fetch });
  assert.deepEqual([ran.code, /got "here"/.test(ran.err)], [2, true]);
  assert.equal((await run(["walk", FROM], { fetch })).code, 2);
});

test("--format geojson writes what can be drawn, of either command", async () => {
  const way = await run(["walk", FROM, TO, "--format", "geojson"], {
    fetch: answering([WAY_EXAMPLE]),
  });
  const feature = JSON.parse(way.out) as { type: string; geometry: object };
  assert.deepEqual([feature.type, feature.geometry], ["Feature", WAY_EXAMPLE.geometry]);
  const reach = await run(["reach", FROM, "--minutes", "5", "--format", "geojson"], {
    fetch: answering([REACH_EXAMPLE]),
  });
  const { features } = JSON.parse(reach.out) as { features: { geometry: object }[] };
  assert.deepEqual(features[0]!.geometry, REACH_EXAMPLE.outline);
  assert.equal((await run(["walk", FROM, TO, "--format", "kml"])).code, 2);
});

test("reach: a line a family, the nearest on foot, a dash where nothing is held", async () => {
  const { toilets, aed } = REACH_EXAMPLE.reached;
  const body = {
    ...REACH_EXAMPLE,
    status: "partial",
    message: "The answer may be incomplete: services not yet known here: wifi.",
    reached: { aed, toilets: { ...toilets!, unknown: 2 }, wifi: null },
  };
  const requested: Request[] = [];
  const ran = await run(["reach", FROM, "--minutes", "5", "--families", "aed,toilets,wifi"], {
    fetch: answering([body], { requested }),
    out: terminal(80),
  });
  assert.deepEqual(stripVTControlCharacters(ran.out).split("\n"), [
    "partial · within 5 min on foot of 48.8566, 2.3522",
    "The answer may be incomplete: services not yet known here: wifi.",
    "",
    "kind     count  on foot  away  nearest",
    "aed          0        –     –  –",
    "toilets      4    2 min  89 m  Sanisette Square",
    "wifi         –        –     –  –",
    "",
    "on foot: at 1.33 m/s, © OpenStreetMap contributors",
    "of 2 more near enough no way on foot is known",
    "",
  ]);
  const query = Object.fromEntries(new URL(requested[0]!.url).searchParams);
  assert.deepEqual([query["minutes"], query["families"]], ["5", "aed,toilets,wifi"]);
  assert.equal((await run(["reach", FROM])).code, 2);
});

test("options of several words may be typed with hyphens or underscores", async () => {
  for (const name of ["--within-minutes", "--within_minutes"]) {
    const requested: Request[] = [];
    const fetch = answering([SERVICES_EXAMPLE], { requested });
    await run(["services", FROM, "--types", "toilets", name, "10", "--sort", "walk"], { fetch });
    const { searchParams } = new URL(requested[0]!.url);
    assert.deepEqual(
      [searchParams.get("within_minutes"), searchParams.get("sort")],
      ["10", "walk"],
    );
  }
  assert.match((await run(["services", FROM, "--with-in", "10"])).err, /unknown option --with-in/);
});

const withWalk = (results: readonly object[]): object[] =>
  results.slice(0, 2).map((each, i) => ({ ...each, walk: i === 0 ? WAY : null }));
const [SERVICE] = SERVICES_EXAMPLE.results;
const STATIONS = TRANSPORT_EXAMPLE.results.stations;
const BOARD = DEPARTURE_OPERATIONS[0].success.content["application/json"].examples.success;
const [DEPARTURE] = BOARD.results.departures;

const ANSWERS: readonly [string, string[], object][] = [
  [
    "services",
    ["--types", "toilets"],
    { ...SERVICES_EXAMPLE, results: withWalk([SERVICE!, SERVICE!]) },
  ],
  [
    "parking",
    [],
    {
      ...PARKING_EXAMPLE,
      results: withWalk([PARKING_EXAMPLE.results[0]!, PARKING_EXAMPLE.results[0]!]),
    },
  ],
  [
    "charging",
    [],
    {
      ...CHARGING_EXAMPLE,
      results: withWalk([CHARGING_EXAMPLE.results[0]!, CHARGING_EXAMPLE.results[0]!]),
    },
  ],
  [
    "stations",
    [],
    { ...TRANSPORT_EXAMPLE, results: { stations: withWalk([STATIONS[0]!, STATIONS[0]!]) } },
  ],
  [
    "departures",
    [],
    { ...BOARD, results: { departures: withWalk([DEPARTURE, DEPARTURE]), alerts: [] } },
  ],
];

for (const [command, options, body] of ANSWERS)
  test(`${command}: minutes on foot are a column where the answer has ways, and no wider than the terminal`, async () => {
    const argv = [command, FROM, ...options];
    const fetch = answering([{ ...body, total: 2, walking: WALKING }]);
    const { out } = await run(argv, { fetch, out: terminal(80) });
    assert.match(out, /on foot/);
    assert.match(out, / 4 min/);
    assert.match(out, / \? /);
    assert.match(out, /^on foot: at 1\.33 m\/s, © OpenStreetMap contributors$/m);
    assert.match(out, /^\? no way on foot is known within 1 596 m$/m);
    for (const line of out.split("\n")) assert.ok(displayWidth(line) <= 80, line);
    const plain = await run(argv, { fetch: answering([{ ...body, total: 2 }]) });
    assert.doesNotMatch(plain.out, /on foot|\?/);
  });

test("nearby: in the order on foot where that is asked for, what is unknown last", async () => {
  const far = station({ distance_meters: 200, name: "Quick", walk: WAY });
  const near = station({ distance_meters: 100, name: "Near", walk: { ...WAY, seconds: 900 } });
  const lost = vehicle({ distance_meters: 10, walk: null, name: "Lost" }, "v:1");
  const results = { ...nearbyBody({}).results, stations: [near, far], vehicles: [lost] };
  const body = { ...nearbyBody({ results, total: 3 }), walking: WALKING };
  const names = async (...more: string[]): Promise<(string | undefined)[]> => {
    const { out } = await run(["nearby", FROM, ...more], { fetch: answering([body]) });
    return out.split("\n").flatMap((line) => /(Quick|Near|Lost)/.exec(line)?.[0] ?? []);
  };
  assert.deepEqual(await names("--sort", "walk"), ["Quick", "Near", "Lost"]);
  assert.deepEqual(await names("--walk"), ["Lost", "Near", "Quick"]);
  const { out } = await run(["nearby", FROM], { fetch: answering([body]), out: terminal(80) });
  for (const line of out.split("\n")) assert.ok(displayWidth(line) <= 80, line);
});

test("departures: when to leave, and what is missed", async () => {
  const departures = [
    { ...DEPARTURE, walk: WAY, leave_in_seconds: 119 },
    { ...DEPARTURE, walk: WAY, leave_in_seconds: 20 },
    { ...DEPARTURE, walk: WAY, leave_in_seconds: -1, missed: true },
    { ...DEPARTURE, walk: null, leave_in_seconds: null },
  ];
  const body = { ...BOARD, total: 4, walking: WALKING, results: { departures, alerts: [] } };
  const { out } = await run(["departures", FROM, "--walk"], { fetch: answering([body]) });
  const ends = out.split("\n").flatMap((line) => / (\? +–|\d+ min +\S.*)$/.exec(line)?.[1] ?? []);
  assert.deepEqual(
    ends.map((end) => end.replaceAll(/ +/g, " ")),
    ["4 min in 1 min", "4 min now", "4 min missed", "? –"],
  );
});

test("without a base the reason is below the table, once; without steps a doubt is marked", async () => {
  const results = withWalk([{ ...SERVICE! }, { ...SERVICE! }]).toReversed();
  const ask = async (walking: WalkingBody): Promise<string> => {
    const fetch = answering([{ ...SERVICES_EXAMPLE, results, walking }]);
    return (await run(["services", FROM, "--types", "toilets", "--walk"], { fetch })).out;
  };
  const none = await ask({ ...WALKING, reason: "outside_bases", base: null });
  assert.match(none, /^\? no way on foot is known: no imported base covers this point$/m);
  assert.doesNotMatch(none, /m\/s/);
  const free = await ask({ ...WALKING, profile: "step_free" });
  assert.match(free, /4 min\*/);
  assert.match(free, /^\* not known whether all of the way is without steps$/m);
  assert.match(free, /^on foot without steps: at 1\.33 m\/s/m);
});
