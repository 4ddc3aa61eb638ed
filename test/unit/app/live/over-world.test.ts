/**
 * The live hub over drawn worlds: after each step, what subscribers have been reported one event at a time
 * is what a hub reads that has just begun, of systems that merge, part and come back, and of vehicles
 * of two feeds. Some callers are slow, some go away and come again.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Box } from "#kit/geo.ts";
import { createLiveWorld } from "#app/live/live-world.ts";
import { modeMask } from "#stations/shards.ts";
import { deploy } from "../../../support/answers.ts";
import { forAllAsync, HERE } from "../../../support/domain.ts";
import {
  createHub,
  hubOver,
  type LiveCaller,
  nowhere,
  scopeOf,
  poll,
} from "../../../support/live-hub.ts";
import { liveWorlds, playLive } from "../../../support/live-worlds.ts";
import { createMemoryBridges } from "../../../support/memory.ts";

/** Some 100 m, so that things leave it and come back. */
const SMALL: Box = {
  ...{ south: HERE.lat - 0.0009, north: HERE.lat + 0.0003 },
  ...{ west: HERE.lon - 0.0005, east: HERE.lon + 0.0005 },
};
const SCOPES = [
  scopeOf(),
  scopeOf({ box: SMALL }),
  scopeOf({ vehicles: false }),
  scopeOf({ modes: modeMask(["scooter"]) }),
];

/** What each of the callers does at a step: takes events, takes none, goes away, or comes again. */
const doings = fc.array(fc.constantFrom("takes", "takes", "takes", "stops", "goes"), {
  ...{ minLength: 14 * SCOPES.length, maxLength: 14 * SCOPES.length },
});

test("what callers were reported is what a hub reads that has just begun", async () => {
  const seen = { deltas: 0, resumed: 0, merged: 0, moved: 0, gone: 0, source_lost: 0, items: 0 };
  await forAllAsync(
    fc.asyncProperty(liveWorlds, doings, async (made, plan) => {
      const deployment = deploy({
        identity: { bridges: createMemoryBridges(), overrides: { always: [], never: [] } },
        refresh: () => () => Promise.resolve({ status: "ok", cache: "miss" }),
      });
      const { hub, open, settle, put } = hubOver(deployment);
      const callers = new Map<number, LiveCaller>();
      let step = 0;
      const followed = { ...deployment, world: { ...deployment.world, put } };
      await playLive(made, followed, async () => {
        const { clock } = deployment;
        for (const [i, scope] of SCOPES.entries()) {
          const caller = callers.get(i) ?? open({ scope, own: `caller ${i}` });
          callers.set(i, caller);
        }
        await settle();
        // Time changes rows as well: all are read again.
        await clock.advance(16_000);
        await settle();
        const fresh = createHub(createLiveWorld({ ...deployment, countries: nowhere }), { clock });
        for (const [i, scope] of SCOPES.entries()) {
          let caller = callers.get(i)!;
          const doing = plan[step++ % plan.length]!;
          if (doing === "stops") {
            caller.is_slow = true;
            continue;
          }
          if (caller.is_slow && !caller.is_over) caller.drain();
          if (doing === "goes" || caller.is_over) {
            caller = comeAgain(caller, { open, scope, own: `caller ${i}` });
            callers.set(i, caller);
            await settle();
            if (caller.events[0] !== "snapshot") seen.resumed++;
          }
          const polled = await poll(hub, scope, clock.now());
          const expected = await poll(fresh.hub, scope, clock.now());
          assert.ok(polled !== "large" && expected !== "large");
          const { items, sources } = polled;
          assert.equal(JSON.stringify(caller.shown), JSON.stringify({ items, sources }));
          assert.equal(JSON.stringify(items), JSON.stringify(expected.items));
          // A source that had something in the box is followed on.
          for (const source of expected.sources)
            assert.deepEqual(caller.sources.get(source.source_id), source);
          seen.items += expected.items.length;
        }
      });
      for (const { lefts, events } of callers.values()) {
        for (const { reason } of lefts) seen[reason]++;
        seen.deltas += events.filter((event) => event === "delta").length;
      }
    }),
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 1, `${what}: ${count}`);
});

/** Its connection breaks, and it comes again with what it has. */
function comeAgain(
  caller: LiveCaller,
  {
    open,
    ...options
  }: Pick<ReturnType<typeof hubOver>, "open"> & {
    scope: (typeof SCOPES)[number];
    own: string;
  },
): LiveCaller {
  caller.stream.leave();
  const again = open({ ...options, last_event_id: caller.last_event_id });
  for (const [id, item] of caller.items) again.items.set(id, item);
  for (const [id, source] of caller.sources) again.sources.set(id, source);
  return again;
}

test("a system whose place is not known is surveyed first for a stream, and enters when it is", async () => {
  const deployment = deploy();
  const { world, feeds, clock } = deployment;
  world.register({ source_id: "late", country: "FR" });
  world.register({ source_id: "abroad", country: "JP" });
  const { hub, open, settle } = hubOver({
    ...deployment,
    countries: () => Promise.resolve(() => ["FR"]),
  });
  const caller = open();
  await settle();
  assert.deepEqual(feeds.prioritised, ["FR"]);
  await clock.advance(61_000);
  await settle();
  assert.deepEqual(feeds.prioritised, ["FR", "FR"]);
  world.setBox("late", scopeOf().box);
  hub.noteShown("late");
  await clock.advance(2_000);
  await settle();
  assert.equal(caller.sources.get("late")?.state, "waiting");
  assert.ok(feeds.woken.includes("late"));
});
