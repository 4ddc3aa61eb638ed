/**
 * One station, one id (decisions, Station ids of transport): a timetable, a provider that writes the
 * town into its names, and another, asked in every way. The stations of departures and of lines are
 * those of the search for stations, and ids that earlier answers gave are still known.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import type { FindTimetabled, TransitFinder } from "#app/transit/transit-finder.ts";
import { feedFinder, stationsOf } from "#app/transit/transit-finders.ts";
import { createFindLines } from "#app/transit/line-items.ts";
import { createTransport } from "#app/transit/transit-search.ts";
import { createStationMemory } from "#app/transit/station-memory.ts";
import { transitId } from "#transit/schedule/schedule-results.ts";
import type { TransitProvider, TransitStation } from "#transit/schedule/station.ts";
import { openDepartures } from "../../support/departures.ts";
import { feedOf, SMALL } from "../../support/gtfs.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { runsOnlyOn } from "../../support/timetables.ts";
import { heldOf, packFeed, stationOf } from "../../support/transit.ts";
import { NO_WALKS } from "../../support/walks.ts";

/** 7:30 in Paris on the day on which the small feed runs. */
const NOW_MS = Date.UTC(2026, 0, 5, 6, 30);
const HERE = { lat: 48.85, lon: 2.35 };
const TIMING = {
  now_ms: NOW_MS,
  deadline_ms: NOW_MS + 3_000,
  signal: new AbortController().signal,
};

/** Two poles of one station, one on either side of the street, and a stop of its own. */
const TEXTS = {
  ...SMALL,
  ...runsOnlyOn("20260105"),
  "stops.txt": [
    "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code",
    "S,Central,48.85,2.35,1,,",
    "P1,Central,48.8501,2.3501,0,S,A",
    "P2,Central,48.8502,2.3502,0,S,B",
    "A,Moor Cross,48.8525,2.3525,,,\n",
  ].join("\n"),
};
const STATES = {
  problems: [],
  table: null,
  version: 1,
  made_at_ms: null,
  has_alerts: null,
  good_until_ms: NOW_MS,
};
const LIVE = { max_age_s: 120, state: () => STATES, refresh: () => Promise.resolve(STATES) };

/** The stations of the small feed, each as another publisher describes it: other names, other pins. */
function describedBy(provider: TransitProvider, metres: number, suffix: string): TransitStation[] {
  const bytes = packFeed(feedOf(TEXTS).feed);
  const { feed } = heldOf("f", bytes);
  return Array.from({ length: feed!.count }, (_, row) => {
    const station = feed!.station(row);
    const { lat, lon, name, modes } = station;
    const source = { provider, source_id: `${provider}:${station.source.source_id}` };
    const pin = { lat: lat + metres / 111_195, lon };
    return stationOf({ ...pin, name: `${name}${suffix}`, modes, source });
  });
}

function lookupOf(provider: TransitProvider, stations: readonly TransitStation[]): TransitFinder {
  const finding = { key: provider, status: "ok", reason: null, calls: 1, cache: "miss" } as const;
  return {
    provider,
    key: provider,
    covers: () => true,
    find: () =>
      Promise.resolve({
        ...finding,
        groups: [stations],
        raw: stations.length,
        good_until_ms: NOW_MS,
      }),
  };
}

function town() {
  const clock = createManualClock(NOW_MS);
  const bytes = packFeed(feedOf(TEXTS).feed);
  const stored = [heldOf("f", bytes, { live: LIVE, realtime: true, alerts: false })];
  const list = () => stored;
  const memory = createStationMemory();
  const navitia = describedBy("navitia", 25, " (Paris)");
  const finders = [
    lookupOf("navitia", navitia),
    lookupOf("transitland", describedBy("transitland", -20, "")),
    feedFinder(list, 30_000),
  ];
  const timetabled: FindTimetabled = (circle) => stationsOf(list(), circle).groups;
  const transport = createTransport({ finders, clock, timetabled });
  memory.remember("navitia", navitia);
  const departures = openDepartures({
    finders: [
      feedDepartures(list),
      {
        ...feedDepartures(() => []),
        covers: () => false,
        findStation: (id) => memory.find("navitia", id),
      },
    ],
    clock,
    timezones: () => Promise.resolve(() => "Europe/Paris"),
    timetabled,
  });
  return {
    navitia,
    lines: createFindLines(list),
    stations: async (providers: TransitProvider[] | undefined) => {
      const wish = {
        ...NO_WALKS,
        strict: false,
        modes: undefined,
        language: undefined,
        debug: false,
      };
      const question = { ...HERE, radius: 1_000, limit: 200, ...wish, providers };
      const { body } = await transport({ question, ...TIMING });
      return body.results.stations;
    },
    departures: async () => {
      const wish = { within: 60, limit: 20, modes: undefined, lines: undefined };
      const question = {
        ...HERE,
        radius: 1_000,
        ...wish,
        language: undefined,
        debug: false,
        ...NO_WALKS,
      };
      const { body } = await departures.nearby({ question, ...TIMING });
      return body.results.departures;
    },
    board: async (station_id: string) => {
      const wish = { within: 60, limit: 20, modes: undefined, lines: undefined };
      const question = { station_id, arrivals: false, ...wish, language: undefined, debug: false };
      const reply = await departures.station({ question, ...TIMING });
      assert.ok(!("kind" in reply), station_id);
      return reply.body;
    },
  };
}

