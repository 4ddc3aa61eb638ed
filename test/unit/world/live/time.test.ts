/** Systems whose rows time alone does not change are not read again for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LiveReader } from "#world/live/live-rows.ts";
import { mayChangeByTime } from "#world/live/live-time.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { deploy } from "../../../support/answers.ts";
import { forAllAsync } from "../../../support/domain.ts";
import { liveWorlds, playLive } from "../../../support/live-worlds.ts";
import { createMemoryBridges } from "../../../support/memory.ts";

const reader = new LiveReader();
const textsOf = (entry: SystemEntry, at_ms: number): string[] =>
  [...reader.read(entry, at_ms).rows.values()].map(({ text }) => text).toSorted();

test("where nothing may change by time, the rows of a later moment are the same", async () => {
  const seen = { same: 0, others: 0, apart: 0 };
  const waits = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 3, maxLength: 6 });
  await forAllAsync(
    fc.asyncProperty(liveWorlds, waits, async (made, steps) => {
      const identity = {
        bridges: createMemoryBridges(),
        overrides: { always: [], never: [] },
      };
      const deployment = deploy({
        identity,
        refresh: () => () => Promise.resolve({ status: "ok", cache: "miss" }),
      });
      await playLive(made, deployment, () => {
        for (const entry of deployment.world.list()) {
          let from_ms = deployment.clock.now();
          for (const wait_s of steps) {
            const to_ms = from_ms + wait_s * 1000;
            const isSame =
              JSON.stringify(textsOf(entry, from_ms)) === JSON.stringify(textsOf(entry, to_ms));
            if (mayChangeByTime(entry, from_ms, to_ms)) {
              if (isSame) seen.others++;
              else seen.apart++;
            } else {
              assert.ok(isSame, entry.source_id);
              seen.same++;
            }
            from_ms = to_ms;
          }
        }
        return Promise.resolve();
      });
    }),
  );
  assert.ok(seen.same > 100 && seen.apart > 20, JSON.stringify(seen));
});
