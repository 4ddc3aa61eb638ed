/** Departures of sources that are asked per question, and the stations that they have named. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DepartureFinding, DepartureQuestion } from "#app/transit/departure-finder.ts";
import type { TransitFinder } from "#app/transit/transit-finder.ts";
import { type DepartureLookup, lookupDepartures } from "#app/transit/lookup-departures.ts";
import { createStationMemory } from "#app/transit/station-memory.ts";
import type { FoundDeparture } from "#transit/schedule/boards.ts";
import { transitId } from "#transit/schedule/schedule-results.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import type { BoardPage, BoardQuery, FoundBoard } from "#providers/transit-departures.ts";
import type { CachedValue, LookupReply } from "#upstream/lookup/ask-source.ts";
import { NOW_MS } from "../../support/domain.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { aDeparture, CENTRE, questionOf, routeOf, stationOf } from "../../support/transit.ts";

const clock = createManualClock(NOW_MS);
const question: DepartureQuestion = {
  ...questionOf(clock),
  isWanted: null,
  edge: null,
  kind: "departures",
  station_id: null,
  station: null,
  from_ms: NOW_MS,
  to_ms: NOW_MS + 90_000,
};

const named = (source_id: string, metres = 0, feed_id: string | null = null): TransitStation =>
  stationOf({ name: source_id, metres, source: { provider: "transitland", source_id, feed_id } });

const departureAt = (planned_ms: number): FoundDeparture =>
  aDeparture({
    source: { provider: "transitland", feed_id: null, trip_id: null, service_date: null },
    key: String(planned_ms),
    planned_ms,
  });
const boardOf = (station: TransitStation, ...times: number[]): FoundBoard => ({
  station,
  departures: times.map(departureAt),
  time_zone: null,
});

type Page = Partial<BoardPage> & { good_ms?: number };
const toRetained = ({ good_ms = 20_000, ...page }: Page): CachedValue<BoardPage> => ({
  value: { boards: [], alerts: [], isCut: false, ...page },
  raw: 3,
  fetched_at_ms: NOW_MS - 500,
  good_until_ms: NOW_MS + good_ms,
});
const ok = (page: Page, cache: "hit" | "miss" = "miss"): LookupReply<BoardPage> => ({
  status: "ok",
  stored: toRetained(page),
  cache,
});

function sourceOf(
  reply: (query: BoardQuery, n: number) => LookupReply<BoardPage>,
  members: Partial<DepartureLookup> = {},
) {
  const requested: BoardQuery[] = [];
  const memory = createStationMemory();
  const finder = lookupDepartures({
    provider: "transitland",
    key: "transitland",
    name: "Transitland",
    ask(query) {
      requested.push(query);
      return Promise.resolve(reply(query, requested.length));
    },
    asked_by: members.stations ? "station" : "either",
    memory,
    ...members,
  });
  return { finder, requested, memory };
}

function stationsOf(stations: readonly TransitStation[], status: "ok" | "timeout" = "ok") {
  const finder: TransitFinder = {
    provider: "transitland",
    key: "transitland",
    covers: () => true,
    find: () =>
      Promise.resolve({
        key: "transitland",
        status,
        reason: status === "ok" ? null : "deadline",
        groups: [stations],
        raw: stations.length,
        calls: 1,
        cache: "miss",
        good_until_ms: status === "ok" ? NOW_MS + 86_400_000 : null,
      }),
  };
  return finder;
}

const EMPTY: Awaited<ReturnType<TransitFinder["find"]>> = {
  key: "transitland",
  status: "ok",
  reason: null,
  groups: [],
  raw: 0,
  calls: 1,
  cache: "miss",
  good_until_ms: NOW_MS + 1,
};

const idsOf = ({ publishers }: DepartureFinding): string[][] =>
  publishers.map((boards) => boards.map(({ station }) => station.source.source_id));

describe("around a point", () => {
  test("one call, in whole minutes; what is later than asked for is left out", async () => {
    const { finder, requested } = sourceOf(() =>
      ok({ boards: [boardOf(named("a"), NOW_MS, NOW_MS + 89_999, NOW_MS + 90_000)] }),
    );
    const match = await finder.find(question);
    const minutes = [...new Set(requested.map(({ to_ms }) => to_ms % 60_000))];
    assert.deepEqual([requested.length, minutes], [1, [0]]);
    const { to_ms, from_ms, station, ...where } = requested[0]!;
    assert.ok(to_ms >= question.to_ms && to_ms < question.to_ms + 60_000);
    assert.deepEqual([from_ms, station], [NOW_MS, null]);
    assert.deepEqual(where, { ...CENTRE, radius_m: 1000, kind: "departures", language: null });
    const board = match.publishers[0]![0]!;
    assert.deepEqual(
      board.departures.map((entry) => entry.read().planned_ms! - NOW_MS),
      [0, 89_999],
    );
    const { status, calls, cache, raw, good_until_ms, isCut, live } = match;
    assert.deepEqual(
      { status, calls, cache, raw, good_until_ms, isCut, live },
      {
        status: "ok",
        calls: 1,
        cache: "miss",
        raw: 3,
        good_until_ms: NOW_MS + 20_000,
        isCut: false,
        live: [],
      },
    );
  });

  test("each feed is a publisher of its own, in an order that stays", async () => {
    const stations = [named("1", 0, "z"), named("2", 0, "a"), named("3", 0, "z")];
    const { finder } = sourceOf(() => ok({ boards: stations.map((one) => boardOf(one, NOW_MS)) }));
    assert.deepEqual(idsOf(await finder.find(question)), [["2"], ["1", "3"]]);
  });

  test("what else is known of the stations is part of their ids", async () => {
    const inRegion = (station: TransitStation): TransitStation => ({
      ...station,
      source: { ...station.source, region: "fr-idf" },
    });
    const { finder } = sourceOf(() => ok({ boards: [boardOf(named("a"), NOW_MS)] }), {
      refine: () => Promise.resolve((stations) => stations.map(inRegion)),
    });
    const match = await finder.find(question);
    assert.equal(match.publishers[0]![0]!.station.source.region, "fr-idf");
    assert.notEqual(finder.findStation(transitId(inRegion(named("a")).source)), null);
    assert.equal(finder.findStation(transitId(named("a").source)), null);
  });

  test("a failure is one, with what is held from before or without", async () => {
    const failure = { status: "timeout", reason: "deadline" } as const;
    const { finder } = sourceOf(() => ({ ...failure, rescue: null }));
    const bare = await finder.find(question);
    assert.deepEqual([bare.status, bare.reason, bare.publishers], ["timeout", "deadline", []]);
    assert.deepEqual([bare.good_until_ms, bare.held_at_ms, bare.calls], [null, null, 1]);
    const rescue = toRetained({ boards: [boardOf(named("a"), NOW_MS)] });
    const { finder: other } = sourceOf(() => ({ ...failure, rescue }));
    const rescued = await other.find(question);
    assert.deepEqual([rescued.status, idsOf(rescued)], ["timeout", [["a"]]]);
    assert.equal(rescued.held_at_ms, NOW_MS - 500);
  });

  test("a part of the world that it does not know is no failure", async () => {
    const { finder } = sourceOf(() => ok({ covered: false }));
    const match = await finder.find(question);
    assert.deepEqual([match.status, match.uncovered, match.publishers], ["ok", true, []]);
  });

  test("it is not asked what it cannot be asked", () => {
    const { finder } = sourceOf(() => ok({}), { kinds: ["departures"] });
    assert.equal(finder.covers(question), true);
    assert.equal(finder.covers({ ...question, kind: "arrivals" }), false);
    assert.equal(sourceOf(() => ok({})).finder.covers({ ...question, kind: "arrivals" }), true);
  });
});

describe("one station after the other", () => {
  const many = Array.from({ length: 12 }, (_, i) => named(`s${i}`, 90 * (12 - i)));

  test("the nearest eight inside the circle, and no more calls", async () => {
    const { finder, requested } = sourceOf(
      ({ station }) => ok({ boards: [boardOf(station!, NOW_MS)] }),
      { stations: stationsOf([...many, named("far", 1_001)]) },
    );
    const match = await finder.find(question);
    assert.deepEqual(
      requested.map(({ station }) => station!.name),
      ["s11", "s10", "s9", "s8", "s7", "s6", "s5", "s4"],
    );
    assert.deepEqual([match.calls, match.isCut, match.raw], [9, true, 24]);
    assert.equal(match.good_until_ms, NOW_MS + 20_000);
  });

  test("where one of them fails, the others are shown and it is said", async () => {
    const { finder } = sourceOf(
      ({ station }, n) =>
        n === 2
          ? { status: "unavailable", reason: "http_500", rescue: null }
          : ok({ boards: [boardOf(station!, NOW_MS)] }),
      { stations: stationsOf(many.slice(9)) },
    );
    const match = await finder.find(question);
    assert.deepEqual([match.status, match.reason], ["unavailable", "http_500"]);
    assert.deepEqual([idsOf(match), match.held_at_ms], [[["s11", "s9"]], null]);
  });

  test("where the stations cannot be found there is a failure, and none is no failure", async () => {
    const { finder, requested } = sourceOf(() => ok({}), { stations: stationsOf([], "timeout") });
    const match = await finder.find(question);
    assert.deepEqual([match.status, match.reason, requested.length], ["timeout", "deadline", 0]);
    const { finder: other } = sourceOf(() => ok({}), { stations: stationsOf([]) });
    const none = await other.find(question);
    assert.deepEqual([none.status, none.publishers, none.isCut], ["ok", [], false]);
  });

  test("of one station as each of its publishers knows it, and of no other", async () => {
    const [one, same] = [named("Port", 0, "bus"), { ...named("PORT", 40, "rail"), name: "Port" }];
    const { finder, requested } = sourceOf(
      ({ station }) => ok({ boards: [boardOf(station!, NOW_MS)] }),
      { stations: stationsOf([...many, one, same]) },
    );
    const groups = { find: () => Promise.resolve({ ...EMPTY, groups: [[...many, one], [same]] }) };
    const grouped = sourceOf(({ station }) => ok({ boards: [boardOf(station!, NOW_MS)] }), {
      stations: { ...stationsOf([]), ...groups },
    });
    // As a timetable knows it, whose id answers give, too.
    const own_station = stationOf({
      name: "Port",
      modes: ["rail", "bus"],
      source: { feed_id: "own" },
    });
    for (const station of [same, one, own_station]) {
      const station_id = transitId(station.source);
      const match = await grouped.finder.find({ ...question, station_id, station });
      assert.deepEqual(idsOf(match), [["Port"], ["PORT"]]);
    }
    assert.equal(grouped.requested.length, 6);
    const station = named("another", 50, "bus");
    await finder.find({ ...question, station_id: "svc_transport_station_another", station });
    assert.equal(requested.length, 0);
  });
});

describe("of one station", () => {
  const entry = named("known", 5, "f");
  const station_id = transitId(entry.source);

  test("it is asked about alone where it is all there is; one that is not remembered is not", async () => {
    const { finder, requested, memory } = sourceOf(() => ok({}));
    memory.remember("transitland", [entry]);
    await finder.find({ ...question, station_id });
    await finder.find({ ...question, station_id: "svc_transport_station_another" });
    assert.deepEqual(
      requested.map(({ station }) => station?.name ?? null),
      ["known", null],
    );
  });

  test("a source that knows circles only is asked about its circle", async () => {
    const { finder, requested, memory } = sourceOf(() => ok({}), { asked_by: "circle" });
    memory.remember("transitland", [entry]);
    await finder.find({ ...question, station_id });
    assert.equal(requested[0]!.station, null);
  });
});

describe("the memory of stations", () => {
  test("by public id and source, with where they are and without their lines", () => {
    const memory = createStationMemory();
    const station = { ...named("a", 7), routes: [routeOf("1")] };
    memory.remember("navitia", [station]);
    const id = transitId(station.source);
    assert.deepEqual(memory.find("navitia", id), { ...station, routes: [], operators: [] });
    assert.equal(memory.find("motis", id), null);
    assert.equal(memory.find("navitia", "svc_transport_station_x"), null);
  });

  test("the one that was used least recently is forgotten first", () => {
    const memory = createStationMemory(2);
    const idOf = (source_id: string): string => transitId(named(source_id).source);
    memory.remember("n", [named("a"), named("b")]);
    assert.notEqual(memory.find("n", idOf("a")), null);
    memory.remember("n", [named("c")]);
    assert.deepEqual(
      ["a", "b", "c"].map((source_id) => memory.find("n", idOf(source_id)) !== null),
      [true, false, true],
    );
  });
});
