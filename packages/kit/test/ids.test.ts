/** Public ids (R11, §2.9): the same key gives the same id everywhere, and no two keys meet. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hash32, stationId, vehicleId } from "../ids.ts";
import { anyId, forAll } from "../../../test/support/domain.ts";

test("R11: golden ids, which must never change: links and datasets out there hold them", () => {
  assert.equal(hash32("abc"), "xj4bnp4pahh6uqkbidpf");
  assert.equal(stationId("gbfs", "velib", "213688169"), "svc_station_t6lbkehrfbiiv2lygkoh");
  assert.equal(vehicleId("lime_paris", "a1b2", 497_222), "svc_vehicle_atgkcga7wvctrrpgfjqu");
});

test("R11: an id is the prefix and 20 characters of base32", () => {
  forAll(
    fc.property(anyId, anyId, anyId, fc.nat(), (source, system, id, window) => {
      assert.match(stationId(source, system, id), /^svc_station_[a-z2-7]{20}$/);
      assert.match(vehicleId(system, id, window), /^svc_vehicle_[a-z2-7]{20}$/);
      assert.equal(stationId(source, system, id), stationId(source, system, id));
    }),
  );
});

test("R11: different keys have different ids; none runs into its neighbour", () => {
  assert.notEqual(stationId("gbfs", "ab", "c"), stationId("gbfs", "a", "bc"));
  assert.notEqual(stationId("gbfs", "a", "b:c"), stationId("gbfs", "a:b", "c"));
  assert.notEqual(vehicleId("a", "1", 23), vehicleId("a", "12", 3));
  const key = fc.tuple(anyId, anyId, anyId);
  forAll(
    fc.property(key, key, (a, b) => {
      const equal = JSON.stringify(a) === JSON.stringify(b);
      assert.equal(stationId(...a) === stationId(...b), equal);
    }),
  );
});

test("R11: a vehicle's id does not outlive its observation window", () => {
  assert.notEqual(vehicleId("sys", "v", 1), vehicleId("sys", "v", 2));
});
