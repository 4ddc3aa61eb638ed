// What the simulated systems publish, held against the specification of each version.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { envelope, SHAPES } from "./gbfs-shapes.ts";
import {
  type Feed,
  getSystem,
  listEntries,
  opener,
  type ReadSystem,
  readSystem,
  start,
  stationsOf,
  statusesOf,
  vehicleIdOf,
  vehiclesOf,
} from "./reader.ts";

describe("the publications of the systems", () => {
  let sandbox: Sandbox;
  let systems: ReadSystem[];
  before(async () => {
    sandbox = await start();
    systems = await Promise.all(sandbox.gbfsSystems().map((system) => readSystem(system)));
  });
  after(() => sandbox.close());

  test("every feed of every system is as its version's specification wants it", () => {
    const complaints: string[] = [];
    for (const { id, version, discovery, feeds } of systems)
      for (const [name, feed] of [["gbfs", discovery] as const, ...feeds]) {
        const shape = SHAPES[version]?.[name];
        if (shape === undefined) complaints.push(`${id}: ${version} has no ${name}`);
        else complaints.push(...envelope(version, shape)(feed, `${id} ${name}`));
      }
    assert.deepEqual(complaints.slice(0, 10), []);
    assert.ok(systems.length >= 36);
    assert.deepEqual(
      new Set(systems.map(({ version }) => version)),
      new Set(["1.0", "2.3", "3.0"]),
    );
  });

  test("the shapes themselves refuse what is not of their version", () => {
    const one = systems.find(({ version }) => version === "1.0");
    const three = systems.find(({ version }) => version === "3.0");
    assert.ok(one && three);
    const asThree = envelope("3.0", SHAPES["3.0"]?.["system_information"] ?? (() => []));
    const asOne = envelope("1.0", SHAPES["1.0"]?.["system_information"] ?? (() => []));
    assert.notDeepEqual(asThree(one.feeds.get("system_information"), "x"), []);
    assert.notDeepEqual(asOne(three.feeds.get("system_information"), "x"), []);
  });

  test("ids are unique and every reference leads somewhere", () => {
    for (const system of systems) {
      const ids = stationsOf(system).map((row) => row["station_id"]);
      const vehicles = vehiclesOf(system);
      const types = (system.feeds.get("vehicle_types")?.data["vehicle_types"] ?? []).map(
        (row) => row["vehicle_type_id"],
      );
      const plans = (system.feeds.get("system_pricing_plans")?.data["plans"] ?? []).map(
        (row) => row["plan_id"],
      );
      assert.equal(new Set(ids).size, ids.length, system.id);
      assert.equal(new Set(vehicles.map(vehicleIdOf)).size, vehicles.length, system.id);
      assert.deepEqual(
        statusesOf(system).map((row) => row["station_id"]),
        ids,
        system.id,
      );
      for (const vehicle of vehicles) {
        if (vehicle["station_id"] !== undefined)
          assert.ok(ids.includes(vehicle["station_id"]), system.id);
        if (system.version === "1.0") continue;
        assert.ok(
          types.includes(vehicle["vehicle_type_id"]) && plans.includes(vehicle["pricing_plan_id"]),
          system.id,
        );
      }
    }
  });
});

describe("one seed, one world", () => {
  test("byte for byte, whatever the port", async (t) => {
    const [a, b, c] = await Promise.all([start(5), start(5), start(6)]);
    t.after(() => Promise.all([a.close(), b.close(), c.close()]));
    const bytes = async (sandbox: Sandbox, id: string): Promise<string> => {
      const system = getSystem(sandbox, id);
      const open = await opener(system);
      const discovery = await (await open(system.url)).text();
      const entries = listEntries(JSON.parse(discovery) as Feed);
      const texts = await Promise.all(entries.map(async ({ url }) => (await open(url)).text()));
      return [discovery, ...texts].join("\n").replaceAll(sandbox.url, "origin");
    };
    for (const { id } of a.gbfsSystems()) assert.equal(await bytes(a, id), await bytes(b, id), id);
    assert.notEqual(await bytes(a, "tokyo-kazemaru"), await bytes(c, "tokyo-kazemaru"));
  });
});
