/** What the status page makes of a source: how it does, where it is, what 24 hours say. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";

type Health = "bad" | "poor" | "good" | "quiet";
type Slot = { attempts: number; failures: number; state: string; age_s: number | null } | null;
type History = { step_s: number; from: string; slots: Slot[] };
type Point = { lat: number; lon: number };
type Box = { south: number; west: number; north: number; east: number };
type Modules = {
  healthOf(source: object): Health;
  together(healths: Health[]): Health;
  availability(history: History | null): number | null;
  slotHealth(slot: Slot): string;
  listFailures(history: History): { begin_ms: number; end_ms: number; failures: number }[];
  middleOf(source: { areas: Box[] | null; bbox: Box | null }): Point | null;
  listSpots(sources: object[]): (Point & { health: Health; sources: object[] })[];
};

async function load(name: string): Promise<Modules> {
  const url = new URL(`../../../explorer/status/${name}.js`, import.meta.url);
  return (await import(url.href)) as Modules;
}
const { healthOf, together } = await load("health");
const { availability, listFailures, slotHealth } = await load("history");
const { listSpots, middleOf } = await load("places");

const source = (more: object) => ({ state: "ok", problem: null, error_rate_5m: 0, ...more });
const FROM = "2026-11-13T12:15:00Z";

test("a source that gives nothing fails, one that gives some fails in part, one that is not asked does not fail", () => {
  const cases: [Health, object][] = [
    ["bad", { state: "unavailable", error_rate_5m: 1 }],
    ["bad", { state: "error", error_rate_5m: null }],
    ["poor", { state: "timeout", error_rate_5m: 0.5 }],
    ["poor", { error_rate_5m: 0.1 }],
    ["poor", { timetable: { live: { problem: { word: "too slow" } } } }],
    ["good", {}],
    ["good", { error_rate_5m: null, timetable: { live: null } }],
    ["quiet", { state: "idle", error_rate_5m: 1 }],
    ["quiet", { state: "not_surveyed", error_rate_5m: null }],
    ["quiet", { state: "disabled" }],
    ["quiet", { state: "unavailable", problem: { word: "not configured" } }],
  ];
  for (const [expected, more] of cases)
    assert.equal(healthOf(source(more)), expected, JSON.stringify(more));
  assert.deepEqual(
    [together([]), together(["quiet"]), together(["bad", "quiet"]), together(["bad", "good"])],
    ["quiet", "quiet", "bad", "poor"],
  );
});

test("unknown quarters count for nothing: no attempt is no availability", () => {
  const idle = { attempts: 0, failures: 0, state: "idle", age_s: null };
  assert.equal(availability(null), null);
  assert.equal(availability({ step_s: 900, from: FROM, slots: [null, idle] }), null);
  const slots = [null, idle, { ...idle, attempts: 4, failures: 1, state: "error" }];
  assert.equal(availability({ step_s: 900, from: FROM, slots }), 0.75);
  const states = [null, idle, { ...idle, state: "ok" }, { ...idle, state: "error" }];
  assert.deepEqual(states.map(slotHealth), ["unknown", "quiet", "good", "bad"]);
});

test("failures that follow each other are one period, and all of them are in one", () => {
  const slot = fc.option(
    fc.record({ attempts: fc.constantFrom(0, 4), failures: fc.constantFrom(0, 2) }),
    { nil: null },
  );
  fc.assert(
    fc.property(fc.array(slot, { maxLength: 96 }), (input) => {
      const slots = input.map((each) =>
        each
          ? { ...each, failures: Math.min(each.failures, each.attempts), state: "ok", age_s: null }
          : null,
      );
      const result = listFailures({ step_s: 900, from: FROM, slots });
      const total = slots.reduce((sum, each) => sum + (each?.failures ?? 0), 0);
      assert.equal(
        result.reduce((sum, { failures }) => sum + failures, 0),
        total,
      );
      for (const [i, period] of result.entries()) {
        assert.ok(period.begin_ms < period.end_ms && period.failures > 0);
        if (i > 0) assert.ok(period.end_ms < result[i - 1]!.begin_ms, "the latest first, apart");
      }
    }),
  );
});

test("the middle of an area is in it, also across the antimeridian; half a continent has none", () => {
  const box = { south: -17, west: 179, north: -16, east: -179 };
  assert.deepEqual(middleOf({ areas: [box], bbox: null }), { lat: -16.5, lon: 180 });
  const wide = { south: -40, west: -70, north: 60, east: 140 };
  assert.equal(middleOf({ areas: null, bbox: wide }), null);
  assert.equal(middleOf({ areas: null, bbox: null }), null);
});

test("the sources of a city are one dot, which fails where all that are asked fail", () => {
  const at = (south: number, west: number, more: object) =>
    source({ bbox: null, areas: [{ south, west, north: south + 0.1, east: west + 0.1 }], ...more });
  const bad = { state: "error", error_rate_5m: 1 };
  const spots = listSpots([
    at(45.7, 4.8, bad),
    at(45.75, 4.9, bad),
    at(45.72, 4.8, { state: "idle" }),
    at(59.9, 10.7, bad),
    at(59.9, 10.7, {}),
    at(0, 179.95, {}),
    at(0, -179.95, {}),
    source({ bbox: null, areas: null }),
  ]);
  assert.deepEqual(
    spots.map(({ health, sources }) => [health, sources.length]),
    [
      ["bad", 3],
      ["poor", 2],
      ["good", 2],
    ],
  );
});
