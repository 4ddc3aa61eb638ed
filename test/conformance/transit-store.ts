/** What every TransitStore does (ports.ts). */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { TransitStore } from "#ports/transit.ts";

/** `open` gives a fresh store; `reopen` the same one after a restart, where there is one. */
export type OpenedTransit = { store: TransitStore; reopen?: () => Promise<TransitStore> };

const META = { imported_at_ms: 1_790_000_000_123, etag: 'W/"a"', last_modified: null };
const PACK = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7) % 251);

export function transitStoreSuite(
  name: string,
  { open, durable }: { open: (t: TestContext) => OpenedTransit; durable: boolean },
): void {
  test(`${name}: no feeds at first`, async (t) => {
    const { store } = open(t);
    assert.deepEqual(store.listFeeds(), []);
    assert.equal(await store.readFeed("paris"), null);
  });

  test(`${name}: returns what was put, to the byte`, async (t) => {
    const { store } = open(t);
    await store.putFeed("paris", PACK, META);
    assert.deepEqual(store.listFeeds(), [{ feed_id: "paris", version: 1, ...META }]);
    assert.deepEqual(new Uint8Array((await store.readFeed("paris"))!), PACK);
  });

  test(`${name}: the last import of a feed counts, and has another version`, async (t) => {
    const { store } = open(t);
    await store.putFeed("paris", PACK, META);
    await store.putFeed("berlin", PACK.subarray(0, 9), META);
    const again = { imported_at_ms: 1_790_000_100_000, etag: null, last_modified: "now" };
    await store.putFeed("paris", PACK.subarray(1), again);
    assert.deepEqual(store.listFeeds(), [
      { feed_id: "berlin", version: 1, ...META },
      { feed_id: "paris", version: 2, ...again },
    ]);
    assert.deepEqual(new Uint8Array((await store.readFeed("paris"))!), PACK.slice(1));
  });

  test(`${name}: keeps values, not the caller's bytes`, async (t) => {
    const { store } = open(t);
    const pack = PACK.slice();
    await store.putFeed("paris", pack, META);
    pack.fill(0);
    assert.deepEqual(new Uint8Array((await store.readFeed("paris"))!), PACK);
  });

  test(`${name}: of many written and read at once each is its own`, async (t) => {
    const { store } = open(t);
    const packs = Array.from({ length: 20 }, (_, i) => PACK.map((byte) => byte ^ i));
    await Promise.all(packs.map(async (pack, i) => await store.putFeed(`feed-${i}`, pack, META)));
    const read = await Promise.all(packs.map(async (_, i) => await store.readFeed(`feed-${i}`)));
    for (const [i, pack] of packs.entries())
      assert.deepEqual(new Uint8Array(read[i]!), pack, `${i}`);
  });

  const failed = { feed_id: "paris", etag: '"x"', last_modified: null, failures: 2 };
  const attempt = { ...failed, retry_at_ms: 1_790_000_600_000 };

  test(`${name}: knows the last attempt of a feed until it is cleared`, (t) => {
    const { store } = open(t);
    assert.equal(store.findAttempt("paris"), null);
    store.putAttempt({ ...attempt, failures: 1, etag: null });
    store.putAttempt(attempt);
    assert.deepEqual(store.findAttempt("paris"), attempt);
    assert.equal(store.findAttempt("berlin"), null);
    store.clearAttempt("paris");
    assert.equal(store.findAttempt("paris"), null);
  });

  if (!durable) return;
  test(`${name}: keeps attempts over a restart`, async (t) => {
    const { store, reopen } = open(t);
    store.putAttempt(attempt);
    assert.deepEqual((await reopen!()).findAttempt("paris"), attempt);
  });

  test(`${name}: keeps feeds over a restart`, async (t) => {
    const { store, reopen } = open(t);
    await store.putFeed("paris", PACK, META);
    assert.deepEqual(new Uint8Array((await (await reopen!()).readFeed("paris"))!), PACK);
  });
}
