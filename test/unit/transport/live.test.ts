/** Live data of a timetable: when they are asked for, which are used, and of which timetable. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LiveProblem, LiveFeedState } from "#upstream/transit/live-state.ts";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import type { Outcome } from "#kit/outcome.ts";
import type { SourceRequest } from "#providers/provider.ts";
import type { Fetched } from "#upstream/run.ts";
import { encodeMessage } from "../../../sandbox/gtfs-rt/encode.ts";
import { describeTimetable } from "#app/transit/timetable-facts.ts";
import { LiveData } from "#upstream/transit/live-transit.ts";
import { createLiveReader, type LiveJob, type LiveResult } from "#upstream/transit/live-job.ts";
import { turn } from "../../support/lookup.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { feedOf, SMALL } from "../../support/gtfs.ts";
import { heldOf, packFeed, questionOf } from "../../support/transit.ts";
import { runsOnlyOn } from "../../support/timetables.ts";
import { noFault } from "../../support/faults.ts";

/** 7:30 in Paris on the day on which the small feed runs. */
const NOW_MS = Date.UTC(2026, 0, 5, 6, 30);
const { signal } = new AbortController();

function messageAt(at_ms: number): Uint8Array {
  const header = headerAt(at_ms);
  const stopTimeUpdate = [{ stopSequence: 1, departure: { delay: 60 } }];
  const tripUpdate = { trip: { tripId: "T1", startDate: "20260105" }, stopTimeUpdate };
  return encodeMessage({ header, entity: [{ id: "1", tripUpdate }] });
}

/** Nothing but a header. */
function bareAt(at_ms: number): Uint8Array {
  return encodeMessage({ header: headerAt(at_ms), entity: [] });
}

function alertAt(at_ms: number): Uint8Array {
  const alert = { informedEntity: [{ stopId: "S" }] };
  return encodeMessage({ header: headerAt(at_ms), entity: [{ id: "a", alert }] });
}

function headerAt(at_ms: number) {
  return { gtfsRealtimeVersion: "2.0", timestamp: String(Math.floor(at_ms / 1_000)) };
}

function answerOf(body: Uint8Array, etag: string | null = null): Outcome<Fetched> {
  const nothing = { last_modified: null, max_age_s: null, content_type: null, link: null };
  const value = { kind: "body", body, url: "", etag, ...nothing } as const;
  return { status: "ok", fetched_at_ms: NOW_MS, cache: "miss", value };
}

type Answer = Outcome<Fetched> | Promise<Outcome<Fetched>>;

const FILES = {
  trip_updates: "https://feeds.example/trip_updates",
  vehicle_positions: "https://feeds.example/vehicle_positions",
  alerts: "https://feeds.example/alerts",
};
const UPDATES_ALONE = { trip_updates: FILES.trip_updates };

const SMALL_PACK = packFeed(feedOf(SMALL).feed);

/** A feed of these files, each answered as `world` has it: by default with a message of this moment. */
function desk(files: Partial<typeof FILES> = UPDATES_ALONE) {
  const clock = createManualClock(NOW_MS);
  const requested: SourceRequest[] = [];
  const jobs: LiveJob[] = [];
  const read = createLiveReader(() => 0);
  const world = {
    version: 1,
    answers: {
      trip_updates: (): Answer => answerOf(messageAt(clock.now())),
      vehicle_positions: (): Answer => answerOf(bareAt(clock.now())),
      alerts: (): Answer => answerOf(alertAt(clock.now())),
    },
    read: (job: LiveJob): LiveResult | null => read(job),
  };
  const bytes = packFeed(feedOf({ ...SMALL, ...runsOnlyOn("20260105") }).feed);
  const live = new LiveData(
    { ...files, max_age_s: 120, refresh_s: 15 },
    () => ({ feed_id: "f", version: world.version, bytes }),
    {
      clock,
      random: () => 0.5,
      timeout_ms: 10_000,
      onFault: noFault,
      run: (request) => {
        requested.push(request);
        const name = request.url.slice(request.url.lastIndexOf("/") + 1) as keyof typeof FILES;
        return Promise.resolve(world.answers[name]());
      },
      thread: {
        run(job) {
          jobs.push(job);
          return Promise.resolve(world.read(job));
        },
      },
    },
  );
  const ask = () => live.refresh({ now_ms: clock.now(), until_ms: clock.now() + 3_000, signal });
  return { clock, requested, jobs, world, live, ask };
}

