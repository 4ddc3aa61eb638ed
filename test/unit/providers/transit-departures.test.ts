/** What the sources of departures share: local times, and rows by station within bounds. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createTrail } from "#kit/trail.ts";
import type { FoundDeparture } from "#transit/schedule/boards.ts";
import {
  boardKey,
  type BoardQuery,
  createLocalClock,
  MOST_ROWS,
  toBoards,
} from "#providers/transit-departures.ts";
import { aDeparture, stationOf } from "../../support/transit.ts";

const iso = (at_ms: number | null): string | null =>
  at_ms === null ? null : new Date(at_ms).toISOString().replace(".000Z", "Z");

describe("times without an offset", () => {
  const paris = createLocalClock("Europe/Paris")!;
  const read = (text: string, near: string): string | null => iso(paris(text, Date.parse(near)));

  test("winter and summer, and past midnight", () => {
    assert.equal(read("20261123T081500", "2026-11-23T07:00:00Z"), "2026-11-23T07:15:00Z");
    assert.equal(read("20260723T081500", "2026-07-23T07:00:00Z"), "2026-07-23T06:15:00Z");
    assert.equal(read("20261124T000000", "2026-11-23T22:55:00Z"), "2026-11-23T23:00:00Z");
  });

  test("the hour that comes twice is the one near the question", () => {
    const text = "20261025T023000";
    assert.equal(read(text, "2026-10-25T00:20:00Z"), "2026-10-25T00:30:00Z");
    assert.equal(read(text, "2026-10-25T01:20:00Z"), "2026-10-25T01:30:00Z");
    assert.equal(read("20261025T030000", "2026-10-25T00:20:00Z"), "2026-10-25T02:00:00Z");
    assert.equal(read("20261025T015959", "2026-10-25T02:20:00Z"), "2026-10-24T23:59:59Z");
  });

  test("the hour that does not come is read as before the change", () => {
    assert.equal(read("20260329T023000", "2026-03-29T00:30:00Z"), "2026-03-29T01:30:00Z");
    assert.equal(read("20260329T030000", "2026-03-29T00:30:00Z"), "2026-03-29T01:00:00Z");
  });

  test("what is no time is none, and neither is what is of no zone", () => {
    for (const text of ["", "20261131T081500", "20261123T241500", "20261123T0815", "x", " "])
      assert.equal(paris(text, 0), null, text);
    assert.equal(paris(null, 0), null);
    assert.equal(createLocalClock("Mars/Olympus"), null);
  });

  test("every moment that is written is read again", () => {
    const zones = [
      "Europe/Paris",
      "America/St_Johns",
      "Australia/Lord_Howe",
      "Asia/Kolkata",
      "UTC",
    ];
    const seconds = fc.integer({ min: 946_684_800, max: 4_000_000_000 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), seconds, (zone, at_s) => {
        const format = new Intl.DateTimeFormat("sv-SE", {
          timeZone: zone,
          dateStyle: "short",
          timeStyle: "medium",
        });
        const text = format
          .format(at_s * 1_000)
          .replaceAll(/[-:]/g, "")
          .replace(" ", "T");
        assert.equal(createLocalClock(zone)!(text, at_s * 1_000), at_s * 1_000, `${zone} ${text}`);
      }),
      { numRuns: 100 },
    );
  });
});

const QUERY: BoardQuery = {
  lat: 1,
  lon: 2,
  radius_m: 3,
  kind: "departures",
  from_ms: 1_000,
  to_ms: 2_000,
  language: "fr",
  station: null,
};

test("a question for a station does not depend on the point, one for a circle does", () => {
  const station = stationOf({ source: { source_id: "a", feed_id: "f" } });
  const other = stationOf({ source: { source_id: "a", feed_id: "g" } });
  assert.equal(boardKey(QUERY), boardKey({ ...QUERY, language: null }));
  for (const change of [{ lat: 9 }, { lon: 9 }, { radius_m: 9 }]) {
    assert.notEqual(boardKey(QUERY), boardKey({ ...QUERY, ...change }));
    assert.equal(boardKey({ ...QUERY, station }), boardKey({ ...QUERY, station, ...change }));
  }
  for (const change of [{ from_ms: 9 }, { to_ms: 9 }, { kind: "arrivals" as const }, { station }])
    assert.notEqual(boardKey(QUERY), boardKey({ ...QUERY, ...change }));
  assert.notEqual(boardKey({ ...QUERY, station }), boardKey({ ...QUERY, station: other }));
});

describe("rows become boards", () => {
  const departureOf = (key: string, planned_ms: number): FoundDeparture =>
    aDeparture({
      key,
      planned_ms,
      route: { id: "1", short_name: "1", long_name: null, mode: "bus", operator_id: null },
    });
  const run = (rows: readonly unknown[]) => {
    const trail = createTrail();
    const boards = toBoards(rows, QUERY, {
      read: (row) => ({
        station: stationOf({ source: { source_id: String(row["s"]) }, modes: [] }),
        departure: departureOf(String(row["k"]), Number(row["t"])),
        time_zone: null,
      }),
      trail,
    });
    return { ...boards, dropped: trail.toTrail().dropped };
  };

  test("of the time that was asked for, its beginning included and its end not", () => {
    const { boards } = run([999, 1_000, 1_999, 2_000].map((t) => ({ s: "a", k: t, t })));
    assert.deepEqual(
      boards.map(({ departures }) => departures.map(({ planned_ms }) => planned_ms)),
      [[1_000, 1_999]],
    );
    assert.deepEqual(boards[0]!.station.modes, ["bus"]);
  });

  test("no more rows are looked at, and no more stations kept, than the bounds allow", () => {
    const rows = (count: number, s: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => ({ s: s(i), k: i, t: 1_500 }));
    const many = run(rows(MOST_ROWS + 1, () => "a"));
    assert.equal(many.boards[0]!.departures.length, MOST_ROWS);
    assert.equal(many.isCut, true);
    assert.equal(run(rows(MOST_ROWS, () => "a")).isCut, false);
    const wide = run(rows(201, String));
    assert.deepEqual([wide.boards.length, wide.isCut], [200, true]);
  });
});
