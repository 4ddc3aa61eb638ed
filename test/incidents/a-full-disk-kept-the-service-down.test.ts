/**
 * While the disk was full the service went on answering, and only what it had to keep was refused.
 * But after a crash it did not start again: opening its databases writes a little, and without that
 * little space there was no service at all, while a stranger could fill the disk with searches.
 * Space is now reserved for the start, and datasets leave the last of the disk free.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type FullDiskStory, RESTARTS } from "../support/full-disk-service.ts";
import { NO_SMALL_DISK, runOnSmallDisk } from "../support/small-disk.ts";

const SERVICE = new URL("../support/full-disk-service.ts", import.meta.url);

test(
  "a service killed while its disk is full starts again, and recovers once there is space",
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
    assert.equal(restarts.length, RESTARTS, JSON.stringify(restarts));
    for (const [i, answered] of restarts.entries()) {
      assert.ok(typeof answered === "object", `start ${i}: ${JSON.stringify(answered)}`);
      assert.deepEqual({ ...answered, message: null }, { ...good, search: 503 }, `start ${i}`);
    }
    assert.equal(reread, 200, "what was stored is there");
    assert.deepEqual(room_again, good, "without another start");
    assert.ok(files.includes(`reserve ${4 * 1024 * 1024}`), `for the next start: ${files.join()}`);
  },
);