const FAILED = { status: "error", reason: "http_500" } as const;
const UNCHANGED: Outcome<Fetched> = {
  status: "ok",
  fetched_at_ms: NOW_MS,
  cache: "miss",
  value: { kind: "not_modified" },
};

/** `alerts error http_500 held`: what is wrong with each file, `-` where it is all of them. */
function wrong({ problems }: LiveFeedState): string[] {
  return problems.map(({ file, status, reason, held_at_ms }) =>
    [file ?? "-", status, reason, ...(held_at_ms === null ? [] : ["held"])].join(" "),
  );
}

/** Runs and alerts in use; null: there is no table. */
function known({ table, has_alerts }: LiveFeedState): [runs: number, alerts: number] | null {
  // Each message of alerts here has one.
  if (has_alerts !== null) assert.equal(has_alerts, (table?.meta.counts.alerts ?? 0) > 0);
  return table && [table.meta.counts.runs, table.meta.counts.alerts];
}

test("the first question waits for the data, and those until they are due ask nothing", async () => {
  const { requested, ask, clock, live } = desk();
  assert.deepEqual(wrong(live.state(clock.now())), ["- unavailable not_loaded"]);
  const states = await Promise.all([ask(), ask(), ask()]);
  assert.equal(requested.length, 1);
  for (const state of states) {
    assert.deepEqual(wrong(state), []);
    assert.equal(state.table?.meta.counts.matched, 1);
    assert.equal(state.made_at_ms, NOW_MS);
    assert.equal(state.good_until_ms, NOW_MS + 15_000);
  }
  await clock.advance(14_999);
  await ask();
  assert.equal(requested.length, 1);
  await clock.advance(1);
  await ask();
  assert.equal(requested.length, 2);
});

test("a failure keeps what is held and names itself; what is too old is not used", async () => {
  const { ask, clock, world } = desk();
  await ask();
  world.answers.trip_updates = () => ({ status: "timeout", reason: "deadline" });
  await clock.advance(15_000);
  // What is still good answers at once, and the request ends behind it.
  assert.deepEqual(wrong(await ask()), []);
  await turn();
  const failed = await ask();
  assert.deepEqual(wrong(failed), ["- timeout deadline held"]);
  assert.equal(failed.problems[0]!.held_at_ms, NOW_MS);
  assert.deepEqual(known(failed), [1, 0]);
  await clock.advance(105_000);
  assert.deepEqual(known(await ask()), [1, 0]);
  await clock.advance(1);
  const old = await ask();
  assert.equal(old.table, null);
  assert.deepEqual(wrong(old), ["- timeout deadline"]);
});

test("after a failure the pauses double, up to five minutes, and end with it", async () => {
  const { ask, requested, clock, world } = desk();
  const { trip_updates: healthy } = world.answers;
  world.answers.trip_updates = () => FAILED;
  await ask();
  for (const pause_s of [15, 30, 60, 120, 240, 300, 300]) {
    const before = requested.length;
    await clock.advance(pause_s * 1_000 - 1);
    await ask();
    assert.equal(requested.length, before, `${pause_s} s`);
    await clock.advance(1);
    await ask();
    assert.equal(requested.length, before + 1, `${pause_s} s`);
  }
  world.answers.trip_updates = healthy;
  await clock.advance(300_000);
  assert.deepEqual(wrong(await ask()), []);
  world.answers.trip_updates = () => FAILED;
  await clock.advance(15_000);
  await ask();
  await turn();
  const before = requested.length;
  await clock.advance(15_000);
  await ask();
  assert.equal(requested.length, before + 1);
});

