/**
 * While the disk of a replica was full nothing said so: the log had "the ledger of usage does not
 * answer", every alert was quiet until paying callers were refused (429, as if they asked too much),
 * and the one about usage that waits needed more events than the journal can hold.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FullFolderStory } from "../support/full-folder.ts";
import { NO_SMALL_DISK, runOnSmallDisk } from "../support/small-disk.ts";

const FOLDER = new URL("../support/full-folder.ts", import.meta.url);

test(
  "a full disk is reported with its reason before a caller is refused, and nothing is lost",
  { skip: NO_SMALL_DISK },
  async () => {
    const story = await runOnSmallDisk<FullFolderStory>(FOLDER, { size: "16m", at: "live" });
    const { events, free, floor } = story;
    assert.ok(free[0] > floor && free[1] < floor, `${free.join()} free, the floor is ${floor}`);
    const [away, ...others] = events;
    assert.ok(away?.state === "away");
    assert.deepEqual([away.store, away.reason], ["folder", "full"]);
    assert.match(away.detail, /\/live: .*full/, "the folder is named");
    assert.deepEqual(
      others.map(({ state }) => state),
      ["back"],
      JSON.stringify(events),
    );
    assert.equal(story.account, "store_unavailable full", "no defect");
    assert.ok(story.taken > 1_000 && story.taken < 50_000, `${story.taken} are taken meanwhile`);
    assert.ok(story.filled > 0.9, `the journal was ${story.filled} full when it took no more`);
    assert.equal(story.isOld, true);
    assert.deepEqual([story.left, story.units], [0, 0], "none is lost, none counts twice");
  },
);
