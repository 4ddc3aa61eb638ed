/**
 * Rows of the live map against GET /v1/nearby: in drawn worlds with merged stations, vehicles of two
 * feeds, closures, hours and old documents, whatever a circle lists a map has, with the same words.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Ajv2020 } from "ajv/dist/2020.js";
import { LiveItem, type LiveItemValue } from "#api/live.ts";
import { QUERY_MODES } from "#api/nearby-items.ts";
import type { Box } from "#kit/geo.ts";
import { modesOf } from "#stations/shard/bits.ts";
import {
  LiveReader,
  type LiveReading,
  type LiveRow,
  type LiveRows,
} from "#world/live/live-rows.ts";
import {
  ask,
  deploy,
  type Deployment,
  type Station,
  type Vehicle,
} from "../../../support/answers.ts";
import {
  aShard,
  aStation,
  aStatus,
  aVehicle,
  forAllAsync,
  HERE,
  moved,
  NOW_MS,
  NOW_S,
  pointWithin,
} from "../../../support/domain.ts";
import { liveWorlds, playLive } from "../../../support/live-worlds.ts";
import { createMemoryBridges } from "../../../support/memory.ts";

const settle = (): Deployment =>
  deploy({
    identity: { bridges: createMemoryBridges(), overrides: { always: [], never: [] } },
    refresh: () => () => Promise.resolve({ status: "ok", cache: "miss" }),
  });

const isItem = new Ajv2020({ strict: true, keywords: ["x-stability"] }).compile(LiveItem);
const reader = new LiveReader();

function readAll({ world, clock }: Deployment): LiveRow[] {
  return world.list().flatMap((entry) => [...reader.read(entry, clock.now()).rows.values()]);
}

/** What a map would make of the answers of GET /v1/nearby, by id. */
async function askAll(deployment: Deployment): Promise<Map<string, LiveItemValue>> {
  const { stations, vehicles } = (await ask(deployment)).results;
  const modes = new Map<string, string[]>();
  for (const mode of QUERY_MODES) {
    const { results } = await ask(deployment, { modes: [mode] });
    for (const id of [
      ...results.stations.map((each) => each.id),
      ...results.vehicles.map((each) => each.source_id),
    ])
      modes.set(id, [...(modes.get(id) ?? []), mode]);
  }
  const ordered = (id: string) => modesOf(0b1111).filter((mode) => modes.get(id)!.includes(mode));
  return new Map([
    ...stations.map((each) => [each.id, fromStation(each, ordered(each.id))] as const),
    ...vehicles.map(
      (each) => [each.source_id, fromVehicle(each, ordered(each.source_id))] as const,
    ),
  ]);
}

function fromStation(station: Station, modes: LiveItemValue["modes"]) {
  const { id, location, name, availability, capacity } = station;
  return {
    ...{ id, kind: "station", location, modes, network_id: station.network.id, name },
    ...{ state: station.service_status!.state, pickup: station.action_state!.pickup },
    ...{ return: station.action_state!.return, vehicles: availability.vehicles },
    ...{ docks: availability.docks, capacity },
  } as LiveItemValue;
}

function fromVehicle({ source_id, network_id, source }: Vehicle, modes: LiveItemValue["modes"]) {
  const { location, service_status, action_state, battery, vehicle_type } = source;
  const tens = battery === undefined ? null : Math.floor(battery / 10) * 10;
  return {
    ...{ id: source_id, kind: "vehicle", location, modes, network_id },
    ...{ state: service_status.state, pickup: action_state.pickup },
    ...{ battery: tens, form_factor: vehicle_type?.form_factor ?? null },
  } as LiveItemValue;
}

const NOTHING_SEEN = { stations: 0, vehicles: 0, merged: 0, elsewhere: 0, unknown: 0, closed: 0 };

test("a map has what GET /v1/nearby lists, in the same words", async () => {
  const seen = { ...NOTHING_SEEN, charged: 0, modes: 0, lost: 0 };
  await forAllAsync(
    fc.asyncProperty(liveWorlds, async (made) => {
      const deployment = settle();
      await playLive(made, deployment, async () => {
        const expected = await askAll(deployment);
        const rows = readAll(deployment);
        const ids = rows.map(({ id }) => id);
        assert.deepEqual(ids.toSorted(), [...expected.keys()].toSorted());
        for (const row of rows) {
          const item = expected.get(row.id)!;
          assert.equal(row.text, JSON.stringify(item));
          assert.ok(isItem(item), JSON.stringify(isItem.errors));
          assert.deepEqual({ lat: row.lat, lon: row.lon }, item.location);
          assert.deepEqual(modesOf(row.modes), item.modes);
          assert.equal(row.vehicle, item.kind === "vehicle");
          if (row.vehicle) seen.vehicles++;
          else seen.stations++;
          if (item.state === "unknown") seen.unknown++;
          if (item.state === "unavailable") seen.closed++;
          if ((item.battery ?? 0) > 0) seen.charged++;
          if (item.modes.length > 1) seen.modes++;
        }
        const { world, clock } = deployment;
        for (const entry of world.list()) {
          seen.merged += entry.roles?.cases.roles.count ?? 0;
          seen.elsewhere += entry.vehicle_links?.length ?? 0;
          if (reader.read(entry, clock.now()).lost) seen.lost++;
        }
      });
    }),
  );
  for (const [what, count] of Object.entries(seen))
    if (what !== "modes") assert.ok(count > 20, `${what}: ${count}`);
});

const anyBox: fc.Arbitrary<Box> = fc
  .tuple(pointWithin(HERE, 300), pointWithin(HERE, 300))
  .map(([a, b]) => ({
    south: Math.min(a.lat, b.lat),
    north: Math.max(a.lat, b.lat),
    west: Math.min(a.lon, b.lon),
    east: Math.max(a.lon, b.lon),
  }));