test("data that never become newer are outdated, however often they come", async () => {
  const { ask, clock, world } = desk();
  world.answers.trip_updates = () => answerOf(messageAt(NOW_MS));
  await ask();
  await clock.advance(121_000);
  const state = await ask();
  assert.equal(state.table, null);
  assert.deepEqual(wrong(state), ["- error outdated"]);
});

test("data that no caller asks for rest, and are no failure; with the next question they are new", async () => {
  const { ask, clock, live } = desk();
  await ask();
  for (const seconds of [121, 3_600, 86_400]) {
    await clock.advance(seconds * 1_000);
    const state = live.state(clock.now());
    assert.deepEqual(wrong(state), ["- unavailable resting"]);
    const facts = describeTimetable(heldOf("f", SMALL_PACK, { live }), clock.now());
    assert.deepEqual([facts?.live?.problem, facts?.live?.resting], [null, true]);
  }
  assert.deepEqual(wrong(await ask()), []);
  const facts = describeTimetable(heldOf("f", SMALL_PACK, { live }), clock.now());
  assert.deepEqual([facts?.live?.problem, facts?.live?.resting], [null, false]);
});

test("a clock that runs ahead makes nothing newer than its arrival", async () => {
  const { ask, clock, world } = desk();
  world.answers.trip_updates = () => answerOf(messageAt(NOW_MS + 600_000));
  assert.equal((await ask()).made_at_ms, NOW_MS);
  world.answers.trip_updates = () => FAILED;
  await clock.advance(121_000);
  assert.equal((await ask()).table, null);
});

test("what could not be read is asked for again, without a validator", async () => {
  const { ask, requested, clock, world } = desk();
  const { read } = world;
  world.answers.trip_updates = () => answerOf(messageAt(clock.now()), '"a"');
  for (const broken of [null, { ok: false, problem: "not a message" }] as const) {
    world.read = () => broken;
    await clock.advance(600_000);
    assert.deepEqual(wrong(await ask()), ["- error unreadable"]);
    world.read = read;
    await clock.advance(600_000);
    assert.deepEqual(wrong(await ask()), []);
    assert.equal(requested.at(-1)!.etag, null);
  }
  await clock.advance(600_000);
  await ask();
  assert.equal(requested.at(-1)!.etag, '"a"');
});

test("a table is used with the timetable it was made for alone, and made again of what is held", async () => {
  const { ask, requested, clock, live, world } = desk();
  const first = await ask();
  world.version = 2;
  assert.equal(live.state(clock.now()).table, null);
  const second = await ask();
  assert.equal(requested.length, 1);
  assert.equal(second.version, 2);
  assert.deepEqual(known(second), [1, 0]);
  assert.notEqual(second.table, first.table);
});

