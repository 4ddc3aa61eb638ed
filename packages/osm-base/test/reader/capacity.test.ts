/** What a machine has: the less of its memory and a container's, and a disk that may be unknown. */
import assert from "node:assert/strict";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { measureCapacity } from "../../reader/capacity.ts";

test("the memory of a container counts where it is less, and where it is bounded at all", async (t) => {
  for (const [stated, memory_bytes] of [
    [0, totalmem()],
    [2 ** 53, totalmem()],
    [1_000_000, 1_000_000],
  ] as const) {
    t.mock.method(process, "constrainedMemory", () => stated);
    assert.equal((await measureCapacity(tmpdir())).memory_bytes, memory_bytes);
  }
});

test("the disk of a folder that is not there is unknown", async () => {
  assert.ok((await measureCapacity(tmpdir())).disk_bytes! > 0);
  assert.equal((await measureCapacity(join(tmpdir(), "no-such-folder"))).disk_bytes, null);
});
