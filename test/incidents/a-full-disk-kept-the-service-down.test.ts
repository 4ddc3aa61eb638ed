/**
 * While the disk was full the service went on answering, and only what it had to keep was refused.
 * But after a crash it did not come up again: opening its databases writes a little, and for want of
 * that little there was no service for anybody, while a stranger could fill the disk with searches.
 * Room is now kept for the start, and datasets leave the last of the disk to others.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FullDiskStory } from "../support/full-disk-service.ts";
import { NO_SMALL_DISK, runOnSmallDisk } from "../support/small-disk.ts";

const SERVICE = new URL("../support/full-disk-service.ts", import.meta.url);

test(
  "a service that is killed while its disk is full comes up again, and recovers with the room",
  { skip: NO_SMALL_DISK },
  async () => {
    const story = await runOnSmallDisk<FullDiskStory>(SERVICE, {
      size: "16m",
      at: "sandbox",
    });
    const { with_room, full, restarts, reread, room_again, files } = story;
    const good = { anonymous: 200, keyed: 200, search: 200, message: null };
    assert.deepEqual(with_room, good);
    assert.deepEqual({ ...full, message: null }, { ...good, search: 503 }, "while it runs");
    assert.match(full.message ?? "", /^the disk has no room/, "the true cause is named");
    assert.equal(restarts.length, 3, JSON.stringify(restarts));
    for (const [i, answered] of restarts.entries()) {
      assert.ok(typeof answered === "object", `start ${i}: ${JSON.stringify(answered)}`);
      assert.deepEqual({ ...answered, message: null }, { ...good, search: 503 }, `start ${i}`);
    }
    assert.equal(reread, 200, "what was stored is there");
    assert.deepEqual(room_again, good, "without another start");
    assert.ok(files.includes(`reserve ${4 * 1024 * 1024}`), `for the next start: ${files.join()}`);
  },
);