describe("each file is on its own", () => {
  for (const [broken, rest] of [
    ["trip_updates", [0, 1]],
    ["vehicle_positions", [1, 1]],
    ["alerts", [1, 0]],
  ] as const)
    for (const [what, answer, problem] of [
      ["fails", (): Answer => FAILED, "error http_500"],
      ["is garbage", (): Answer => answerOf(Buffer.from("garbage")), "error unreadable"],
      ["is too old", (): Answer => answerOf(messageAt(NOW_MS - 600_000)), "error outdated"],
    ] as const)
      test(`${broken} ${what}: the others are used as they are`, async () => {
        const { ask, clock, world } = desk(FILES);
        const { [broken]: healthy } = world.answers;
        world.answers[broken] = answer;
        const first = await ask();
        assert.deepEqual(known(first), rest);
        assert.deepEqual(wrong(first), [`${broken} ${problem}`]);
        assert.equal(first.made_at_ms, clock.now());
        world.answers[broken] = healthy;
        await clock.advance(600_000);
        assert.deepEqual(wrong(await ask()), []);
        assert.deepEqual(known(await ask()), [1, 1]);
        // What was read of it is in use until it is too old, and then it alone is not.
        world.answers[broken] = answer;
        await clock.advance(60_000);
        await ask();
        await turn();
        const stored = await ask();
        const isHeld = what !== "is too old";
        assert.deepEqual(known(stored), isHeld ? [1, 1] : rest);
        assert.deepEqual(wrong(stored), [`${broken} ${problem}${isHeld ? " held" : ""}`]);
        await clock.advance(60_001);
        await ask();
        await turn();
        const later = await ask();
        assert.deepEqual(known(later), rest);
        assert.deepEqual(wrong(later), [`${broken} ${problem}`]);
      });

  test("alerts that have become too old are gone with the second in which they do", async () => {
    const { ask, clock, world } = desk(FILES);
    await ask();
    world.answers.alerts = () => FAILED;
    await clock.advance(110_000);
    await ask();
    await turn();
    await clock.advance(10_000);
    assert.deepEqual(known(await ask()), [1, 1]);
    await clock.advance(1);
    assert.deepEqual(known(await ask()), [1, 0]);
  });

  test("all that fail are one failure, as old as the oldest of what is held", async () => {
    const { ask, clock, world } = desk(FILES);
    world.answers.alerts = () => answerOf(alertAt(NOW_MS - 30_000));
    await ask();
    for (const name of ["trip_updates", "vehicle_positions", "alerts"] as const)
      world.answers[name] = () => FAILED;
    await clock.advance(15_000);
    await ask();
    await turn();
    const state = await ask();
    assert.deepEqual(wrong(state), ["- error http_500 held"]);
    assert.equal(state.problems[0]!.held_at_ms, NOW_MS - 30_000);
  });

  test("a file that ends the thread does not take the others with it", async () => {
    const { ask, jobs, world } = desk(FILES);
    const { read } = world;
    const bomb = Buffer.from("bomb");
    world.answers.alerts = () => answerOf(bomb);
    world.read = (job) => (job.messages.some(({ bytes }) => bytes === bomb) ? null : read(job));
    const state = await ask();
    assert.deepEqual(known(state), [1, 0]);
    assert.deepEqual(wrong(state), ["alerts error unreadable"]);
    assert.equal(jobs.length, 4);
  });

  test("an address that serves all is asked once", async () => {
    const one = FILES.trip_updates;
    const { ask, requested } = desk({ trip_updates: one, vehicle_positions: one, alerts: one });
    const state = await ask();
    assert.equal(requested.length, 1);
    assert.equal(state.has_alerts, true);
  });

  test("alerts that are not configured are none, and those that have not come are not known", async () => {
    assert.equal((await desk().ask()).has_alerts, null);
    const { live, clock, ask } = desk(FILES);
    assert.equal(live.state(clock.now()).has_alerts, false);
    assert.equal((await ask()).has_alerts, true);
  });
});

