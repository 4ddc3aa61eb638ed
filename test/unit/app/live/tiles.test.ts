/** Tiles of the live layer equal a loop over all rows: objects, counts, edges, the antimeridian, the poles. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Location } from "#kit/geo.ts";
import { type Deployment, deploy } from "../../../support/answers.ts";
import {
  aShard,
  aStation,
  aStatus,
  aType,
  aVehicle,
  forAllAsync,
  HERE,
  pointWithin,
} from "../../../support/domain.ts";
import {
  type At,
  compareCounts,
  compareThings,
  drawTile,
  listRows,
  tilesOf,
  toTileNumbers,
} from "../../../support/live-tiles.ts";
import { liveWorlds, playLive } from "../../../support/live-worlds.ts";
import { createMemoryBridges } from "../../../support/memory.ts";
import { readMvt } from "../../../support/mvt.ts";

const CENTRES: readonly Location[] = [
  HERE,
  { lat: 0, lon: 0 },
  { lat: -16.5, lon: 180 },
  { lat: 65, lon: -180 },
  { lat: 85.05, lon: 20 },
  { lat: -85.05, lon: -170 },
  { lat: 89.999, lon: 5 },
];

const TYPES = [aType("s", { mode: "scooter", form_factor: "scooter_standing" }), aType("b")];

const worlds = fc.constantFrom(...CENTRES).chain((centre) =>
  fc.array(
    fc.record({
      stations: fc.array(
        fc.record({
          at: pointWithin(centre, 4_000),
          vehicles: fc.constantFrom(null, 0, 3, 250),
          docks: fc.constantFrom(null, 0, 7),
          capacity: fc.constantFrom(null, 12, 300),
          is_installed: fc.constantFrom(true, true, null, false),
          is_renting: fc.constantFrom(true, false, null),
        }),
        { maxLength: 12 },
      ),
      vehicles: fc.array(
        fc.record({
          location: pointWithin(centre, 4_000),
          type_id: fc.constantFrom("s", "b"),
          charge: fc.constantFrom(null, 0, 0.095, 0.7, 1),
          is_disabled: fc.constantFrom(true, false, null),
        }),
        { maxLength: 25 },
      ),
      doc_age_s: fc.constantFrom(5, 400, 1_000, 4_000),
    }),
    { minLength: 1, maxLength: 3 },
  ),
);

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

function open(world: World): Deployment {
  const shards = world.map(({ stations, vehicles, doc_age_s }, n) =>
    aShard({
      id: `s${n}`,
      types: TYPES,
      mode_hint: "bicycle",
      doc_age_s,
      stations: stations.map(({ at, capacity }, i) => aStation(`d${i}`, { ...at, capacity })),
      statuses: stations.map(({ vehicles: count, docks, is_installed, is_renting }, i) =>
        aStatus(`d${i}`, { vehicles: count, docks, is_installed, is_renting }),
      ),
      vehicles: vehicles.map((each, i) => aVehicle(`v${i}`, each)),
    }),
  );
  return deploy({ shards, refresh: () => () => Promise.resolve({ status: "ok", cache: "miss" }) });
}

/** The tiles that have a row, and those around them. */
function tilesAround(points: readonly Location[], z: number): At[] {
  const tiles = new Map<string, At>();
  const most = 2 ** z;
  for (const { lat, lon } of points) {
    const at = toTileNumbers(lat, lon, z);
    if (!Number.isFinite(at.y)) continue;
    for (const [dx, dy] of AROUND) {
      const x = (((Math.floor(at.x) + dx) % most) + most) % most;
      const y = Math.floor(at.y) + dy;
      if (y >= 0 && y < most) tiles.set(`${x}/${y}`, { z, x, y });
    }
  }
  return [...tiles.values()];
}

const AROUND = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));

test("tiles with objects equal a loop over all rows, each in exactly one tile of a zoom", async () => {
  let compared = 0;
  await forAllAsync(
    fc.asyncProperty(worlds, fc.integer({ min: 14, max: 18 }), async (world, z) => {
      const deployment = open(world);
      const rows = listRows(deployment.world, deployment.clock.now());
      const store = tilesOf(deployment);
      const seen = new Map<unknown, number>();
      for (const at of tilesAround(rows, z)) {
        const tile = await drawTile(store, deployment, at);
        assert.deepEqual(compareThings(tile, rows, at), []);
        if (tile.bytes.length === 0) continue;
        for (const [name, layer] of readMvt(tile.bytes)) {
          if (name === "sources") continue;
          for (const { properties, parts } of layer.features) {
            const key = `${name} ${String(properties["id"])}`;
            seen.set(key, (seen.get(key) ?? 0) + 1);
            compared++;
            for (const each of parts[0]![0]!) assert.ok(each >= 0 && each < 4096);
          }
        }
      }
      const onMap = rows.filter(({ lat }) => Math.abs(lat) < 85.0511);
      const keys = new Set(onMap.map(({ item }) => `${item.kind}s ${item.id}`));
      assert.deepEqual(new Set(seen.keys()), keys);
      assert.deepEqual(new Set(seen.values()), keys.size > 0 ? new Set([1]) : new Set());
    }),
    40,
  );
  assert.ok(compared > 100, `${compared} compared`);
});

test("tiles of merged stations, vehicles of two feeds, alerts and old documents equal the rows", async () => {
  let compared = 0;
  await forAllAsync(
    fc.asyncProperty(liveWorlds, async (made) => {
      const deployment = deploy({
        identity: { bridges: createMemoryBridges(), overrides: { always: [], never: [] } },
        refresh: () => () => Promise.resolve({ status: "ok", cache: "miss" }),
      });
      const store = tilesOf(deployment);
      await playLive(made, deployment, async () => {
        const rows = listRows(deployment.world, deployment.clock.now());
        for (const at of tilesAround(rows, 15)) {
          const tile = await drawTile(store, deployment, at);
          assert.deepEqual(compareThings(tile, rows, at), []);
          compared += tile.objects;
        }
        for (const at of tilesAround(rows, 12))
          assert.deepEqual(compareCounts(await drawTile(store, deployment, at), rows, at), []);
      });
    }),
    25,
  );
  assert.ok(compared > 100, `${compared} compared`);
});

test("counts of cells equal a loop over all rows at every zoom below", async () => {
  await forAllAsync(
    fc.asyncProperty(worlds, async (world) => {
      const deployment = open(world);
      const rows = listRows(deployment.world, deployment.clock.now());
      const store = tilesOf(deployment);
      const onMap = rows.filter(({ lat }) => Math.abs(lat) < 85.0511);
      for (const z of [0, 1, 3, 9, 10, 13]) {
        let counted = 0;
        for (const at of tilesAround(rows, z)) {
          const tile = await drawTile(store, deployment, at);
          assert.deepEqual(compareCounts(tile, rows, at), []);
          if (tile.bytes.length === 0) continue;
          for (const name of ["stations", "vehicles"])
            for (const { properties } of readMvt(tile.bytes).get(name)?.features ?? [])
              counted += Number(properties["count"]);
        }
        assert.equal(counted, onMap.length, `zoom ${z}`);
      }
    }),
    25,
  );
});
