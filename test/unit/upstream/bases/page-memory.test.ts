/** What pages of bases take of the machine's memory, in a process of its own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createShared } from "#kit/shared-bytes.ts";
import { createClock } from "#process/clock.ts";
import { PageCache } from "#upstream/bases/page-cache.ts";
import { createSlot } from "#upstream/bases/page-slot.ts";

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("what goes from memory is collected and leaves: gigabytes of pages of all sizes pass through, and little more than the bound is resident", async () => {
  const MB = 1024 * 1024;
  const clock = createClock();
  const cache = new PageCache<Uint8Array>({
    ...{ bytes_max: 128 * MB, clock },
    onFault: (err) => assert.ifError(err),
  });
  const slots = Array.from({ length: 32 }, (_, i) => {
    const bytes = (4 + ((i * 11) % 25)) * MB;
    return createSlot<Uint8Array>(bytes, () => {
      const page = createShared(bytes);
      for (let at = 0; at < page.length; at += 4_096) page[at] = 1;
      return Promise.resolve({ page });
    });
  });
  const before = process.memoryUsage.rss();
  let most = 0;
  for (let i = 0; i < 150; i++) {
    cache.release((await cache.pin([slots[(i * 7) % 32]!])).pinned);
    await settle();
    most = Math.max(most, process.memoryUsage.rss() - before);
  }
  assert.ok(cache.facts.evictions > 100, `${cache.facts.evictions}`);
  // Two gigabytes have passed. When the runtime collects is its own choice.
  assert.ok(most < 450 * MB, `${Math.round(most / MB)} MB`);
});
