/** Which alerts close what, and when (R7). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SystemAlert } from "#stations/entities.ts";
import { closuresOf } from "#world/closures.ts";
import { anAlert, aShard, aStation, NOW_S } from "../../support/domain.ts";

const STATIONS = [aStation("a"), aStation("b")];
const of = (...alerts: SystemAlert[]) => closuresOf(aShard({ stations: STATIONS, alerts }));
const window = (start_s: number | null, end_s: number | null) => ({ start_s, end_s });

test("R7: an alert is in force within any of its windows; start counts, end does not", () => {
  const table: [string, SystemAlert["times"], boolean][] = [
    ["no window at all", [], true],
    ["since always, for ever", [window(null, null)], true],
    ["from now", [window(NOW_S, null)], true],
    ["until now", [window(null, NOW_S)], false],
    ["around now", [window(NOW_S - 1, NOW_S + 1)], true],
    ["to come", [window(NOW_S + 1, null)], false],
    ["over", [window(NOW_S - 9, NOW_S - 1)], false],
    ["the second window", [window(null, NOW_S - 1), window(NOW_S - 1, null)], true],
  ];
  for (const [name, times, expected] of table) {
    const closures = of(anAlert("x", { type: "system_closure", times }));
    assert.equal(closures!.isSystemClosed(NOW_S), expected, name);
  }
});

test("R7: only closures close: a system as a whole, or the stations they name", () => {
  const shape = (alert: SystemAlert) => {
    const closures = of(alert);
    const rows = STATIONS.filter((_, row) => closures?.isStationClosed(row, NOW_S));
    return closures && [closures.isSystemClosed(NOW_S), rows.length];
  };
  const closure = { type: "station_closure" };
  const system = { type: "system_closure" };
  assert.equal(shape(anAlert("x", { type: "other", station_ids: ["a"] })), null);
  assert.equal(shape(anAlert("x", { type: null, station_ids: ["a"] })), null);
  assert.deepEqual(shape(anAlert("x", { ...closure, station_ids: ["a", "?"] })), [false, 1]);
  assert.deepEqual(shape(anAlert("x", { ...closure, station_ids: ["a", "b"] })), [false, 2]);
  assert.equal(shape(anAlert("x", closure)), null);
  assert.deepEqual(shape(anAlert("x", system)), [true, 0]);
  assert.deepEqual(shape(anAlert("x", { ...system, station_ids: ["a"] })), [false, 1]);
  assert.equal(shape(anAlert("x", { ...system, region_ids: ["r"] })), null);
  assert.equal(of(), null);
});

test("R7: closures follow the clock, forwards and back, window by window", () => {
  const a = anAlert("x", { station_ids: ["a"], times: [window(NOW_S, NOW_S + 10)] });
  const b = anAlert("y", { station_ids: ["b"], times: [window(NOW_S + 10, null)] });
  const closures = of(a, b)!;
  const closed = (now_s: number) => [0, 1].map((row) => closures.isStationClosed(row, now_s));
  const shard = aShard({ stations: STATIONS, alerts: [a, b] });
  assert.equal(shard.statics.count, 2);
  for (const [after_s, expected] of [
    [-0.5, [false, false]],
    [0, [true, false]],
    [9.9, [true, false]],
    [10, [false, true]],
    [1e9, [false, true]],
    [3, [true, false]],
    [-1, [false, false]],
  ] as const)
    assert.deepEqual(closed(NOW_S + after_s), expected, `${after_s} s later`);
});
