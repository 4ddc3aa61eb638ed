/** What is known of the stations of an answer, from their timetable, alerts and registers of lifts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiftSettings, RegisteredLift } from "#providers/lift-register.ts";
import type { TransitSource } from "#transit/schedule/station.ts";
import type { LiftRegister } from "#app/transit/lift-registers.ts";
import { createStationAccess, joinStepFree, withStepFree } from "#app/transit/station-access.ts";
import type { LookupReply } from "#upstream/lookup/ask-source.ts";
import type { HeldFeed } from "#upstream/transit/held-feed.ts";
import type { LiveFeed, LiveFeedState } from "#upstream/transit/live-state.ts";
import { type AlertOf, STATION, stationFeed, tableOfAlerts } from "../../support/stations.ts";

const NOW_MS = 1_000_000;
const FEED = stationFeed();

const heldOf = (feed_id: string, live: LiveFeed | null = null, feed = FEED): HeldFeed => ({
  ...{ feed_id, version: 1, feed, failure: null, realtime: null, alerts: null, live, box: null },
});
const sourceOf = (source_id: string, feed_id: string | null = "f"): TransitSource => ({
  ...{ provider: "gtfs", region: null, source_id, operator_id: null, feed_id },
});
const S = { sources: [sourceOf("S")] };
const QUESTION = {
  ...{ now_ms: NOW_MS, until_ms: NOW_MS + 1_000, keyed: false },
  signal: new AbortController().signal,
};

const SETTINGS: LiftSettings = {
  ...{ url: "https://lifts.example", timeout_ms: 1, max_age_s: 900, reach_m: 150 },
  ...{ lifts: [], stations: [] },
};
const NAMED = { lifts: [{ lift: "7", feed: "f", pathways: ["L1"] }] };

type Reading = {
  lifts?: RegisteredLift[] | null;
  age_s?: number;
  settings?: Partial<LiftSettings>;
};

function registerOf({ lifts = [], age_s = 0, settings = {} }: Reading): LiftRegister {
  const fetched_at_ms = NOW_MS - age_s * 1_000;
  const reply: LookupReply<RegisteredLift[]> =
    lifts === null
      ? { status: "timeout", reason: "deadline", rescue: null }
      : {
          ...{ status: "ok", cache: "hit" },
          stored: { value: lifts, raw: lifts.length, fetched_at_ms, good_until_ms: NOW_MS },
        };
  return { settings: { ...SETTINGS, ...settings }, ask: () => Promise.resolve(reply) };
}

const lift = (id: string, state: RegisteredLift["state"], more: object = {}): RegisteredLift => ({
  ...{ id, station: null, location: null, state },
  ...more,
});

type Known = { live?: LiveFeed | null; registers?: LiftRegister[]; feeds?: HeldFeed[] };

const accessOf = ({ live = null, registers = [], feeds = [heldOf("f", live)] }: Known) =>
  createStationAccess({ feeds: () => feeds, registers });

/** Of P1, which needs the lift, P2, which does not, and how many lifts are out of order. */
async function ask(known: Known): Promise<unknown[]> {
  const { platforms, lifts } = (await accessOf(known)([S], QUESTION)).ofStation(S);
  return [...platforms.map(({ to_street }) => to_street), lifts!.out_of_order];
}

test("a station says each platform, its level, the way to it and its lifts", async () => {
  assert.deepEqual((await accessOf({})([S], QUESTION)).ofStation(S), {
    to_street: true,
    platforms: [
      { stop_id: "P1", code: "1", level: "Platforms", to_street: true, meters: 30 },
      { stop_id: "P2", code: "2", level: "Platforms", to_street: true, meters: 60 },
    ],
    lifts: { total: 1, in_service: 0, out_of_order: 0, unknown: 1 },
  });
});

const near = { lat: 48.8505, lon: 2.35 };
const far = { lat: 48.8515, lon: 2.35 };
const station = { settings: { stations: [{ station: "9", feed: "f", stop_id: "S" }] } };

