/** A feed store that forgets: the reference of the conformance suite, and what other tests use. */
import type { FeedMemo, FeedStore } from "#ports.ts";

export function createMemoryFeedStore(): FeedStore {
  const memos = new Map<string, FeedMemo>();
  return {
    listMemos: () => [...memos.values()].map(copy),
    putMemo: (memo) => void memos.set(memo.source_id, copy(memo)),
    close() {},
  };
}

/** Stores values: later changes to the caller's object do not reach them. */
function copy(memo: FeedMemo): FeedMemo {
  return { ...memo, box: memo.box && { ...memo.box } };
}