const SETS: readonly (readonly [string, TransitProvider[] | undefined])[] = [
  ["none named", undefined],
  ["navitia", ["navitia"]],
  ["transitland", ["transitland"]],
  ["gtfs", ["gtfs"]],
  ["navitia and transitland", ["navitia", "transitland"]],
  ["all", ["navitia", "transitland", "gtfs"]],
];

describe("a station has one id, name and place", () => {
  for (const [what, providers] of SETS)
    test(`providers: ${what}`, async () => {
      const { stations } = town();
      const facts = (await stations(["gtfs"])).map(({ id, name, location }) => [
        id,
        name,
        location,
      ]);
      assert.ok(facts.length > 1);
      const match = await stations(providers);
      assert.deepEqual(
        match.map(({ id, name, location }) => [id, name, location]),
        facts,
      );
      // Whichever is asked, the service has live data of these, and no alerts.
      for (const { realtime, alerts } of match)
        assert.deepEqual([realtime.available, alerts.available], [true, false]);
      // And each source names its true provider.
      const request = providers ?? ["navitia"];
      for (const { sources } of match)
        assert.deepEqual(
          sources.map(({ provider }) => provider),
          request,
        );
    });

  test("stations of departures and lines are those of every search", async () => {
    const { stations, departures, lines } = town();
    const listed = [
      ...(await departures()).map(({ station }) => station.id),
      ...lines({ ...HERE, radius_m: 1_000 }, NOW_MS).items.flatMap(
        ({ station_ids }) => station_ids,
      ),
    ];
    assert.ok(new Set(listed).size > 1);
    for (const [what, providers] of SETS) {
      const ids = new Set((await stations(providers)).map(({ id }) => id));
      for (const id of listed) assert.ok(ids.has(id), `${what}: ${id}`);
    }
  });

  test("a station is as far away in departures as in every search for stations", async () => {
    const { stations, departures } = town();
    const board = new Map((await departures()).map(({ station }) => [station.id, station]));
    assert.ok(board.size > 0);
    for (const [what, providers] of SETS) {
      const match = new Map((await stations(providers)).map((each) => [each.id, each]));
      for (const [id, station] of board)
        assert.equal(match.get(id)?.distance_meters, station.distance_meters, `${what}: ${id}`);
    }
  });

  test("opposite poles that the timetable has in one station are it, with two platforms", async () => {
    const { departures, stations } = town();
    const all = await departures();
    const own = all.filter(({ station }) => station.name === "Central");
    assert.deepEqual(
      own.map(({ platform }) => platform?.planned),
      ["A", "B"],
    );
    assert.equal(new Set(own.map(({ station }) => station.id)).size, 1);
    const matches = (await stations(undefined)).filter(({ name }) => name === "Central");
    assert.deepEqual(
      matches.map(({ id }) => id),
      [own[0]!.station.id],
    );
  });

  test("the id that earlier answers gave a station leads to its departures, under its id of now", async () => {
    const { departures, navitia, board } = town();
    const [first] = await departures();
    const { station } = first!;
    const earlier = navitia.find(({ name }) => name.startsWith(station.name))!;
    const before = transitId(earlier.source);
    assert.notEqual(before, station.id);
    for (const id of [before, station.id]) {
      const body = await board(id);
      assert.deepEqual([body.station.id, body.station.name], [station.id, station.name]);
      assert.ok(body.total > 0);
    }
  });
});

describe("without a timetable", () => {
  test("ids are those of the leading provider", async () => {
    const clock = createManualClock(NOW_MS);
    const finders = [lookupOf("navitia", describedBy("navitia", 25, " (Paris)"))];
    const transport = createTransport({ finders, clock, timetabled: () => [] });
    const none = { modes: undefined, language: undefined, debug: false, providers: undefined };
    const wish = { ...NO_WALKS, strict: false, ...none };
    const question = { ...HERE, radius: 1_000, limit: 200, ...wish };
    const { body } = await transport({ question, ...TIMING });
    for (const { id, sources, realtime } of body.results.stations) {
      assert.equal(id, transitId(sources[0]!));
      assert.equal(realtime.available, null);
    }
  });
});