for (const [what, reading, expected] of [
  [
    "a named lift in service",
    { lifts: [lift("7", "in_service")], settings: NAMED },
    [true, true, 0],
  ],
  [
    "a named lift out of order",
    { lifts: [lift("7", "out_of_order")], settings: NAMED },
    [false, true, 1],
  ],
  [
    "a named lift that it does not know",
    { lifts: [lift("7", "unknown")], settings: NAMED },
    [null, true, 0],
  ],
  ["no named lift", { lifts: [lift("8", "in_service")], settings: NAMED }, [null, true, 0]],
  [
    "a named lift in service, long ago",
    { lifts: [lift("7", "in_service")], settings: NAMED, age_s: 901 },
    [null, true, 0],
  ],
  [
    "a named lift out of order, long ago",
    { lifts: [lift("7", "out_of_order")], settings: NAMED, age_s: 901 },
    [null, true, 0],
  ],
  [
    "a named lift in service, lately",
    { lifts: [lift("7", "in_service")], settings: NAMED, age_s: 900 },
    [true, true, 0],
  ],
  ["nothing, where it names a lift", { lifts: null, settings: NAMED }, [null, true, 0]],
  ["nothing, where it names the station", { lifts: null, ...station }, [null, true, 0]],
  ["nothing, where it names neither", { lifts: null }, [true, true, 0]],
  [
    "a lift of the station out of order",
    { lifts: [lift("1", "out_of_order", { station: "9" })], ...station },
    [null, null, 0],
  ],
  [
    "a lift of the station in service",
    { lifts: [lift("1", "in_service", { station: "9" })], ...station },
    [true, true, 0],
  ],
  [
    "a lift of another station out of order",
    { lifts: [lift("1", "out_of_order", { station: "8" })], ...station },
    [true, true, 0],
  ],
  [
    "a lift next to it out of order",
    { lifts: [lift("1", "out_of_order", { location: near })] },
    [null, null, 0],
  ],
  [
    "a lift far from it out of order",
    { lifts: [lift("1", "out_of_order", { location: far })] },
    [true, true, 0],
  ],
  [
    "a lift next to it out of order, where places are not compared",
    { lifts: [lift("1", "out_of_order", { location: near })], settings: { reach_m: 0 } },
    [true, true, 0],
  ],
  [
    "the named lift in service and another of the station out of order",
    {
      lifts: [lift("7", "in_service"), lift("1", "out_of_order", { station: "9" })],
      settings: { ...NAMED, ...station.settings },
    },
    [null, null, 0],
  ],
  [
    "the named lift out of order, next to the station",
    { lifts: [lift("7", "out_of_order", { location: near })], settings: NAMED },
    [false, true, 1],
  ],
] as [string, Reading, unknown[]][])
  test(`a register that states ${what} makes ${JSON.stringify(expected)}`, async () => {
    assert.deepEqual(await ask({ registers: [registerOf(reading)] }), expected);
  });

test("the worse of two registers holds", async () => {
  const fine = registerOf({ lifts: [lift("7", "in_service")], settings: NAMED });
  const broken = registerOf({ lifts: [lift("7", "out_of_order")], settings: NAMED });
  assert.deepEqual(await ask({ registers: [fine, broken] }), [false, true, 1]);
  assert.deepEqual(await ask({ registers: [broken, fine] }), [false, true, 1]);
});

type LiveOf = Partial<LiveFeedState> & { alerts?: AlertOf[] };

function liveOf({ alerts, ...state }: LiveOf): LiveFeed & { refreshed: number } {
  const table = alerts ? tableOfAlerts(FEED, alerts, NOW_MS / 1_000) : null;
  const whole: LiveFeedState = {
    ...{ problems: [], table, version: 1, made_at_ms: null, has_alerts: true, good_until_ms: 0 },
    ...state,
  };
  const live = {
    ...{ max_age_s: 120, refreshed: 0 },
    state: () => ({ ...whole, table: null }),
    refresh() {
      live.refreshed++;
      return Promise.resolve(whole);
    },
  };
  return live;
}

for (const [what, live, expected] of [
  ["say nothing of it", { alerts: [] }, [true, true, 0]],
  ["name the node of the lift", { alerts: [{ stop_id: "N" }] }, [false, true, 1]],
  ["name the station", { alerts: [{ stop_id: "S" }] }, [null, null, 0]],
  ["cannot be had", { has_alerts: false }, [null, true, 0]],
  ["cannot be had, and delays can", { alerts: [], has_alerts: false }, [null, true, 0]],
  ["are of another timetable", { alerts: [], version: 2 }, [null, true, 0]],
] as [string, LiveOf, unknown[]][])
  test(`alerts that ${what} make ${JSON.stringify(expected)}`, async () => {
    const feed = liveOf(live);
    assert.deepEqual(await ask({ live: feed }), expected);
    assert.equal(feed.refreshed, 1);
  });

test("live data without alerts are not asked for, and neither are any without a lift", async () => {
  const live = liveOf({ has_alerts: null });
  assert.deepEqual(await ask({ live }), [true, true, 0]);
  const ways = "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nR,F,P2,1,1";
  const plain = liveOf({});
  const feeds = [heldOf("f", plain, stationFeed({ "pathways.txt": ways }))];
  let queries = 0;
  const register: LiftRegister = {
    settings: SETTINGS,
    ask: () => Promise.reject(new Error(`${++queries}`)),
  };
  const answers = await accessOf({ feeds, registers: [register] })([S], QUESTION);
  assert.deepEqual(
    answers.ofStation(S).platforms.map(({ to_street }) => to_street),
    [null, true],
  );
  assert.deepEqual([live.refreshed, plain.refreshed, queries], [0, 0, 0]);
});

