/** A world that another thread shows: after each change it says of every station and vehicle what the first one does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { modeMask } from "#stations/shard/bits.ts";
import { type HandedChange, WorldGiver, WorldTaker } from "#world/handed-world.ts";
import { copyOf, PageRenderer } from "#world/render.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { createWorld, type World } from "#world/world.ts";
import { deploy } from "../../support/answers.ts";
import { aShard, aStation, aVehicle, HERE } from "../../support/domain.ts";
import { doubles, play } from "../../support/doubles.ts";
import { createMemoryBridges } from "../../support/memory.ts";
import { sized } from "../../support/size.ts";

/** As a message between threads carries it: shared memory is not copied. */
function carry(change: HandedChange): HandedChange {
  return structuredClone(change);
}

function render(world: World, now_ms: number): string {
  const query = { circle: { ...HERE, radius_m: 400 }, modes: modeMask(["bicycle", "scooter"]) };
  const systems: SystemEntry[] = [];
  world.covering(query.circle, systems);
  const renderer = new PageRenderer();
  const write = (kind: { stations: boolean; vehicles: boolean }): string => {
    const { items } = world.search(systems, { ...query, ...kind, now_ms });
    return copyOf((use) => renderer.render(items, { before: "", alerts: "[]" }, use)).toString();
  };
  return write({ stations: true, vehicles: false }) + write({ stations: false, vehicles: true });
}

test("a world that is handed over piece by piece shows the same as the first one", async () => {
  let merged = 0;
  await fc.assert(
    fc.asyncProperty(doubles, fc.infiniteStream(fc.boolean()), async (made, turns) => {
      const deployment = deploy({
        identity: { bridges: createMemoryBridges(), overrides: { always: [], never: [] } },
        refresh: () => () => Promise.resolve({ status: "ok", cache: "miss" }),
      });
      const giver = new WorldGiver(deployment.world);
      const follower = createWorld();
      const taker = new WorldTaker(follower);
      await play(made, deployment, () => {
        // What is notified may be of one change or of several.
        if (turns.next().value === true) return;
        const change = giver.changes();
        if (change) taker.take(carry(change));
        const late = createWorld();
        new WorldTaker(late).take(carry(giver.all()));
        const now_ms = deployment.clock.now();
        const first = render(deployment.world, now_ms);
        merged += first.split('"merged"').length - 1;
        assert.equal(render(follower, now_ms), first);
        assert.equal(render(late, now_ms), first, "a thread that begins later");
        assert.equal(follower.isSurveyed(), deployment.world.isSurveyed());
      });
    }),
    { numRuns: sized(15, 200) },
  );
  assert.ok(merged > 50, `${merged} merged stations`);
});

test("what is not known of a system is handed over as such, and nothing twice", () => {
  const world = createWorld();
  const giver = new WorldGiver(world);
  const follower = createWorld();
  const taker = new WorldTaker(follower);
  const hand = (): string[] => {
    const change = giver.changes();
    return change === null ? [] : taker.take(carry(change));
  };
  world.register({ source_id: "a", country: "FR" });
  world.registerUnread({ source_id: "list", name: "the list" });
  assert.deepEqual(hand(), ["a", "list"]);
  assert.deepEqual(hand(), []);
  assert.deepEqual(
    follower.unsurveyed(["FR"]).map(({ source_id }) => source_id),
    ["a", "list"],
  );
  world.noteUnread("list", "unreachable");
  assert.deepEqual(hand(), ["list"]);
  assert.equal(follower.find("list")?.unread?.problem, "unreachable");
  world.suspect("a", "nowhere");
  assert.deepEqual(hand(), ["a"]);
  assert.equal(follower.find("a")?.lost, true);
  world.setBox("list", null);
  world.put(aShard({ id: "a", stations: [aStation("1")], vehicles: [aVehicle("v")] }));
  hand();
  assert.equal(follower.isSurveyed(), true);
  const statics = follower.find("a")?.shard?.statics;
  const live = world.find("a")!.shard!;
  world.put({ ...live, alerts: { data: null, live: null } });
  assert.deepEqual(hand(), ["a"]);
  assert.equal(follower.find("a")?.shard?.statics, statics, "packs that stay are the same objects");
});
