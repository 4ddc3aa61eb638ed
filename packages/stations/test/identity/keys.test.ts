/** Which keys of two sources may name one station. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isCoordinateKey, stationKey } from "../../identity/station-keys.ts";
import { resolveObservations } from "../../identity/match-stations.ts";
import type { Observation } from "../../identity/observed-station.ts";
import { feedOf, observe } from "./world.ts";

/** Kin, 100 m apart and differently named: only a key makes them one. */
function isBridged(a: Partial<Observation>, b: Partial<Observation>): boolean {
  const feeds = [feedOf("g", "gbfs", ["Hub"]), feedOf("c", "citybikes", ["Hub"])];
  const rows = [
    observe(0, "id-a", {}, { name: "Oak", ...a }),
    observe(1, "id-b", { east_m: 100 }, { name: "Elm", ...b }),
  ];
  return resolveObservations(feeds, rows).clusters.length === 1;
}

test("the known bridges, either way round", () => {
  const rows: [Partial<Observation>, Partial<Observation>][] = [
    [{ id: "7" }, { id: "7" }],
    [{ id: "7" }, { keys: { uid: "7" } }],
    [{ id: "7" }, { keys: { station_id: "7" } }],
    [{ id: "7" }, { keys: { ref: "7" } }],
    [{ id: "7" }, { keys: { legacy_id: "7" } }],
    [{ id: "7" }, { keys: { external_id: "7" } }],
    [{ keys: { short_name: "7" } }, { keys: { short_name: "7" } }],
    [{ keys: { short_name: "7" } }, { keys: { uid: "7" } }],
    [{ keys: { short_name: "7" } }, { keys: { ref: "7" } }],
    [{ keys: { external_id: "7" } }, { keys: { external_id: "7" } }],
    [{ id: "YOS:Station:7" }, { id: "7" }],
    [{ id: " 7" }, { keys: { ref: "7 " } }],
  ];
  for (const [a, b] of rows) {
    assert.equal(isBridged(a, b), true, JSON.stringify([a, b]));
    assert.equal(isBridged(b, a), true, JSON.stringify([b, a]));
  }
});

test("several keys in common are one pair, not several", () => {
  const both = { id: "7", keys: { short_name: "8", external_id: "9" } };
  assert.equal(isBridged(both, both), true);
});

test("keys of different kinds, and empty ones, are no bridge", () => {
  assert.equal(isBridged({}, {}), false);
  assert.equal(isBridged({ keys: { legacy_id: "7" } }, { keys: { short_name: "7" } }), false);
  assert.equal(isBridged({ id: "7" }, { keys: { short_name: "7" } }), false);
  assert.equal(isBridged({ keys: { short_name: "" } }, { keys: { short_name: "" } }), false);
});

test("a codespace is cut off, a colon within a key is not", () => {
  const key = (id: string): string => stationKey(observe(0, id, {}), "id");
  assert.equal(key("YBO:Station:a:b"), "a:b");
  assert.equal(key("hub:7"), "hub:7");
});

test("coordinates are cut off, not rounded, on both sides of zero", () => {
  // md5("1234567,-7654321")
  const id = "6a4c39997de11108e68f9597015b6940";
  assert.equal(isCoordinateKey(id, 1.2345679, -7.6543219), true);
  assert.equal(isCoordinateKey(id, 1.2345689, -7.6543219), false);
  assert.equal(isCoordinateKey("not a digest", 1.2345679, -7.6543219), false);
});