describe("a file that hangs", () => {
  function hanging() {
    const all = desk(FILES);
    const { promise, resolve } = Promise.withResolvers<Outcome<Fetched>>();
    const { alerts: healthy } = all.world.answers;
    all.world.answers.alerts = () => promise;
    return { ...all, end: resolve, healthy };
  }

  test("the others are used two seconds after the first of them came", async () => {
    const { ask, clock, requested } = hanging();
    const query = ask();
    let isAnswered = false;
    void query.then(() => (isAnswered = true));
    await turn();
    await clock.advance(1_999);
    await turn();
    assert.equal(isAnswered, false);
    await clock.advance(1);
    const state = await query;
    assert.deepEqual(known(state), [1, 0]);
    assert.deepEqual(wrong(state), ["alerts timeout deadline"]);
    // It is not waited for again, and the others keep their pace.
    assert.deepEqual(known(await ask()), [1, 0]);
    await clock.advance(13_000);
    assert.deepEqual(known(await ask()), [1, 0]);
    assert.equal(requested.length, 5);
  });

  test("what it says in the end joins with the next question", async () => {
    const { ask, clock, end, jobs } = hanging();
    const query = ask();
    await turn();
    await clock.advance(2_000);
    await query;
    end(answerOf(alertAt(clock.now())));
    await turn();
    const state = await ask();
    assert.deepEqual(known(state), [1, 1]);
    assert.deepEqual(wrong(state), []);
    assert.equal(jobs.length, 2);
  });

  test("its failure takes the place of its silence, and it heals", async () => {
    const { ask, clock, end, healthy, world } = hanging();
    const query = ask();
    await turn();
    await clock.advance(2_000);
    await query;
    end(FAILED);
    await turn();
    assert.deepEqual(wrong(await ask()), ["alerts error http_500"]);
    world.answers.alerts = healthy;
    await clock.advance(60_000);
    await ask();
    await turn();
    assert.deepEqual(known(await ask()), [1, 1]);
  });

  test("a caller who leaves is not kept", async () => {
    const { live, clock } = hanging();
    const leaving = new AbortController();
    const query = live.refresh({
      now_ms: clock.now(),
      until_ms: clock.now() + 3_000,
      signal: leaving.signal,
    });
    leaving.abort();
    assert.equal((await query).table, null);
  });
});

test("a reading that fails of what could be read before is not tried at every question", async () => {
  const { ask, clock, jobs, world } = desk();
  await ask();
  world.version = 2;
  world.read = () => null;
  assert.deepEqual(wrong(await ask()), ["- error unreadable"]);
  const tried = jobs.length;
  await ask();
  assert.equal(jobs.length, tried);
  world.answers.trip_updates = () => UNCHANGED;
  await clock.advance(15_000);
  await ask();
  assert.equal(jobs.length, tried + 1);
});

type Query = { version?: number; language?: string | null };

/** Answer of the small feed from 7:30 on, with this live state. */
function findWith(state: LiveFeedState, { version = 1, language = null }: Query = {}) {
  const { live } = desk();
  const bytes = packFeed(feedOf({ ...SMALL, ...runsOnlyOn("20260105") }).feed);
  const question = {
    ...questionOf(createManualClock(NOW_MS)),
    circle: { lat: 48.85, lon: 2.35, radius_m: 500 },
    kind: "departures" as const,
    station_id: null,
    station: null,
    isWanted: null,
    edge: null,
    language,
    from_ms: NOW_MS,
    to_ms: NOW_MS + 7_200_000,
  };
  const now = (now_ms: number): LiveFeedState => live.state(now_ms);
  const answered = { max_age_s: live.max_age_s, state: now, refresh: async () => state };
  const stored = heldOf("f", bytes, { version, live: answered });
  return feedDepartures(() => [stored]).find(question);
}

test("departures do not mix a timetable with the live data of the next one", async () => {
  const { ask } = desk();
  const state = await ask();
  for (const [version, realtime, observed_ms] of [
    [1, "live", NOW_MS],
    [2, "unknown", null],
  ] as const) {
    const { publishers, raw, calls } = await findWith(state, { version });
    const departures = publishers.flat().flatMap((board) => board.departures);
    assert.deepEqual([raw, calls], [departures.length, 0]);
    const [match] = departures;
    assert.equal(match?.realtime, realtime, `version ${version}`);
    assert.equal(match?.read().observed_ms, observed_ms);
  }
});

