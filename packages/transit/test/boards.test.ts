/** Departures of several publishers at one station: each physical departure once, explained. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Board, earliest, type FoundDeparture, mergeBoards } from "../schedule/boards.ts";
import type { TransitProvider } from "../schedule/station.ts";
import { NOW_MS } from "../../../test/support/domain.ts";
import { aDeparture, routeOf, stationOf } from "../../../test/support/transit.ts";
import { toEnd } from "#kit/steps.ts";

function departureOf(feed_id: string, members: Partial<FoundDeparture> = {}): FoundDeparture {
  return aDeparture({
    source: { provider: "gtfs", feed_id, trip_id: "T", service_date: "2026-11-14" },
    key: JSON.stringify([feed_id, members]),
    route: routeOf("4"),
    headsign: "Belvédère",
    planned_ms: NOW_MS + 60_000,
    realtime: "planned_only",
    ...members,
  });
}

function boardOf(
  feed_id: string,
  departures: readonly FoundDeparture[],
  provider: TransitProvider = "gtfs",
): Board[] {
  const station = stationOf({
    name: "Gare",
    source: { provider, feed_id, source_id: `S-${feed_id}` },
  });
  const entries = departures.map((departure) => ({ ...departure, read: () => departure }));
  return [{ station, departures: entries }];
}

function merge(...publishers: readonly (readonly Board[])[]) {
  return earliest(toEnd(mergeBoards(publishers)), 1_000).map((entry) => entry.read());
}

test("one line in one planned minute to one place is one departure with two sources", () => {
  const match = merge(
    boardOf("a", [departureOf("a")]),
    boardOf("b", [departureOf("b", { planned_ms: NOW_MS + 75_000, headsign: "Belvedere" })]),
  );
  assert.equal(match.length, 1);
  assert.deepEqual(
    match[0]!.sources.map((source) => source.feed_id),
    ["a", "b"],
  );
  assert.equal(match[0]!.headsign, "Belvédère");
});

test("the other direction, another line and another minute are others", () => {
  const others: Partial<FoundDeparture>[] = [
    { headsign: "Gare des Docks" },
    { route: routeOf("5") },
    { planned_ms: NOW_MS + 120_000 },
    { planned_ms: null, expected_ms: NOW_MS + 60_000, status: "added", realtime: "live" },
  ];
  for (const other of others) {
    const match = merge(boardOf("a", [departureOf("a")]), boardOf("b", [departureOf("b", other)]));
    assert.equal(match.length, 2, JSON.stringify(other));
  }
});

test("a destination that is not stated is no objection, and is filled in", () => {
  const match = merge(
    boardOf("a", [departureOf("a", { headsign: null })]),
    boardOf("b", [departureOf("b")]),
  );
  assert.equal(match.length, 1);
  assert.equal(match[0]!.headsign, "Belvédère");
});

test("one publisher is never merged with itself, and each departure is used once", () => {
  const twice = boardOf("a", [departureOf("a"), departureOf("a", { wheelchair: "no" })]);
  assert.equal(merge(twice).length, 2);
  const match = merge(twice, boardOf("b", [departureOf("b")]));
  assert.deepEqual(
    match.map(({ sources }) => sources.length).sort((a, b) => a - b),
    [1, 2],
  );
});

test("the first that is live says what happens, and the leading one the rest", () => {
  const live = departureOf("b", {
    expected_ms: NOW_MS + 180_000,
    realtime: "live",
    observed_ms: NOW_MS,
    wheelchair: "yes",
    alerts: ["b:1"],
    platform: { planned: "1", live: "2" },
  });
  const [match] = merge(boardOf("a", [departureOf("a")]), boardOf("b", [live]));
  assert.equal(match!.expected_ms, NOW_MS + 180_000);
  assert.equal(match!.realtime, "live");
  assert.equal(match!.observed_ms, NOW_MS);
  assert.equal(match!.wheelchair, "yes");
  assert.deepEqual(match!.alerts, ["b:1"]);
  assert.deepEqual(match!.platform, { planned: "1", live: "2" });
  assert.equal(match!.sources[0]!.feed_id, "a");
});

test("in order of what is expected, else planned", () => {
  const match = merge(
    boardOf("a", [
      departureOf("a", { expected_ms: NOW_MS + 600_000, realtime: "live" }),
      departureOf("a", { planned_ms: NOW_MS + 300_000, route: routeOf("9") }),
    ]),
  );
  assert.deepEqual(
    match.map(({ route }) => route.short_name),
    ["9", "4"],
  );
});
