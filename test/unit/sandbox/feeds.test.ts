// What the simulated systems publish, held against the specification of each version.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { envelope, SHAPES } from "./gbfs-shapes.ts";
import {
  BASE_MS,
  type Feed,
  getSystem,
  listEntries,
  opener,
  type ReadSystem,
  readSystem,
  type Row,
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

  test("vehicles with a motor state their range, and no clock is ahead", () => {
    for (const system of systems.filter(({ version }) => version !== "1.0")) {
      const motors = new Set(
        (system.feeds.get("vehicle_types")?.data["vehicle_types"] ?? [])
          .filter((type) => type["propulsion_type"] !== "human")
          .map((type) => type["vehicle_type_id"]),
      );
      for (const row of vehiclesOf(system)) {
        assert.equal(
          row["current_range_meters"] !== undefined,
          motors.has(row["vehicle_type_id"]),
          system.id,
        );
        assert.ok(toMs(row["last_reported"]) <= BASE_MS);
      }
      for (const row of statusesOf(system)) assert.ok(toMs(row["last_reported"]) <= BASE_MS);
    }
  });

  test("the world has what a service must cope with", () => {
    const every = (pick: (system: ReadSystem) => Row[]): Row[] => systems.flatMap(pick);
    assert.ok(every(stationsOf).some((row) => row["is_charging_station"] === true));
    assert.ok(
      every(stationsOf).some(
        (row) => row["is_virtual_station"] === true && row["station_area"] !== undefined,
      ),
    );
    assert.ok(every(statusesOf).some((row) => row["num_docks_available"] === null));
    assert.ok(
      every(statusesOf).some(
        (row) => row["is_installed"] === true && row["num_docks_available"] === undefined,
      ),
    );
    assert.ok(
      every(vehiclesOf).some((row) => row["lat"] === undefined && row["station_id"] !== undefined),
    );
    assert.ok(systems.some(({ feeds }) => feeds.has("geofencing_zones")));
    const types = systems.flatMap(
      ({ feeds }) => feeds.get("vehicle_types")?.data["vehicle_types"] ?? [],
    );
    const times = new Set(types.map((type) => type["default_reserve_time"]));
    assert.ok(times.has(0) && times.has(15) && times.has(undefined));
    const names = JSON.stringify(every(stationsOf).map((row) => row["name"]));
    for (const sign of ["桜見台", "Źródlana", "Großbeeren", "Ñandú", "São"])
      assert.ok(names.includes(sign), sign);
  });

  test("a closure is in force, another is over, a third is to come", () => {
    const alerts =
      systems.find(({ id }) => id === "new-york-hudson-wheels")?.feeds.get("system_alerts")?.data[
        "alerts"
      ] ?? [];
    const closures = alerts.filter((alert) => alert["type"] === "station_closure");
    const moment = BASE_MS / 1000;
    const state = closures.map((alert) => {
      const [span] = alert["times"] as { start: number; end: number }[];
      return span && span.end <= moment
        ? "over"
        : span && span.start > moment
          ? "to come"
          : "in force";
    });
    assert.deepEqual(state, ["in force", "over", "to come"]);
  });

  test("a system of several versions publishes each of them under gbfs_versions", async () => {
    for (const [id, wanted] of [
      ["madrid-pedalea", ["2.3", "3.0"]],
      ["new-york-hudson-wheels", ["1.0", "2.3"]],
    ] as const) {
      const system = getSystem(sandbox, id);
      const listed =
        systems.find((read) => read.id === id)?.feeds.get("gbfs_versions")?.data["versions"] ?? [];
      assert.deepEqual(
        listed.map((entry) => entry["version"]),
        wanted,
      );
      for (const entry of listed) {
        const read = await readSystem(system, String(entry["url"]));
        assert.equal(read.version, entry["version"]);
        for (const [name, feed] of read.feeds)
          assert.deepEqual(
            envelope(read.version, SHAPES[read.version]?.[name] ?? (() => ["?"]))(feed, name),
            [],
          );
        const corners = 110 + (id === "madrid-pedalea" ? 0 : 30);
        // Every eleventh corner has two docks.
        assert.equal(stationsOf(read).length, corners + Math.ceil((corners - 5) / 11));
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

const toMs = (time: unknown): number =>
  typeof time === "number" ? time * 1000 : Date.parse(String(time));
