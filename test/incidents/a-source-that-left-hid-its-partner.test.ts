/**
 * Two sources showed the same docks, resolved into one. When the better one's next static file had none
 * of them (it was empty, or the system had moved), only that system was resolved again: the rows of the
 * other stayed hidden behind rows that were gone, and its docks were missing from every answer until its
 * own static file changed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Shard, StationInfo } from "#stations/shards.ts";
import { ask, deploy } from "../support/answers.ts";
import { aShard, aStation, HERE, moved } from "../support/domain.ts";
import { createMemoryBridges } from "../support/memory.ts";

const better = (stations: readonly StationInfo[]): Shard =>
  aShard({ id: "velocite", name: "Vélocité", stations });
const dock = (at = HERE) => aStation("1", { ...at, name: "Gare centrale" });
const other = aShard({
  id: "cb-velocite",
  source: "citybikes",
  name: "Vélocité",
  stations: [aStation("x1", { ...moved(HERE, 4), name: "Gare centrale" })],
});

for (const [how, stations] of [
  ["is empty", []],
  ["has moved away", [dock(moved(HERE, 90_000))]],
] as const)
  test(`docks that a second source shows are listed when the first one ${how}`, async () => {
    const overrides = { always: [], never: [] };
    const running = deploy({
      shards: [better([dock()]), other],
      identity: { bridges: createMemoryBridges(), overrides },
    });
    const show = async (): Promise<unknown[]> =>
      (await ask(running, { include: ["stations"] })).results.stations.map((station) => [
        station.name,
        station["resolution_status"],
        (station["provenance"] as { source_id: string }[]).map(({ source_id }) => source_id),
      ]);
    const merged = [["Gare centrale", "merged", ["velocite:1", "cb-velocite:x1"]]];
    assert.deepEqual(await show(), merged);
    running.world.put(better(stations));
    assert.deepEqual(await show(), [["Gare centrale", "unresolved", ["cb-velocite:x1"]]]);
    running.world.put(better([dock()]));
    assert.deepEqual(await show(), merged);
  });
