// The truth the simulator reports agrees with what its feeds publish.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import {
  control,
  type ReadSystem,
  readSystem,
  type Row,
  start,
  stationsOf,
  statusesOf,
  vehicleIdOf,
  vehiclesOf,
} from "./reader.ts";

type Truth = {
  kind: string;
  mode: string;
  name: string;
  location: { lat: number; lon: number };
  distance_m: number;
  available: number;
  docks?: number | null;
  capacity?: number;
  is_installed?: boolean;
  is_renting?: boolean;
  is_returning?: boolean;
  is_reserved?: boolean;
  is_disabled?: boolean;
  docked_at?: string | null;
  closed_by_alert?: boolean;
  sources: { source: string; network_id: string; source_id: string }[];
};

const isMobility = ({ kind }: { kind: string }): boolean =>
  kind === "station" || kind === "vehicle";

const truthAt = async (
  sandbox: Sandbox,
  lat: number,
  lon: number,
  radius = 400,
): Promise<Truth[]> =>
  // Services and public transport have tests of their own.
  (
    (await (
      await control(sandbox, "GET", `truth?lat=${lat}&lon=${lon}&radius=${radius}`)
    ).json()) as { things: Truth[] }
  ).things.filter(isMobility);

/** Of a vehicle that an aggregator publishes too, both. */
const publishedIds = ({ kind, sources }: Truth): string[] =>
  sources.slice(0, kind === "vehicle" ? sources.length : 1).map(({ source_id }) => source_id);

describe("truth", () => {
  let sandbox: Sandbox;
  let matches: Match[];
  before(async () => {
    sandbox = await start();
    const systems = await Promise.all(sandbox.gbfsSystems().map((system) => readSystem(system)));
    matches = systems.flatMap((system) => [...stationsFound(system), ...vehiclesFound(system)]);
  });
  after(() => sandbox.close());

  test("it lists what the feeds publish inside the circle, and nothing else", async () => {
    for (const { name, lat, lon } of sandbox.cities())
      for (const [radius, north] of [
        [120, 0],
        [400, 0],
        [900, 0.022],
      ] as const) {
        const at = lat + north;
        const all = await truthAt(sandbox, at, lon, radius);
        // What only CityBikes still lists is no thing of the feeds'.
        const truth = all.filter(({ sources }) => sources[0]?.source === "gbfs");
        const inside = matches.filter((thing) => metres(at, lon, thing.lat, thing.lon) <= radius);
        const byId = new Map(inside.map((thing) => [thing.source_id, thing]));
        assert.deepEqual(truth.flatMap(publishedIds).toSorted(), [...byId.keys()].toSorted(), name);
        for (const thing of truth)
          assert.deepEqual(facts(thing), byId.get(thing.sources[0]?.source_id ?? "")?.facts, name);
      }
  });

  test("the circle reaches over the antimeridian, from both sides", async () => {
    const east = await truthAt(sandbox, -16.832, 180);
    const west = await truthAt(sandbox, -16.832, -180);
    assert.deepEqual(
      east.map((t) => t.sources),
      west.map((t) => t.sources),
    );
    assert.ok(east.some((t) => t.location.lon > 0) && east.some((t) => t.location.lon < 0));
  });

  test("docks that a newer system took over are there once, as both systems list them", async () => {
    const truth = await truthAt(sandbox, -33.796854, 151.288367);
    assert.ok(truth.length >= 8, String(truth.length));
    const published = new Map(matches.map((thing) => [thing.source_id, thing]));
    for (const thing of truth) {
      const [living, retired] = thing.sources.map(({ source_id }) => published.get(source_id)!);
      assert.deepEqual(
        thing.sources.map(({ network_id }) => network_id),
        ["sydney-quayside-next", "sydney-quayside"],
      );
      assert.deepEqual(facts(thing), living!.facts);
      assert.deepEqual([retired!.lat, retired!.lon], [living!.lat, living!.lon]);
      assert.deepEqual([retired!.facts["available"], retired!.facts["is_renting"]], [0, false]);
    }
    const listed = [...published.keys()].filter((id) => id.startsWith("sydney-quayside"));
    assert.equal(listed.length, 2 * truth.length);
  });
});

type Match = { source_id: string; lat: number; lon: number; facts: Row };

function stationsFound(system: ReadSystem): Match[] {
  const statuses = new Map(statusesOf(system).map((row) => [row["station_id"], row]));
  return stationsOf(system).map((row) => {
    const status = statuses.get(row["station_id"]) ?? {};
    return {
      source_id: `${system.id}:${String(row["station_id"])}`,
      lat: Number(row["lat"]),
      lon: Number(row["lon"]),
      facts: {
        kind: "station",
        network_id: system.id,
        name:
          typeof row["name"] === "string"
            ? row["name"]
            : (row["name"] as { text: string }[])[0]?.text,
        capacity: row["capacity"],
        available: status["num_vehicles_available"] ?? status["num_bikes_available"],
        docks: status["num_docks_available"] ?? null,
        is_installed: Boolean(status["is_installed"]),
        is_renting: Boolean(status["is_renting"]),
        is_returning: Boolean(status["is_returning"]),
      },
    };
  });
}

function vehiclesFound(system: ReadSystem): Match[] {
  const stations = new Map(stationsOf(system).map((row) => [row["station_id"], row]));
  return vehiclesOf(system).map((row) => {
    const station = stations.get(row["station_id"]);
    return {
      source_id: `${system.id}:${vehicleIdOf(row)}`,
      lat: Number(row["lat"] ?? station?.["lat"]),
      lon: Number(row["lon"] ?? station?.["lon"]),
      facts: {
        kind: "vehicle",
        network_id: system.id,
        is_reserved: Boolean(row["is_reserved"]),
        is_disabled: Boolean(row["is_disabled"]),
        docked_at: station === undefined ? null : `${system.id}:${String(row["station_id"])}`,
      },
    };
  });
}

/** What truth says, in the words of the two functions above. */
function facts(thing: Truth): Row {
  const network_id = thing.sources[0]?.network_id;
  if (thing.kind === "vehicle") {
    const { kind, is_reserved, is_disabled, docked_at } = thing;
    return { kind, network_id, is_reserved, is_disabled, docked_at };
  }
  const { kind, name, capacity, available, docks, is_installed, is_renting, is_returning } = thing;
  return {
    kind,
    network_id,
    name,
    capacity,
    available,
    docks,
    is_installed,
    is_renting,
    is_returning,
  };
}

/** Another formula than the simulator's: the angle between two vectors. */
function metres(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const vector = (lat: number, lon: number): [number, number, number] => {
    const [a, b] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
    return [Math.cos(a) * Math.cos(b), Math.cos(a) * Math.sin(b), Math.sin(a)];
  };
  const [p, q] = [vector(lat1, lon1), vector(lat2, lon2)];
  const chord = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  return 2 * Math.asin(chord / 2) * 6_371_008.8;
}
