/** The header block, and the framing of blobs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { readBlob, readBlobHeader } from "../../pbf/blob.ts";
import { readHeader } from "../../pbf/header.ts";
import { Bytes } from "../../../../sandbox/pbf/bytes.ts";
import { frame, toPbf } from "../../../../sandbox/pbf/encode.ts";
import type { PbfOptions } from "../../../../sandbox/pbf/objects.ts";

function headerOf(options: PbfOptions) {
  const file = toPbf([], { ...options, compression: "none" });
  const length = file.readUInt32BE();
  const { type, data_bytes } = readBlobHeader(file.subarray(4, 4 + length));
  assert.equal(type, "OSMHeader");
  assert.equal(4 + length + data_bytes, file.length);
  const blob = readBlob(file.subarray(4 + length));
  assert.equal(blob.compressed, false);
  assert.equal(blob.raw_bytes, blob.data.length);
  return readHeader(blob.data);
}

test("a header says what the file covers, of when and by what", () => {
  assert.deepEqual(
    headerOf({
      box: [-12.5, -179.9999999, 47.25, 180],
      data_at_s: 1_700_000_000,
      program: "writer\n1",
      source: "somewhere",
      locations_on_ways: true,
    }),
    {
      box: [-12.5, -179.9999999, 47.25, 180],
      sorted: true,
      located: true,
      data_at_s: 1_700_000_000,
      program: "writer?1",
      source: "somewhere",
    },
  );
});

test("what a header does not say is null", () => {
  assert.deepEqual(headerOf({ sorted: false }), {
    box: null,
    sorted: false,
    located: false,
    data_at_s: null,
    program: null,
    source: null,
  });
});

test("a blob in zlib is handed over as it is, with the size that it inflates to", () => {
  const content = Buffer.from("content ".repeat(50));
  const [file] = [...frame("OSMData", content)];
  const length = file!.readUInt32BE();
  const blob = readBlob(file!.subarray(4 + length));
  assert.deepEqual(inflateSync(blob.data), content);
  assert.deepEqual([blob.compressed, blob.raw_bytes], [true, content.length]);
});

test("a type of any length costs no more than a short one", () => {
  const header = new Bytes();
  header.text(1, "x".repeat(60_000));
  header.number(3, 5);
  assert.equal(readBlobHeader(header.done()).type.length, 64);
});
