/** What every FeedStore does (ports.ts). */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { FeedMemo, FeedStore } from "#ports.ts";

export const MEMO: FeedMemo = {
  source_id: "yego paris",
  url: "https://a.example/gbfs.json?key=1",
  box: { south: -17.5, west: 179.25, north: -16.125, east: -179.5 },
  surveyed_at_ms: 1_790_000_000_123,
  entity_count: 11_849,
};

/** `open` gives a fresh store; `reopen` the same one after a restart, where there is one. */
export type Opened = { store: FeedStore; reopen?: () => FeedStore };

export function feedStoreSuite(
  name: string,
  { open, durable }: { open: (t: TestContext) => Opened; durable: boolean },
): void {
  test(`${name}: empty at first`, (t) => {
    assert.deepEqual(open(t).store.listMemos(), []);
  });

  test(`${name}: returns what was put, to the bit`, (t) => {
    const { store } = open(t);
    const nowhere: FeedMemo = { ...MEMO, source_id: "voi_V'Lônes", box: null, entity_count: 0 };
    const { box } = MEMO;
    const parted: FeedMemo = {
      ...MEMO,
      source_id: "parted",
      areas: [box!, { ...box!, south: -18 }],
    };
    store.putMemo(MEMO);
    store.putMemo(nowhere);
    store.putMemo(parted);
    const matches = new Map(store.listMemos().map((memo) => [memo.source_id, memo]));
    assert.deepEqual(matches.get(MEMO.source_id), MEMO);
    assert.deepEqual(matches.get(nowhere.source_id), nowhere);
    assert.deepEqual(matches.get("parted"), parted);
    assert.equal(matches.size, 3);
  });

  test(`${name}: the last memo of a system counts`, (t) => {
    const { store } = open(t);
    store.putMemo(MEMO);
    const moved: FeedMemo = { ...MEMO, url: "https://b.example/", box: null, surveyed_at_ms: 1 };
    store.putMemo(moved);
    assert.deepEqual(store.listMemos(), [moved]);
  });

  test(`${name}: keeps values, not the caller's objects`, (t) => {
    const { store } = open(t);
    const memo: FeedMemo = { ...MEMO, box: { ...MEMO.box! } };
    store.putMemo(memo);
    memo.box!.south = 0;
    store.listMemos()[0]!.box!.north = 0;
    assert.deepEqual(store.listMemos(), [MEMO]);
  });

  if (!durable) return;
  test(`${name}: keeps memos over a restart`, (t) => {
    const { store, reopen } = open(t);
    store.putMemo(MEMO);
    assert.deepEqual(reopen!().listMemos(), [MEMO]);
  });
}
