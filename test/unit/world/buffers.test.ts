/** Output buffers: lent to one answer at a time, reused afterwards. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ensureRoom, giveBuffer, takeBuffer } from "#world/buffers.ts";

test("two buffers held at once are two", () => {
  const [a, b] = [takeBuffer(), takeBuffer()];
  assert.ok(a.buffer !== b.buffer);
  giveBuffer(a);
  giveBuffer(b);
});

test("a buffer given back is the next one taken", () => {
  const a = takeBuffer();
  giveBuffer(a);
  assert.ok(takeBuffer() === a);
  giveBuffer(a);
});

test("a buffer with room is kept; one without grows, keeps its bytes and is given back", () => {
  const small = takeBuffer();
  assert.ok(ensureRoom(small, small.length - 10, 10) === small);
  small.write("hello");
  const big = ensureRoom(small, 5, small.length);
  assert.ok(big.length >= small.length + 5);
  assert.equal(big.toString("utf8", 0, 5), "hello");
  assert.ok(takeBuffer() === small);
  giveBuffer(small);
  giveBuffer(big);
  const next = takeBuffer();
  assert.ok(next !== big, "a grown buffer is not kept");
  giveBuffer(next);
});
