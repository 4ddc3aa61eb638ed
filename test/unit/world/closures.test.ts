/** Which alerts close what, and when (R7). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SystemAlert } from "#core/entities.ts";
import { closuresOf, inForce } from "#world/closures.ts";
import { anAlert, aShard, aStation, NOW_S } from "../../support/domain.ts";

test("R7: an alert is in force within any of its windows; start counts, end does not", () => {
  const window = (start_s: number | null, end_s: number | null) => ({ start_s, end_s });
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
  for (const [name, times, expected] of table)
    assert.equal(inForce(anAlert("x", { times }), NOW_S), expected, name);
});

test("R7: only closures close: a system as a whole, or the stations they name", () => {
  const of = (...alerts: SystemAlert[]) =>
    closuresOf(aShard({ stations: [aStation("a"), aStation("b")], alerts }));
  const shape = (alert: SystemAlert) => {
    const closures = of(alert);
    return closures && [closures.system.length, closures.stations.size];
  };
  const closure = { type: "station_closure" };
  const system = { type: "system_closure" };
  assert.equal(shape(anAlert("x", { type: "other", station_ids: ["a"] })), null);
  assert.equal(shape(anAlert("x", { type: null, station_ids: ["a"] })), null);
  assert.deepEqual(shape(anAlert("x", { ...closure, station_ids: ["a", "?"] })), [0, 1]);
  assert.deepEqual(shape(anAlert("x", { ...closure, station_ids: ["a", "b"] })), [0, 2]);
  assert.deepEqual(shape(anAlert("x", closure)), [0, 0]);
  assert.deepEqual(shape(anAlert("x", system)), [1, 0]);
  assert.deepEqual(shape(anAlert("x", { ...system, station_ids: ["a"] })), [0, 1]);
  assert.deepEqual(shape(anAlert("x", { ...system, region_ids: ["r"] })), [0, 0]);
  assert.equal(of(), null);
});
