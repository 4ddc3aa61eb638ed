/** What pages of bases take of the machine's memory, in a process of its own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClock } from "#process/clock.ts";
import { PageCache } from "#upstream/bases/page-cache.ts";
import { createSlot } from "#upstream/bases/page-slot.ts";

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("what goes from memory is collected: gigabytes of pages pass through, and little more than the bound is resident", async () => {
  const MB = 1024 * 1024;
  const clock = createClock();
  const cache = new PageCache<Uint8Array>({
    ...{ bytes_max: 64 * MB, clock },
    onFault: (err) => assert.ifError(err),
  });
  const slots = Array.from({ length: 32 }, () =>
    createSlot<Uint8Array>(8 * MB, () => {
      const page = new Uint8Array(new SharedArrayBuffer(8 * MB));
      for (let at = 0; at < page.length; at += 4_096) page[at] = 1;
      return Promise.resolve({ page });
    }),
  );
  const before = process.memoryUsage.rss();
  let most = 0;
  for (let i = 0; i < 400; i++) {
    cache.release((await cache.pin([slots[(i * 7) % 32]!])).pinned);
    await settle();
    most = Math.max(most, process.memoryUsage.rss() - before);
  }
  assert.ok(cache.facts.evictions > 350, `${cache.facts.evictions}`);
  // Three gigabytes have passed. When the runtime collects is its own choice.
  assert.ok(most < 1_000 * MB, `${Math.round(most / MB)} MB`);
});
