/** What is said of a timetable that the disk or the thread did not keep. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "#storage/embedded/database.ts";
import { createEmbeddedTransitStore, type TransitWorker } from "#storage/embedded/transit.ts";

type Reply = Awaited<ReturnType<TransitWorker["send"]>>;

const ORIGIN = { imported_at_ms: 1, etag: null, last_modified: null };

function storeThatReplies(reply: Reply): ReturnType<typeof createEmbeddedTransitStore> {
  const worker: TransitWorker = {
    start: () => undefined,
    send: () => Promise.resolve(reply),
    close: () => Promise.resolve(),
  };
  return createEmbeddedTransitStore(openDatabase(":memory:"), worker);
}

test("a timetable that cannot be stored or read: the error states the reason", async () => {
  const store = storeThatReplies({
    kind: "failed",
    disk_full: false,
    failing: null,
    reason: "database is locked",
  });
  const put = Promise.resolve(store.putFeed("paris", new Uint8Array(1), ORIGIN));
  await assert.rejects(put, /^Error: the timetable paris cannot be stored: database is locked$/);
  const read = Promise.resolve(store.readFeed("paris"));
  await assert.rejects(read, /^Error: the timetable paris cannot be read: database is locked$/);
});

test("a thread that ends before it has replied is the reason", async () => {
  const put = Promise.resolve(storeThatReplies(null).putFeed("paris", new Uint8Array(1), ORIGIN));
  await assert.rejects(put, /paris cannot be stored: its thread ended$/);
});
