/** Departures of own feeds: what a timetable cannot say is a failure, and never an empty list. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import { transitId } from "#transit/schedule/schedule-results.ts";
import { openDepartures } from "../../support/departures.ts";
import { feedOf, type FeedTexts, SMALL } from "../../support/gtfs.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { runsOnlyOn } from "../../support/timetables.ts";
import { heldOf, packFeed } from "../../support/transit.ts";
import { NO_WALKS } from "../../support/walks.ts";

/** 7:30 in Paris on the day on which the small feed runs. */
const NOW_MS = Date.UTC(2026, 0, 5, 6, 30);
const DAY_MS = 86_400_000;
const HERE = { lat: 48.85, lon: 2.35 };
const WISH = { within: 60, limit: 20, debug: false } as const;
const NONE = {
  ...{ modes: undefined, lines: undefined, language: undefined },
  ...NO_WALKS,
} as const;

function desk(texts: FeedTexts = {}, now_ms = NOW_MS) {
  const clock = createManualClock(now_ms);
  const bytes = packFeed(feedOf({ ...SMALL, ...runsOnlyOn("20260105"), ...texts }).feed);
  const stored = heldOf("f", bytes);
  const departures = openDepartures({
    finders: [feedDepartures(() => [stored])],
    clock,
    timezones: () => Promise.resolve(() => "Europe/Paris"),
  });
  const timing = { now_ms, deadline_ms: now_ms + 3_000, signal: new AbortController().signal };
  return {
    stored,
    nearby: async (at = HERE) => {
      const question = { ...at, radius: 500, ...WISH, ...NONE };
      const { body } = await departures.nearby({ question, ...timing });
      return body;
    },
    ask: async (question: Parameters<typeof departures.nearby>[0]["question"]) => {
      const { body } = await departures.nearby({ question, ...timing });
      return { body };
    },
    station: (station_id: string, limit: number = WISH.limit) =>
      departures.station({
        question: { station_id, arrivals: false, ...WISH, ...NONE, limit },
        ...timing,
      }),
  };
}

test("what leaves within the window is listed; an hour without departures is empty", async () => {
  const body = await desk().nearby();
  assert.equal(body.status, "success");
  assert.deepEqual(
    body.results.departures.map(({ planned_at, realtime, expected_at }) => [
      planned_at,
      realtime,
      expected_at,
    ]),
    [
      ["2026-01-05T08:00:00+01:00", "planned_only", null],
      ["2026-01-05T08:05:30+01:00", "planned_only", null],
    ],
  );
  const evening = await desk({}, NOW_MS + 10 * 3_600_000).nearby();
  assert.equal(evening.status, "empty");
});

test("a timetable that has ended, or has not begun, is partial and named", async () => {
  for (const [days, message, cause] of [
    [-30, "the timetable f has not begun: it begins on 2026-01-05", "has not begun"],
    [30, "the timetable f has ended on 2026-01-05", "has ended"],
  ] as const) {
    const body = await desk({}, NOW_MS + days * DAY_MS).nearby();
    assert.equal(body.status, "partial");
    assert.equal(
      body.message,
      `The answer may be incomplete: ${message}; asking again changes nothing until the operator acts.`,
    );
    assert.equal(body.notices?.[0]?.cause, cause);
  }
});

test("a list that ends at its limit says so as a cut, with the time of the place", async () => {
  const { ask, station, stored } = desk();
  const { body } = await ask({ ...HERE, radius: 500, ...WISH, ...NONE, limit: 1 });
  assert.deepEqual(body.notices, [
    {
      ...{ source: null, cause: null, age_s: null },
      cut: { shown: 1, total: 2, within_m: 500 },
      message:
        "Shown are the next 1 of 2, up to 2026-01-05T08:00:00+01:00; a larger limit shows more.",
    },
  ]);
  assert.equal(body.status, "success");
  const whole = await ask({ ...HERE, radius: 500, ...WISH, ...NONE });
  assert.equal(whole.body.notices, undefined);
  const id = transitId(stored.feed!.station(stored.feed!.findStation("S")!).source);
  const reply = await station(id, 1);
  const board = "kind" in reply ? null : reply.body;
  assert.deepEqual(board?.notices?.[0]?.cut, { shown: 1, total: 2, within_m: 120 });
});

test("debug counts what each source stated, and has the radius and the cache of §2.7", async () => {
  const { body } = await desk().ask({
    ...HERE,
    radius: 3_000,
    ...WISH,
    ...NONE,
    debug: true,
    limit: 1,
  });
  assert.deepEqual(body.debug, {
    providers: { gtfs: { status: "ok", raw_count: 2, returned_count: 1 } },
    provider_calls: 0,
    cache: "hit",
    requested_radius: 3_000,
    applied_radius: 2_000,
    requested_limit: 1,
    applied_limit: 1,
  });
});

test("debug counts for a source that failed, and for live data that are silent, nothing", async () => {
  const texts = (day: string) => ({ ...SMALL, ...runsOnlyOn(day) });
  const state = {
    ...{
      problems: [],
      table: null,
      version: 1,
      made_at_ms: null,
      has_alerts: null,
      good_until_ms: NOW_MS,
    },
  };
  const live = { max_age_s: 120, state: () => state, refresh: () => Promise.resolve(state) };
  const feeds = [
    heldOf("f", packFeed(feedOf(texts("20260105")).feed), { live }),
    heldOf("old", packFeed({ ...feedOf(texts("20250105")).feed, feed_id: "old" })),
  ];
  const departures = openDepartures({
    finders: [feedDepartures(() => feeds)],
    clock: createManualClock(NOW_MS),
    timezones: () => Promise.resolve(() => "Europe/Paris"),
  });
  const { body } = await departures.nearby({
    question: { ...HERE, radius: 500, ...WISH, ...NONE, debug: true },
    ...{ now_ms: NOW_MS, deadline_ms: NOW_MS + 3_000, signal: new AbortController().signal },
  });
  const { providers } = body.debug!;
  assert.deepEqual(
    Object.entries(providers).map(([key, { returned_count }]) => [key, returned_count]),
    [
      ["gtfs", 2],
      ["gtfs:f:realtime", 0],
      ["gtfs:old", 0],
    ],
  );
});

test("a timetable whose time zone is not known is partial", async () => {
  const agency =
    "agency_id,agency_name,agency_url,agency_timezone\nM,Métro,https://metro.example/,Mars/Base\n";
  const body = await desk({ "agency.txt": agency }).nearby();
  assert.equal(body.status, "partial");
  assert.deepEqual(body.results.departures, []);
});

test("where no timetable is at home, that is said", async () => {
  const near = await desk().nearby({ lat: 48.88, lon: 2.35 });
  assert.equal(near.status, "empty");
  assert.match(near.message ?? "", /^Nothing was found within 500 metres/);
  const far = await desk().nearby({ lat: -33.87, lon: 151.21 });
  assert.deepEqual(
    [far.status, far.message, far.notices?.map(({ cause }) => cause)],
    ["empty", "No source covers this point.", ["does not cover this point"]],
  );
});

test("a station answers by its id, and another id is unknown", async () => {
  const { stored, station } = desk();
  const row = stored.feed!.findStation("S")!;
  const match = await station(transitId(stored.feed!.station(row).source));
  assert.ok("body" in match);
  assert.equal(match.body.total, 2);
  const unknown = await station("svc_transport_station_none");
  assert.ok("code" in unknown && unknown.code === "unknown_station");
});