const NOTHING = { to_street: null, platforms: [], lifts: null };

test("nothing is known of a station without ways, of another provider, and of a feed that is not there", async () => {
  const others = [
    { sources: [sourceOf("T")] },
    { sources: [{ ...sourceOf("S"), provider: "navitia" as const, feed_id: null }] },
    { sources: [sourceOf("S", "gone")] },
    { sources: [sourceOf("GONE")] },
  ];
  const answers = await accessOf({})(others, QUESTION);
  for (const each of others) assert.deepEqual(answers.ofStation(each), NOTHING);
});

test("a station of two publishers is as the worse of them, and unknown where one says nothing", async () => {
  const feeds = [heldOf("f"), heldOf("g")];
  const both = { sources: [sourceOf("S"), sourceOf("S", "g")] };
  const half = { sources: [sourceOf("S"), sourceOf("T", "g")] };
  const broken = registerOf({ lifts: [lift("7", "out_of_order")], settings: NAMED });
  const answers = await accessOf({ feeds })([both, half], QUESTION);
  assert.equal(answers.ofStation(both).to_street, true);
  assert.equal(answers.ofStation(both).platforms.length, 4);
  assert.equal(answers.ofStation(both).lifts!.total, 2);
  assert.equal(answers.ofStation(half).to_street, null);
  assert.equal(answers.ofStation(half).platforms.length, 2);
  const now = await accessOf({ feeds, registers: [broken] })([both], QUESTION);
  assert.equal(now.ofStation(both).to_street, null);
  assert.deepEqual(
    now.ofStation(both).platforms.map(({ to_street }) => to_street),
    [false, true, true, true],
  );
});

test("a platform is found by its stop, and no other is", async () => {
  const answers = await accessOf({
    registers: [registerOf({ lifts: [lift("7", "out_of_order")], settings: NAMED })],
  })([S], QUESTION);
  const of = (stop_id: string, station_id = "S", feed_id = "f"): boolean | null =>
    answers.ofStop({ feed_id, station_id, stop_id });
  assert.deepEqual(
    [of("P1"), of("P2"), of("P3"), of("P2", "T"), of("P2", "S", "g")],
    [false, true, null, null, null],
  );
  assert.equal(answers.ofStop(null), null);
});

test("at most 50 platforms are listed, and all of them decide", async () => {
  const stops = Array.from({ length: 51 }, (_, i) => `Q${i},Station,48.85,2.35,0,S,,${i},`);
  const ways = stops.slice(0, 50).map((_, i) => `Q${i},F,Q${i},1,1,5`);
  const feed = stationFeed({
    "stops.txt": [STATION["stops.txt"]!, ...stops].join("\n"),
    "pathways.txt": [STATION["pathways.txt"]!, ...ways].join("\n"),
  });
  const body = (await accessOf({ feeds: [heldOf("f", null, feed)] })([S], QUESTION)).ofStation(S);
  assert.deepEqual([body.platforms.length, body.platform_count, body.to_street], [50, 53, null]);
  assert.ok(body.platforms.every(({ to_street }) => to_street === true));
});

const ALL = [true, false, null] as const;

test("a way is free of steps where the streets and the station are, and of neither more is said", () => {
  const rows = ALL.map((way) =>
    ALL.map((within) => joinStepFree({ meters: 1, seconds: 1, step_free: way }, within).step_free),
  );
  assert.deepEqual(rows, [
    [true, false, null],
    [false, false, false],
    [null, false, null],
  ]);
});

test("a page has its stations' ways, and the summary counts those of which steps are not known", async () => {
  const walk = { meters: 10, seconds: 8, step_free: true };
  const walking = {
    ...{ profile: "foot" as const, speed_meters_per_second: 1, within_meters: 1, reached: 4 },
    ...{ not_reached: 0, unknown: 0, step_free_unknown: 0, base: null },
  };
  const T = { sources: [sourceOf("T")] };
  const [first, second, third, fourth] = [
    { item: S, walk },
    { item: T, walk },
    { item: T, walk: { ...walk, step_free: false } },
    { item: S, walk },
  ];
  const kept = [first, second, third, fourth, { item: S, walk: null }];
  const page = [first, second, third];
  const found = await withStepFree(accessOf({}), { kept, page }, { walking, question: QUESTION });
  assert.deepEqual(
    found.page.map((each) => [each.walk!.step_free, each.step_free!.to_street]),
    [
      [true, true],
      [null, null],
      [false, null],
    ],
  );
  // The second, and the one that is not on the page.
  assert.equal(found.walking.step_free_unknown, 2);
  const without = await withStepFree(undefined, { kept, page }, { walking, question: QUESTION });
  // What cannot be looked up is unknown.
  assert.deepEqual(
    without.page.map((each) => each.walk!.step_free),
    [null, null, false],
  );
  assert.equal(without.walking.step_free_unknown, 3);
});
