/** How errors of stores are written in the log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toLine } from "#storage/error-line.ts";

test("an error is one line", () => {
  assert.equal(toLine(new Error("disk\n  full")), "disk full");
  assert.equal(toLine("no error"), "no error");
});

test("of several addresses, none of which answers, the first one's error is shown", () => {
  const refused = [new Error("connect refused ::1"), new Error("connect refused 127.0.0.1")];
  assert.equal(toLine(new AggregateError(refused, "all failed")), "connect refused ::1");
});

test("an error of several parts without any keeps its own message", () => {
  assert.equal(toLine(new AggregateError([], "all failed")), "all failed");
});
