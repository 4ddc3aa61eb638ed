/** When one must leave for a departure, by the way on foot to its station (docs/transit.md). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import { findOperation } from "#api/operations.ts";
import { type TimeToGo, walkToStations } from "#app/transit/departure-walks.ts";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import type { Location } from "#kit/geo.ts";
import type { Walks } from "#ports/walks.ts";
import type { MergedDeparture } from "#transit/schedule/boards.ts";
import type { MergedStation } from "#transit/schedule/merge-boards.ts";
import { openDepartures } from "../../support/departures.ts";
import { FAKE_BASE, type FakeWay, fakeWalks } from "../../support/fake-walks.ts";
import { feedOf, SMALL } from "../../support/gtfs.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { runsOnlyOn } from "../../support/timetables.ts";
import { heldOf, packFeed } from "../../support/transit.ts";
import { NO_WALKS } from "../../support/walks.ts";

/** 7:30 in Paris on the day on which the small feed runs. */
const NOW_MS = Date.UTC(2026, 0, 5, 6, 30);
const HERE = { lat: 48.85, lon: 2.35 };
const WISH = { profile: "foot", speed: 1, within_s: null, sorts: false } as const;

function aStation(lat: number): MergedStation {
  return { lead: { lat, lon: HERE.lon } } as MergedStation;
}

/** Five minutes away at one metre a second. */
const NEAR = aStation(48.851);
const OVER = aStation(48.852);

type Times = Partial<Pick<MergedDeparture, "planned_ms" | "expected_ms" | "status" | "headway_s">>;

function aDeparture(times: Times, station = NEAR): MergedDeparture {
  return {
    ...{ station, status: "scheduled", planned_ms: null, expected_ms: null, headway_s: null },
    ...times,
  } as MergedDeparture;
}

const wayTo = ({ lat }: Location): FakeWay =>
  lat === OVER.lead.lat ? "not_reached" : { meters: 300, step_free: true };

const at = (seconds: number): number => NOW_MS + seconds * 1_000;

const CASES: Readonly<Record<string, [Times, number | null]>> = {
  "by the plan": [{ planned_ms: at(600) }, 300],
  "by what is expected, where something is": [{ planned_ms: at(600), expected_ms: at(900) }, 600],
  "in this second": [{ planned_ms: at(300) }, 0],
  "a moment ago: whole seconds round to the safe side": [{ planned_ms: at(299.9) }, -1],
  "too late": [{ planned_ms: at(200) }, -100],
  "late, and so in time": [{ planned_ms: at(100), expected_ms: at(400) }, 100],
  cancelled: [{ planned_ms: at(600), status: "cancelled" }, null],
  skipped: [{ planned_ms: at(600), expected_ms: at(600), status: "skipped" }, null],
  "an added run": [{ expected_ms: at(360), status: "added" }, 60],
  "no time is known": [{}, null],
  "only an interval is promised": [{ planned_ms: at(600), headway_s: 300 }, null],
  "an interval, and the next one is expected": [
    { planned_ms: at(600), expected_ms: at(610), headway_s: 300 },
    310,
  ],
};

for (const [name, [times, leave_in_seconds]] of Object.entries(CASES))
  test(`leave_in_seconds, ${name}: ${leave_in_seconds}`, async () => {
    const departure = aDeparture(times);
    const { leaveFor } = await walkToStations(fakeWalks(wayTo), HERE, [departure], {
      wish: WISH,
      now_ms: NOW_MS,
    });
    const walk = { meters: 300, seconds: 300, step_free: null };
    const isMissed = leave_in_seconds !== null && leave_in_seconds < 0;
    const expected: TimeToGo = { walk, leave_in_seconds, ...(isMissed && { missed: true }) };
    assert.deepEqual(leaveFor(departure), expected);
  });

test("each station has one way; where none is known one cannot say when to leave", async () => {
  const sent: Location[] = [];
  const walks = fakeWalks((point) => (sent.push(point), wayTo(point)));
  const departures = [
    aDeparture({ planned_ms: at(600) }),
    aDeparture({ planned_ms: at(700) }, OVER),
    aDeparture({ planned_ms: at(800) }),
  ];
  const { leaveFor, walking } = await walkToStations(walks, HERE, departures, {
    wish: WISH,
    now_ms: NOW_MS,
  });
  assert.equal(sent.length, 2);
  assert.deepEqual([walking.reached, walking.not_reached], [1, 1]);
  assert.deepEqual(leaveFor(departures[1]!), { walk: null, leave_in_seconds: null });
});

test("behind steps, who cannot take one need not leave; others may", async () => {
  const departure = aDeparture({ planned_ms: at(600) });
  const leaveOf = async (profile: "foot" | "step_free", within: boolean | null) => {
    const access = { ofStation: () => assert.fail("a platform was wanted"), ofStop: () => within };
    const wish = { ...WISH, profile };
    const ways = await walkToStations(fakeWalks(wayTo), HERE, [departure], {
      ...{ wish, now_ms: NOW_MS, access },
    });
    return ways.leaveFor(departure).leave_in_seconds;
  };
  assert.deepEqual([await leaveOf("foot", false), await leaveOf("step_free", false)], [300, null]);
  assert.deepEqual(
    [await leaveOf("step_free", true), await leaveOf("step_free", null)],
    [300, 300],
  );
});

