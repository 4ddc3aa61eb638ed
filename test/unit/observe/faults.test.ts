/** Where defects end: with a stack, save what the disk refuses, which an operator mends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Faults } from "#observe/faults.ts";

test("a full disk is one line that says what to do, without a stack; a defect has its stack", () => {
  const lines: [object, string][] = [];
  const faults = new Faults(() => 0);
  faults.follow({
    error: (entry: object, text: string) => void lines.push([entry, text]),
  } as never);
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  const file = { code: "ENOSPC", syscall: "write", path: "/data/live/x" };
  const defect = new TypeError("x is undefined");
  faults.note("feed velib: not_stored", full);
  faults.note("history", Object.assign(new Error("ENOSPC: no space left"), file));
  faults.note("reader", defect);
  assert.deepEqual(lines, [
    [
      {
        part: "feed velib: not_stored",
        reason:
          "the data folder (VICINITY_DATA_DIR) is on a disk that is full: free space, or name another",
      },
      "not written",
    ],
    [
      {
        part: "history",
        reason: "/data/live/x is on a disk that is full: free space, or name another",
      },
      "not written",
    ],
    [{ part: "reader", err: defect }, "defect"],
  ]);
  assert.equal(faults.count, 3);
});