test("a box has of a system what lies in it, and many steps read what one does, whatever is published between them", async () => {
  let between = 0;
  await forAllAsync(
    fc.asyncProperty(
      liveWorlds,
      anyBox,
      fc.integer({ min: 1, max: 4 }),
      async (made, box, rows_max) => {
        const deployment = settle();
        const { world, clock } = deployment;
        let begun: { reading: LiveReading; expected: LiveRows }[] = [];
        await playLive(made, deployment, () => {
          // What began before the last publication.
          for (const { reading, expected } of begun) {
            while (!reading.step(rows_max));
            assert.deepEqual(reading.result(), expected);
            between++;
          }
          begun = world.list().flatMap((entry) =>
            [undefined, box].map((each) => {
              const all = [...reader.read(entry, clock.now()).rows];
              const inside = all.filter(([, row]) => !each || holds(each, row));
              const reading = reader.begin(entry, clock.now(), { box: each });
              if (!each) reading.step(rows_max);
              const { lost } = reader.read(entry, clock.now());
              return { reading, expected: { rows: new Map(inside), lost } };
            }),
          );
        });
      },
    ),
  );
  assert.ok(between > 1_000);
});

function holds({ south, north, west, east }: Box, { lat, lon }: LiveRow): boolean {
  return lat >= south && lat <= north && lon >= west && lon <= east;
}

test("a station that its hours close is said to be closed", async () => {
  const stations = [
    aStation("a", { opening_hours: "Mo-Su 20:00-22:00" }),
    aStation("b", { opening_hours: "24/7" }),
  ];
  const statuses = stations.map(({ id }) => aStatus(id, { last_reported_s: NOW_S - 7_200 }));
  const sketch = { stations, statuses, mode_hint: "bicycle", system: SYSTEM } as const;
  const deployment = deploy({ shards: [aShard(sketch)] });
  const expected = await askAll(deployment);
  const rows = readAll(deployment);
  for (const { id, text } of rows) assert.equal(text, JSON.stringify(expected.get(id)));
  const states = rows.map(({ text }) => (JSON.parse(text) as LiveItemValue).state);
  assert.deepEqual(states.toSorted(), ["operational", "unavailable"]);
});

const SYSTEM = {
  ...{ system_id: "sys", name: "System", short_name: null, operator: null, url: null },
  ...{ timezone: "Etc/UTC", languages: ["en"], license_id: null, license_url: null },
  ...{
    attribution: null,
    attribution_url: null,
    brand: null,
    opening_hours: null,
    terms_url: null,
  },
};

test("a box over the antimeridian has what lies on both of its sides", async () => {
  const at = { lat: -17, lon: 180 };
  const stations = ["east", "seam", "west", "far"].map((id, i) =>
    aStation(id, { ...at, lon: [-179.999, 180, 179.999, 179.9][i]! }),
  );
  const deployment = deploy({ shards: [aShard({ stations, mode_hint: "bicycle" })] });
  const entry = deployment.world.find("sys")!;
  const box = { south: -17, north: -17, west: 179.99, east: -179.99 };
  const rows = [...reader.read(entry, NOW_MS, { box }).rows.values()];
  const names = rows.map(({ text }) => (JSON.parse(text) as LiveItemValue).name!);
  assert.deepEqual(names.toSorted(), ["Station east", "Station seam", "Station west"]);
  const { results } = await ask(deployment, { ...at, radius: 400 });
  for (const { id, location } of results.stations) {
    const { text } = rows.find((row) => row.id === id)!;
    assert.deepEqual((JSON.parse(text) as LiveItemValue).location, location);
  }
  assert.equal(results.stations.length, 3);
});

test("equal things have equal texts, however often they are published", () => {
  const make = (): Map<string, LiveRow> => {
    const { world } = deploy({ shards: [aShard(SKETCH)] });
    return new Map(reader.read(world.find("sys")!, NOW_MS).rows);
  };
  assert.deepEqual(make(), make());
  const { world } = deploy({ shards: [aShard(SKETCH)] });
  const entry = world.find("sys")!;
  const before = reader.read(entry, NOW_MS).rows;
  void world.put(aShard({ ...SKETCH, doc_age_s: 1 }));
  assert.deepEqual(reader.read(entry, NOW_MS).rows, before);
  void world.put(aShard({ ...SKETCH, statuses: [aStatus("a", { vehicles: 4 }), aStatus("b")] }));
  const changed = [...reader.read(entry, NOW_MS).rows].filter(
    ([id, { text }]) => before.get(id)!.text !== text,
  );
  assert.equal(changed.length, 1);
});

const SKETCH = {
  stations: [aStation("a"), aStation("b", moved(HERE, 100))],
  vehicles: [aVehicle("v", { charge: 0.5 }), aVehicle("w", { charge: 0.55 })],
  mode_hint: "bicycle",
} as const;

test("a battery is said in tens, so that a map stays calm", () => {
  const { world } = deploy({ shards: [aShard(SKETCH)] });
  const levels = [...reader.read(world.find("sys")!, NOW_MS).rows.values()]
    .filter(({ vehicle }) => vehicle)
    .map(({ text }) => (JSON.parse(text) as LiveItemValue).battery);
  assert.deepEqual(levels, [50, 50]);
});

test("a system that has not been read has no rows", () => {
  const { world } = deploy({ unloaded: ["sys"] });
  assert.deepEqual(reader.read(world.find("sys")!, NOW_MS), { rows: new Map(), lost: true });
});
