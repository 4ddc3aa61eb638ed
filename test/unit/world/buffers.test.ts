/** The memory of a renderer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BufferPool } from "#world/buffers.ts";

test("two buffers in use at once are two", () => {
  const pool = new BufferPool();
  const [a, b] = [pool.acquire(), pool.acquire()];
  assert.ok(a.buffer !== b.buffer);
});

test("a released buffer is the next one acquired, and is then in use", () => {
  const pool = new BufferPool();
  const a = pool.acquire();
  pool.release(a);
  assert.ok(pool.acquire() === a);
  assert.ok(pool.acquire() !== a);
});

test("two pools share no buffer", () => {
  const [one, other] = [new BufferPool(), new BufferPool()];
  const a = one.acquire();
  one.release(a);
  assert.ok(other.acquire().buffer !== a.buffer);
});

test("a buffer with room is kept; one without grows, keeps its bytes and is released", () => {
  const pool = new BufferPool();
  const small = pool.acquire();
  assert.ok(pool.ensureRoom(small, small.length - 10, 10) === small);
  small.write("hello");
  const big = pool.ensureRoom(small, 5, small.length);
  assert.ok(big.length >= small.length + 5);
  assert.equal(big.toString("utf8", 0, 5), "hello");
  assert.ok(pool.acquire() === small);
  pool.release(big);
  assert.ok(pool.acquire() !== big, "a grown buffer is not kept");
});
