/** The length of a block: as large as the format allows, and no larger. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_BLOB_BYTES, readBlobHeader } from "../../pbf/blob.ts";
import { Bytes } from "../../../../sandbox/pbf/bytes.ts";

function read(data_bytes: number | null): number {
  const bytes = new Bytes();
  bytes.text(1, "OSMData");
  if (data_bytes !== null) bytes.number(3, data_bytes);
  return readBlobHeader(bytes.done()).data_bytes;
}

test("a block of no bytes, of the most that may be, and of one more", () => {
  for (const bytes of [0, 1, MAX_BLOB_BYTES]) assert.equal(read(bytes), bytes);
  assert.throws(() => read(MAX_BLOB_BYTES + 1), /a block of \d+ bytes/);
  assert.throws(() => read(null), /a block without a length/);
});
