/**
 * A timetable of 4 kB, 300 stops in one circle, one trip and 20 equal rows of frequencies with a run
 * each second for two days, was imported without a complaint. One anonymous GET /v1/departures/nearby
 * near it made an object of each of 26 million departures and ended the process; so did the next one
 * after each restart, on all replicas. Bounds were those of one station, and memory that of a circle.
 * A question has one budget now, whatever feeds say, and an import leaves such rows out.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import type { ReplyAt } from "#api/operations.ts";
import { openLive } from "#transit/index.ts";
import {
  findEarliest,
  MOST_ADDED_AT_STATION,
  MOST_CALLS,
  type TransitFeed,
  transitId,
} from "#transit/timetables.ts";
import { createLiveReader } from "#upstream/transit/live-job.ts";
import { openDepartures } from "../support/departures.ts";
import { feedOf } from "../support/gtfs.ts";
import {
  additionsOf,
  ENDED_THE_PROCESS,
  HOSTILE_PLACE,
  textsOf,
  unboundedFeed,
  UNFOLDED_FOR_LONG,
  WITHIN_THE_BOUNDS,
} from "../support/hostile-timetables.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { heldOf, packFeed } from "../support/transit.ts";
import { toEnd } from "#kit/steps.ts";
import { NO_WALKS } from "../support/walks.ts";

const NOW_MS = Date.UTC(2026, 10, 25, 9);
const WISH = {
  ...{ limit: 20, debug: false, modes: undefined, lines: undefined, language: undefined },
  ...NO_WALKS,
};

function desk(feed: TransitFeed) {
  const bytes = packFeed(feed);
  const stored = heldOf("f", bytes);
  const departures = openDepartures({
    finders: [feedDepartures(() => [stored])],
    clock: createManualClock(NOW_MS),
    timezones: () => Promise.resolve(() => "Europe/Paris"),
  });
  const { signal } = new AbortController();
  const timing = { now_ms: NOW_MS, deadline_ms: NOW_MS + 3_000, signal };
  return {
    bytes,
    feed: stored.feed!,
    nearby: async (within = 60) => {
      const question = { ...HOSTILE_PLACE, radius: 400, within, ...WISH };
      const { body } = await departures.nearby({ question, ...timing });
      return body;
    },
    station: async (arrivals: boolean) => {
      const station_id = transitId(stored.feed!.station(stored.feed!.findStation("5")!).source);
      const question = { station_id, arrivals, within: 360, ...WISH };
      const match = await departures.station({ question, ...timing });
      assert.ok("body" in match);
      return match.body;
    },
  };
}

const isCut = ({ notices = [] }: Pick<ReplyAt<"/v1/departures/nearby">, "notices">): boolean =>
  notices.some(({ cut }) => cut !== null && cut.total === null);

for (const [name, crowd] of Object.entries({ ENDED_THE_PROCESS, UNFOLDED_FOR_LONG })) {
  test(`${name}: what an earlier import kept is answered with a cut`, async () => {
    const { nearby, station } = desk(unboundedFeed(crowd));
    for (const body of [
      await nearby(),
      await nearby(360),
      await station(false),
      await station(true),
    ]) {
      assert.equal(body.status, "success");
      assert.ok(isCut(body));
      assert.ok(body.total > 20 && body.total <= MOST_CALLS, `${body.total}`);
      assert.equal(body.results.departures.length, 20);
      // What leaves next is shown, of all that leave.
      assert.equal(body.results.departures[0]!.planned_at, "2026-11-25T10:00:00+01:00");
    }
  });

  test(`${name}: an import leaves its rows out and says why`, async () => {
    const { feed, trail } = feedOf(textsOf(crowd));
    assert.deepEqual(
      trail.dropped.map(({ reason, count }) => [reason, count]),
      [["frequency_below_30_s", crowd.rows]],
    );
    assert.equal((await desk(feed).nearby()).status, "empty");
  });
}

test("what an import accepts is answered with a cut as well", async () => {
  const { nearby } = desk(feedOf(textsOf(WITHIN_THE_BOUNDS)).feed);
  const body = await nearby(360);
  assert.ok(isCut(body) && body.total <= MOST_CALLS && body.results.departures.length === 20);
});

test("runs that a realtime file adds are bounded in the table and in an answer", () => {
  const { bytes, feed } = desk(feedOf(textsOf({ stops: 10, rows: 1, headway_s: 600 })).feed);
  const message = { bytes: additionsOf(20_000, NOW_MS / 1_000), fetched_ms: NOW_MS };
  const pack = { feed_id: "f", version: 1, bytes };
  const read = createLiveReader()({ pack, messages: [message] });
  assert.ok(read.ok);
  const live = openLive(read.bytes)!;
  assert.ok(live.meta.counts.events <= 10 * MOST_ADDED_AT_STATION);
  const dropped = live.meta.trail.dropped.find(({ reason }) => reason === "too_many_additions");
  assert.ok(dropped && dropped.count >= 18_000 - 10 * MOST_ADDED_AT_STATION);
  const places = Array.from({ length: 10 }, (_, station) => ({
    feed,
    live,
    station,
    max_age_s: 120,
  }));
  const window = {
    from_ms: NOW_MS,
    to_ms: NOW_MS + 3_600_000,
    now_ms: NOW_MS,
    isWanted: null,
    edge: null,
  };
  const { calls } = toEnd(findEarliest(places, { kind: "departures", ...window }));
  const matches = calls.flat();
  assert.ok(matches.length > 0 && matches.length <= MOST_CALLS);
  // Planned runs are still among them.
  assert.ok(matches.some(({ status }) => status === "scheduled"));
});
