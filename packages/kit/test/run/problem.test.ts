/** Whatever an import threw is one printable line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { problem } from "../../problem.ts";
import { describe, quoted, toProblem } from "../../run/run-problem.ts";

const coded = (code: string, message = "raw"): Error => Object.assign(new Error(message), { code });

const LINES: readonly [error: unknown, line: string][] = [
  [problem("feed: no stops"), "feed: no stops"],
  [coded("ENOENT"), "a.zip: no such file or folder"],
  [coded("EACCES"), "a.zip: not allowed to read it"],
  [coded("EPERM"), "a.zip: not allowed to read it"],
  [coded("EISDIR"), "a.zip: a folder, not a file"],
  [coded("ENOTDIR"), "a.zip: not a folder"],
  [Object.assign(new Error("x"), { name: "AbortError" }), "the import was stopped"],
  [coded("Z_DATA_ERROR"), "a.zip: damaged compressed data"],
  [coded("E_OTHER", "two\nlines"), "a.zip: two?lines"],
  [new Error("odd \u0007 \ud800"), "a.zip: odd ? \ufffd"],
  ["a text\u0000", "a.zip: a text?"],
  [undefined, "a.zip: undefined"],
];

test("each kind of error has its words", () => {
  for (const [error, line] of LINES) assert.equal(describe(error, "a.zip"), line);
});

test("a defect of ours keeps its error, for the log", () => {
  const defect = new TypeError("x of undefined");
  assert.deepEqual(toProblem(defect, "a"), {
    ok: false,
    problem: "a: x of undefined",
    error: defect,
  });
  assert.deepEqual(toProblem(coded("ENOENT"), "a"), {
    ok: false,
    problem: "a: no such file or folder",
  });
});

test("a name is shown up to eighty characters", () => {
  assert.equal(quoted("a".repeat(80)), `'${"a".repeat(80)}'`);
  assert.equal(quoted("a".repeat(81)), `'${"a".repeat(80)}…'`);
  assert.equal(quoted("it's\n\u2028"), `"it's??"`);
});