test("alerts are in the language that is asked for, else in their first", async () => {
  const { ask, clock, world } = desk(FILES);
  const translation = [
    { text: "Umleitung", language: "de" },
    { text: "Déviation", language: "fr" },
  ];
  const alert = { informedEntity: [{ stopId: "S" }], headerText: { translation } };
  const body = { header: headerAt(clock.now()), entity: [{ id: "a", alert }] };
  world.answers.alerts = () => answerOf(encodeMessage(body));
  const state = await ask();
  for (const [language, header] of [
    [null, "Umleitung"],
    ["fr", "Déviation"],
    ["FR-ca", "Déviation"],
    ["es", "Umleitung"],
  ] as const) {
    const { findAlert } = await findWith(state, { language });
    assert.equal(findAlert("f:a")?.header, header);
    assert.equal(findAlert("g:a"), null);
    assert.equal(findAlert("f:b"), null);
  }
});

test("files that fail are sources of their own, and all of them are one", async () => {
  const { ask } = desk();
  const state = await ask();
  const failed = { status: "error", reason: "http_500" } as const;
  const listed = async (...problems: LiveProblem[]) => {
    const { live } = await findWith({ ...state, problems });
    return live.map(({ key, name, status, reason, raw, held_at_ms, good_until_ms }) =>
      [key, name, status, reason, raw, held_at_ms ?? null, good_until_ms].join(" | "),
    );
  };
  const whole = `gtfs:f:realtime | the live data of f | ok |  | 1 |  | ${NOW_MS + 15_000}`;
  assert.deepEqual(await listed(), [whole]);
  assert.deepEqual(
    await listed(
      { file: "alerts", ...failed, held_at_ms: null },
      { file: "vehicle_positions", ...failed, held_at_ms: NOW_MS - 1_000 },
    ),
    [
      whole,
      "gtfs:f:realtime:alerts | the live data of f (alerts) | error | http_500 | 0 |  | ",
      `gtfs:f:realtime:vehicle_positions | the live data of f (vehicle positions) | error | http_500 | 0 | ${NOW_MS - 1_000} | `,
    ],
  );
  assert.deepEqual(await listed({ file: null, ...failed, held_at_ms: null }), [
    "gtfs:f:realtime | the live data of f | error | http_500 | 1 |  | ",
  ]);
});

test("what has not changed is not read again", async () => {
  const { ask, clock, jobs, world } = desk();
  const first = await ask();
  world.answers.trip_updates = () => UNCHANGED;
  await clock.advance(15_000);
  await ask();
  await turn();
  assert.equal((await ask()).table, first.table);
  assert.equal(jobs.length, 1);
});

describe("what a reading costs decides when the next one may be", () => {
  for (const [cost_ms, after_s] of [
    [0, 15],
    [700, 15],
    [2_000, 38],
    [60_000, 60],
  ] as const)
    test(`${cost_ms} ms of the thread: after ${after_s} s`, async () => {
      const { clock, requested, jobs, world, ask } = desk();
      const { read } = world;
      world.read = (job) => {
        const result = read(job);
        return result?.ok ? { ...result, cost_ms } : result;
      };
      assert.notEqual((await ask()).table, null);
      await clock.advance(after_s * 1_000 - 1);
      const state = await ask();
      assert.deepEqual([requested.length, jobs.length], [1, 1]);
      assert.notEqual(state.table, null, "what is known is used meanwhile");
      assert.equal(state.good_until_ms, clock.now() + 1);
      await clock.advance(1);
      await ask();
      await turn();
      assert.equal(requested.length, 2);
    });

  test("a file of which nothing is known is asked for all the same", async () => {
    const { clock, requested, world, ask } = desk({
      trip_updates: FILES.trip_updates,
      alerts: FILES.alerts,
    });
    const { read } = world;
    world.read = (job) => {
      const result = read(job);
      return result?.ok ? { ...result, cost_ms: 60_000 } : result;
    };
    world.answers.alerts = () => FAILED;
    await ask();
    await clock.advance(30_000);
    await ask();
    assert.ok(requested.filter(({ url }) => url === FILES.alerts).length >= 2);
  });
});
