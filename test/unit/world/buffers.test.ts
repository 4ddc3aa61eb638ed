/** The buffer that answers are rendered into. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ensureRoom, returnBuffer, takeBuffer } from "#world/buffers.ts";

test("two buffers in use at once are two", () => {
  const [a, b] = [takeBuffer(), takeBuffer()];
  assert.ok(a.buffer !== b.buffer);
  returnBuffer(a);
});

test("a returned buffer is the next one taken, and is then in use", () => {
  const a = takeBuffer();
  returnBuffer(a);
  assert.ok(takeBuffer() === a);
  assert.ok(takeBuffer() !== a);
});

test("a buffer with room is kept; one without grows, keeps its bytes and is returned", () => {
  const small = takeBuffer();
  assert.ok(ensureRoom(small, small.length - 10, 10) === small);
  small.write("hello");
  const big = ensureRoom(small, 5, small.length);
  assert.ok(big.length >= small.length + 5);
  assert.equal(big.toString("utf8", 0, 5), "hello");
  assert.ok(takeBuffer() === small);
  returnBuffer(big);
  assert.ok(takeBuffer() !== big, "a grown buffer is not kept");
});
