/** Frames as gzip: each can be read before the next is there, and the whole is one valid coding. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, gunzipSync } from "node:zlib";
import { FrameCoder } from "#http/frame-coder.ts";

const SMALL = ": all is well\n\n";
const LARGE = `data: ${JSON.stringify(Array.from({ length: 3000 }, (_, n) => ({ n, name: "dock" })))}\n\n`;

/** What a reader makes of a coding that goes on. */
function readSoFar(parts: readonly Buffer[]): string {
  const flush = { finishFlush: constants.Z_SYNC_FLUSH };
  return gunzipSync(Buffer.concat(parts), flush).toString();
}

function open() {
  const parts: Buffer[] = [];
  let resolve = (): void => {};
  const coder = new FrameCoder((coded) => {
    parts.push(coded);
    resolve();
  });
  return { parts, coder, coded: () => new Promise<void>((done) => (resolve = done)) };
}

test("small frames are handed back at once, and can be read one by one", () => {
  const { coder, parts } = open();
  for (let n = 1; n <= 3; n += 1) {
    parts.push(coder.code(SMALL) ?? assert.fail());
    assert.equal(readSoFar(parts), SMALL.repeat(n));
  }
  assert.equal(gunzipSync(Buffer.concat([...parts, coder.end()])).toString(), SMALL.repeat(3));
});

test("what is given meanwhile comes behind the large frame, in order", async () => {
  const { coder, parts, coded } = open();
  const done = coded();
  assert.equal(coder.code(LARGE), null);
  assert.equal(coder.code(SMALL), null);
  assert.equal(coder.code("ü\n\n"), null);
  assert.ok(coder.isBusy);
  await done;
  assert.ok(!coder.isBusy);
  const whole = `${LARGE}${SMALL}ü\n\n`;
  assert.equal(readSoFar(parts), whole);
  assert.ok(Buffer.concat(parts).length < LARGE.length / 4);
  const next = coded();
  assert.equal(coder.code(LARGE), null);
  await next;
  assert.equal(gunzipSync(Buffer.concat([...parts, coder.end()])).toString(), whole + LARGE);
});

test("a coding without frames is whole", () => {
  assert.equal(gunzipSync(open().coder.end()).length, 0);
});
