/** Unknown is null or absent, never 0 and never "" (decisions, Conventions; R4). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { StationStatus, VehicleInfo } from "#stations/entities.ts";
import { ask, deploy } from "../../support/answers.ts";
import { aShard, aStation, aStatus, aVehicle, forAllAsync, NOW_S } from "../../support/domain.ts";

const count = fc.nat({ max: 50 });
const full = fc.record({
  vehicles: count,
  docks: count,
  disabled_vehicles: count,
  disabled_docks: count,
  electric: count,
  is_installed: fc.constant(true),
  is_renting: fc.boolean(),
  is_returning: fc.boolean(),
  last_reported_s: fc.integer({ min: NOW_S - 3600, max: NOW_S }),
});
const LIVE = [
  "vehicles",
  "docks",
  "disabled_vehicles",
  "disabled_docks",
  "electric",
  "is_installed",
  "is_renting",
  "is_returning",
] as const satisfies readonly (keyof StationStatus)[];

async function stationOf(statuses: StationStatus[] | null, capacity: number | null = null) {
  const shard = aShard({ stations: [aStation("s", { capacity })], statuses });
  return (await ask(deploy({ shards: [shard] }))).results.stations[0]!;
}

test("R4: whatever subset of the live members is missing, each is null, and the rest as published", async () => {
  const dropped = fc.subarray([...LIVE, "last_reported_s" as const]);
  await forAllAsync(
    fc.asyncProperty(full, dropped, async (input, missing) => {
      const gone = Object.fromEntries(missing.map((key) => [key, null]));
      const { availability } = await stationOf([aStatus("s", { ...input, ...gone })]);
      for (const key of LIVE)
        assert.equal(availability[key], missing.includes(key) ? null : input[key], key);
      assert.equal(availability.last_reported === null, missing.includes("last_reported_s"));
      const total = missing.includes("vehicles") ? null : { bicycle: input.vehicles };
      assert.deepEqual(availability.by_mode, total);
    }),
    200,
  );
});

test("R9: whatever is missing, nothing that depends on it is said to be possible or impossible", async () => {
  const needs = {
    pickup: ["vehicles", "is_installed", "is_renting"],
    return: ["docks", "is_installed", "is_returning"],
  } as const;
  const key = fc.constantFrom(...LIVE);
  await forAllAsync(
    fc.asyncProperty(key, async (missing) => {
      const { action_state } = await stationOf([aStatus("s", { [missing]: null })]);
      for (const action of ["pickup", "return"] as const) {
        const blind = (needs[action] as readonly string[]).includes(missing);
        assert.equal(action_state?.[action], blind ? "unknown" : "available_now");
      }
    }),
  );
});

test("R4: a capacity that no source states is null, not the sum of counts", async () => {
  assert.equal((await stationOf([aStatus("s")])).capacity, null);
  assert.equal((await stationOf([aStatus("s")], 12)).capacity, 12);
});

test("a station whose file of counts was never read says so with null, in full", async () => {
  for (const statuses of [null, []]) {
    const { availability, data_class } = await stationOf(statuses);
    assert.equal(data_class, "static");
    assert.equal(Object.keys(availability).length, 11);
    for (const [key, value] of Object.entries(availability)) assert.equal(value, null, key);
  }
});

test("a vehicle without a name has its brand's; flags that are unknown are not taken for false", async () => {
  const change = fc.record({
    name: fc.option(fc.constantFrom("Bike 7", 'Ça "va"')),
    is_reserved: fc.option(fc.boolean()),
    is_disabled: fc.option(fc.boolean()),
  });
  await forAllAsync(
    fc.asyncProperty(change, async (info: Partial<VehicleInfo>) => {
      const shard = aShard({ vehicles: [aVehicle("v", info)] });
      const { source } = (await ask(deploy({ shards: [shard] }))).results.vehicles[0]!;
      assert.equal(source.name, info.name ?? "Network sys bike");
      const { is_reserved, is_disabled } = info;
      const value =
        is_reserved || is_disabled
          ? "unavailable_now"
          : is_reserved === null || is_disabled === null
            ? "unknown"
            : "available_now";
      assert.equal(source.action_state["pickup"], value);
    }),
  );
});
