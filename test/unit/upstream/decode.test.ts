import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { readDecoded } from "#upstream/decode.ts";
import { within } from "../../support/size.ts";

const MIB = 1024 * 1024;
const TEXT = Buffer.from(
  JSON.stringify({ stations: Array.from({ length: 500 }, (_, id) => ({ id })) }),
);

function read(
  bytes: Uint8Array,
  content_encoding: string | null,
  max_bytes = 64 * MIB,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 1000) pieces.push(bytes.subarray(at, at + 1000));
  return readDecoded(Readable.from(pieces), { content_encoding, max_bytes });
}

test("every coding we accept returns what was sent", async () => {
  const rows: [string | null, Uint8Array][] = [
    [null, TEXT],
    ["", TEXT],
    ["identity", TEXT],
    ["gzip", gzipSync(TEXT)],
    ["X-GZIP", gzipSync(TEXT)],
    ["br", brotliCompressSync(TEXT)],
    ["deflate", deflateSync(TEXT)],
    ["gzip, br", brotliCompressSync(gzipSync(TEXT))],
    ["gzip , gzip", gzipSync(gzipSync(TEXT))],
    ["identity, gzip", gzipSync(TEXT)],
  ];
  for (const [coding, bytes] of rows)
    assert.deepEqual(Buffer.from(await read(bytes, coding)), TEXT, String(coding));
});

test("the result owns its memory", async () => {
  const bytes = await read(Buffer.from("{}"), null);
  assert.equal(bytes.buffer.byteLength, 2);
  structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] });
});

test("unknown, stacked too high, raw, broken or cut off: a bad encoding", async () => {
  const gz = gzipSync(TEXT);
  const br = brotliCompressSync(TEXT);
  const rows: [string, Uint8Array, RegExp][] = [
    ["zstd", TEXT, /BAD_ENCODING/],
    ["constructor", TEXT, /BAD_ENCODING/],
    ["gzip, gzip, gzip", gzipSync(gzipSync(gz)), /BAD_ENCODING/],
    [Array(50).fill("gzip").join(","), gz, /BAD_ENCODING/],
    ["gzip", TEXT, /Z_DATA_ERROR/],
    ["gzip", gz.subarray(0, -10), /Z_BUF_ERROR/],
    ["deflate", deflateRawSync(TEXT), /Z_\w+_ERROR/],
    ["br", TEXT, /^ERR_/],
    ["br", br.subarray(0, -4), /Z_BUF_ERROR/],
  ];
  for (const [coding, bytes, code] of rows)
    await assert.rejects(read(bytes, coding), { code }, coding.slice(0, 20));
});

test("the cap is on decoded bytes, to the byte", async () => {
  const body = Buffer.alloc(5000, "x");
  assert.equal((await read(body, null, 5000)).length, 5000);
  assert.equal((await read(gzipSync(body), "gzip", 5000)).length, 5000);
  await assert.rejects(read(body, null, 4999), { code: "BODY_TOO_LARGE" });
  await assert.rejects(read(gzipSync(body), "gzip", 4999), { code: "BODY_TOO_LARGE" });
});

test("a ratio beyond 100 is a bomb, but only beyond a mebibyte", async () => {
  const [below, above] = [Buffer.alloc(MIB), Buffer.alloc(2 * MIB)];
  assert.equal((await read(gzipSync(below), "gzip")).length, MIB);
  for (const [coding, bomb] of [
    ["gzip", gzipSync(above)],
    ["br", brotliCompressSync(above)],
    ["gzip, gzip", gzipSync(gzipSync(above))],
    ["br, gzip", gzipSync(brotliCompressSync(above))],
  ] as const)
    await assert.rejects(read(bomb, coding), { code: "RATIO_TOO_HIGH" }, coding);
  assert.equal((await read(above, null)).length, 2 * MIB);
});

test("a bomb costs what it has delivered so far, not what it holds", async () => {
  // 256 MiB of zeros in 256 members, so that making it does not need the memory we measure.
  const bomb = Buffer.concat(Array<Buffer>(256).fill(gzipSync(Buffer.alloc(MIB))));
  const before = process.memoryUsage().rss;
  await assert.rejects(read(bomb, "gzip"), { code: "RATIO_TOO_HIGH" });
  await assert.rejects(read(bomb, "gzip", MIB), { code: "BODY_TOO_LARGE" });
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 48 * MIB, `${Math.round(grown / MIB)} MiB`);
});

test("the source is destroyed when its bytes are refused", async () => {
  const source = new PassThrough();
  source.write(Buffer.alloc(20));
  const reading = readDecoded(source, { content_encoding: null, max_bytes: 10 });
  await assert.rejects(reading, { code: "BODY_TOO_LARGE" });
  assert.equal(source.destroyed, true);
});

test("a big body does not hold up the loop while it is inflated", async () => {
  const noise = randomBytes(8 * MIB);
  const packed = gzipSync(noise, { level: 1 });
  let worst_ms = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    worst_ms = Math.max(worst_ms, performance.now() - last);
    last = performance.now();
  }, 1);
  await readDecoded(Readable.from([packed]), { content_encoding: "gzip", max_bytes: 64 * MIB });
  clearInterval(timer);
  assert.ok(worst_ms < within(100), `${worst_ms} ms`);
});