test("an answer is good until the first departure is missed that can still be reached", async () => {
  const untilOf = async (...times: Times[]) => {
    const departures = times.map((each) => aDeparture(each));
    const options = { wish: WISH, now_ms: NOW_MS };
    const ways = await walkToStations(fakeWalks(wayTo), HERE, departures, options);
    return ways.good_until_ms;
  };
  const missed = { planned_ms: at(100) };
  assert.equal(await untilOf(missed, { planned_ms: at(320) }, { planned_ms: at(310) }), at(10) + 1);
  assert.equal(await untilOf(missed, { planned_ms: at(305), status: "cancelled" }), Infinity);
});

const { content } = findOperation("getDeparturesNearby").success;
const schema = Compile(content["application/json"].schema);

function desk(walks?: Walks) {
  const clock = createManualClock(NOW_MS);
  const bytes = packFeed(feedOf({ ...SMALL, ...runsOnlyOn("20260105") }).feed);
  const { nearby } = openDepartures({
    finders: [feedDepartures(() => [heldOf("f", bytes)])],
    clock,
    timezones: () => Promise.resolve(() => "Europe/Paris"),
    ...(walks && { walks }),
  });
  const every = { modes: undefined, lines: undefined, language: undefined };
  const plain = { ...HERE, radius: 500, within: 60, limit: 20, debug: false, ...every };
  return {
    clock,
    ask: async (wish: Partial<typeof NO_WALKS> = {}) => {
      const now_ms = clock.now();
      const timing = { now_ms, deadline_ms: now_ms + 3_000, signal: new AbortController().signal };
      const reply = await nearby({ question: { ...plain, ...NO_WALKS, ...wish }, ...timing });
      assert.ok(schema.Check(reply.body), JSON.stringify([...schema.Errors(reply.body)]));
      return reply;
    },
  };
}

test("departures say when to leave by the clock of the answer; nothing else of them changes", async () => {
  const { ask, clock } = desk(fakeWalks(() => ({ meters: 399.7, step_free: null })));
  await clock.advance(400);
  const plain = await ask();
  const { body, max_age_s } = await ask({ walk: true });
  const { walking, ...others } = body;
  assert.deepEqual(walking, {
    ...{ profile: "foot", speed_meters_per_second: 1.33, within_meters: 1_500 },
    ...{ reached: 1, not_reached: 0, unknown: 0, step_free_unknown: 1, base: FAKE_BASE },
  });
  const walk = { meters: 400, seconds: 301, step_free: null };
  assert.deepEqual(others, {
    ...plain.body,
    results: {
      ...plain.body.results,
      departures: plain.body.results.departures.map((departure, i) => ({
        ...departure,
        walk,
        // Of 1,800 and 2,130 seconds that are not over yet, less the way.
        leave_in_seconds: [1_498, 1_828][i],
      })),
    },
  });
  assert.equal(max_age_s, plain.max_age_s);
});

test("what is missed says so, and nothing is left out; the answer lasts until the next is missed", async () => {
  const { ask, clock } = desk(fakeWalks(() => ({ meters: 399, step_free: true })));
  await clock.advance(1_800_000 - 290_000);
  const { body } = await ask({ walk: true });
  assert.deepEqual(
    body.results.departures.map(({ leave_in_seconds, missed }) => [leave_in_seconds, missed]),
    [
      [-10, true],
      [320, undefined],
    ],
  );
  await clock.advance(313_000);
  const soon = await ask({ walk: true });
  assert.deepEqual(
    soon.body.results.departures.map(({ leave_in_seconds }) => leave_in_seconds),
    // What left in this minute is still listed.
    [-323, 7],
  );
  assert.equal(soon.max_age_s, 7);
  const quick = await ask({ speed: 2.5 });
  assert.equal(quick.body.results.departures[0]!.walk!.seconds, 160);
});

test("streets are waited for until the answer must be on its way, and no longer", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const walks = fakeWalks(() => "not_reached");
  const pin: Walks["pin"] = (circle, signal) => {
    signals.push(signal);
    return walks.pin(circle);
  };
  await desk({ pin }).ask({ profile: "step_free" });
  assert.ok(signals.length === 1 && signals[0] instanceof AbortSignal);
});

test("without a base it is not known when to leave, and the answer says why", async () => {
  const { ask } = desk();
  const plain = await ask();
  const { body } = await ask({ profile: "step_free" });
  assert.equal(body.status, "success");
  assert.deepEqual(
    body.results.departures.map((each) => [each.walk, each.leave_in_seconds, each.missed]),
    [
      [null, null, undefined],
      [null, null, undefined],
    ],
  );
  assert.deepEqual([body.walking!.reason, body.walking!.unknown], ["outside_bases", 1]);
  assert.match(body.notices![0]!.message, /^No imported base covers this point/);
  assert.equal(plain.body.notices, undefined);
});

test("a question that asks for no ways looks for none", async () => {
  const { ask } = desk({ pin: () => assert.fail("ways were looked for") });
  assert.deepEqual((await ask()).body, (await desk().ask()).body);
});
