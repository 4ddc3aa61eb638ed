/** R1 and R2: the modes of a type, a station and a system. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Mode, VehicleType } from "../entities.ts";
import { createModeResolver, stationModeMask, stationTypeIds } from "../shard/shard-modes.ts";
import { modesOf } from "../shard/bits.ts";
import { aStation, aStatus, aType } from "../../../test/support/domain.ts";

const BIKE = aType("bike");
const SCOOTER = aType("scooter", { mode: "scooter" });
const SLED = aType("sled", { mode: "other" });

test("R1: the mode of a type id", () => {
  const table: [string, VehicleType[], Mode | null, string | null, Mode][] = [
    ["a known type", [BIKE, SCOOTER], null, "scooter", "scooter"],
    ["unknown id, one mode in the system", [SCOOTER], null, "?", "scooter"],
    ["unknown id, several modes", [BIKE, SCOOTER], null, "?", "other"],
    ["no id, one mode", [BIKE], null, null, "bicycle"],
    ["no id, several modes", [BIKE, SCOOTER], null, null, "other"],
    ["no types file", [], null, null, "bicycle"],
    ["no types file, but the configuration knows", [], "scooter", "?", "scooter"],
    ["a types file beats the hint", [BIKE], "car", null, "bicycle"],
    ["a mode that is none of ours", [SLED], null, "sled", "other"],
  ];
  for (const [name, types, hint, id, mode] of table)
    assert.equal(createModeResolver(types, hint).ofType(id), mode, name);
});

test("R2: a station's modes are those its types name, count 0 included, else the system's", () => {
  const info = aStation("s");
  const named = (type_id: string) => aStatus("s", { by_type: [{ type_id, count: 0 }] });
  const types = [SCOOTER, BIKE, SLED];
  const table: [string, string[], Mode[]][] = [
    ["nothing named", stationTypeIds(info, aStatus("s")), ["bicycle", "scooter"]],
    ["available, count 0", stationTypeIds(info, named("scooter")), ["scooter"]],
    ["docks", stationTypeIds(info, aStatus("s", { dock_type_ids: ["scooter"] })), ["scooter"]],
    [
      "vehicle capacity",
      stationTypeIds({ ...info, vehicle_capacity: [{ type_ids: ["bike"], count: 3 }] }, null),
      ["bicycle"],
    ],
    [
      "dock capacity and available",
      stationTypeIds(
        { ...info, dock_capacity: [{ type_ids: ["bike"], count: 3 }] },
        named("scooter"),
      ),
      ["bicycle", "scooter"],
    ],
    ["only another mode", stationTypeIds(info, named("sled")), []],
  ];
  for (const [name, ids, modes] of table)
    assert.deepEqual(modesOf(stationModeMask(ids, createModeResolver(types, null))), modes, name);
});
