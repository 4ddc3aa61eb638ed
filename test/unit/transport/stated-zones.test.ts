/**
 * The zone that a source states goes before that of the map for its stations, a stop's before its
 * agency's, its station's before its own; one that there is not is left out, and counted.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import { isTimeZone } from "#kit/time-zones.ts";
import { openDepartures } from "../../support/departures.ts";
import { feedOf, type FeedTexts, SMALL } from "../../support/gtfs.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { heldOf, packFeed } from "../../support/transit.ts";
import { NO_WALKS } from "../../support/walks.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 5, 30);
const HERE = { lat: 48.85, lon: 2.35 };
const STOPS =
  "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding,stop_timezone";

function withZones(agency: string, station = "", platform = ""): FeedTexts {
  return {
    "agency.txt": `agency_id,agency_name,agency_url,agency_timezone\nM,Métro,https://metro.example/,${agency}\n`,
    "stops.txt": [
      STOPS,
      `S,Central,48.85,2.35,1,,,${station}`,
      `P1,Central,48.8501,2.3501,0,S,1,${platform}`,
      `P2,Central,48.8502,2.3502,0,S,2,${platform}`,
      "A,Alone,48.86,2.36,,,,",
    ].join("\n"),
  };
}

async function localTime(texts: FeedTexts, now_ms = NOW_MS) {
  const clock = createManualClock(now_ms);
  const read = feedOf({ ...SMALL, ...texts });
  const { nearby } = openDepartures({
    finders: [feedDepartures(() => [heldOf("f", packFeed(read.feed))])],
    clock,
    timezones: () => Promise.resolve(() => "Europe/Stockholm"),
  });
  const question = {
    ...{ ...HERE, radius: 500, within: 120, limit: 20, debug: false },
    ...{ modes: undefined, lines: undefined, language: undefined },
    ...NO_WALKS,
  };
  const timing = { now_ms, deadline_ms: now_ms + 3_000, signal: new AbortController().signal };
  const { body } = await nearby({ question, ...timing });
  const { time_zone, local_time, results } = body;
  const times = results.departures.map(({ planned_at }) => planned_at);
  return { time_zone, local_time, times, repaired: read.trail.repaired };
}

const CASES: readonly [what: string, texts: FeedTexts, zone: string, local_time: string][] = [
  ["the agency's", withZones("Europe/Helsinki"), "Europe/Helsinki", "2026-01-05T07:30:00+02:00"],
  [
    "the station's before the agency's",
    withZones("Europe/Helsinki", "Europe/London"),
    "Europe/London",
    "2026-01-05T05:30:00+00:00",
  ],
  [
    "the station's before its platforms'",
    withZones("Europe/Helsinki", "Europe/London", "Asia/Tokyo"),
    "Europe/London",
    "2026-01-05T05:30:00+00:00",
  ],
  [
    "the platforms' where the station states none",
    withZones("Europe/Helsinki", "", "Asia/Kolkata"),
    "Asia/Kolkata",
    "2026-01-05T11:00:00+05:30",
  ],
  [
    "the agency's where the stop's is none",
    withZones("Europe/Helsinki", "Europe/Nowhere"),
    "Europe/Helsinki",
    "2026-01-05T07:30:00+02:00",
  ],
];

for (const [what, texts, zone, local_time] of CASES)
  test(`clocks of departures: ${what}`, async () => {
    const match = await localTime(texts);
    assert.deepEqual([match.time_zone, match.local_time], [zone, local_time]);
  });

test("each departure has the offset of its own station", async () => {
  const texts = withZones("Europe/Helsinki", "Europe/London");
  const match = await localTime({
    ...texts,
    "stops.txt": texts["stops.txt"]!.replace(
      "A,Alone,48.86,2.36,,,,",
      "A,Alone,48.852,2.352,,,,Asia/Tokyo",
    ),
    "stop_times.txt": [
      "trip_id,stop_id,stop_sequence,arrival_time,departure_time",
      "T1,P1,1,08:00:00,08:00:00",
      "T1,A,2,08:05:00,08:05:00",
      "T1,P2,3,08:10:00,08:10:00\n",
    ].join("\n"),
  });
  assert.deepEqual(match.times, ["2026-01-05T06:00:00+00:00", "2026-01-05T15:05:00+09:00"]);
  assert.equal(match.local_time, "2026-01-05T05:30:00+00:00");
});

test("a zone of a stop moves no departure", async () => {
  const [plain, moved] = await Promise.all([
    localTime(withZones("Europe/Helsinki")),
    localTime(withZones("Europe/Helsinki", "Asia/Tokyo")),
  ]);
  assert.ok(plain.times.length > 0);
  const momentsOf = ({ times }: { times: (string | null)[] }): number[] =>
    times.map((time) => Date.parse(time!));
  assert.deepEqual(momentsOf(moved), momentsOf(plain));
  assert.match(moved.times[0]!, /\+09:00$/);
});

test("an hour without departures has the clocks of its station too", async () => {
  const match = await localTime(withZones("Europe/Helsinki"), NOW_MS + 10 * 3_600_000);
  assert.deepEqual([match.times, match.time_zone], [[], "Europe/Helsinki"]);
});

test("a zone that there is not is left out with its reason", async () => {
  const { repaired, time_zone } = await localTime(withZones("Europe/Helsinki", "+02:00"));
  assert.equal(time_zone, "Europe/Helsinki");
  assert.deepEqual(repaired, [{ reason: "unknown_time_zone", count: 1, examples: ["+02:00"] }]);
});

test("names of zones are those of the database, old ones included, and no offsets", () => {
  const NAMES = ["Europe/Kyiv", "Europe/Kiev", "US/Central", "Etc/GMT+5", "UTC"];
  assert.deepEqual(
    NAMES.filter((name) => !isTimeZone(name)),
    [],
  );
  const NONE = ["+02:00", "-05", "", "Europe/Nowhere", "CETT", "Berlin", " Europe/Berlin"];
  assert.deepEqual(NONE.filter(isTimeZone), []);
});
