/** Flat snapshots: what goes in comes out, and nothing else is taken for one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createBlobWriter, internAll, joinChunks, readText, toBlob } from "#kit/bytes.ts";
import { openFlat, writeFlat } from "../shard/flat.ts";
import { anyId, forAll } from "../../../test/support/domain.ts";
import { anyText } from "../../../test/support/any-text.ts";

const columns = fc.record({
  u8: fc.uint8Array(),
  u16: fc.uint16Array(),
  i32: fc.int32Array(),
  u32: fc.uint32Array(),
  f32: fc.float32Array(),
  f64: fc.float64Array(),
});

test("a snapshot returns its header and columns, whatever their lengths", () => {
  forAll(
    fc.property(fc.jsonValue(), columns, (meta, input) => {
      const flat = openFlat("kind/1", writeFlat("kind/1", meta, input));
      assert.deepEqual(flat.meta, JSON.parse(JSON.stringify(meta)));
      assert.deepEqual(flat.columns, { ...input });
    }),
  );
});

test("a column that is a view of a larger buffer brings its own part alone", () => {
  const part = new Uint8Array([9, 1, 2, 9]).subarray(1, 3);
  const flat = openFlat("kind/1", writeFlat("kind/1", null, { part }));
  assert.deepEqual(flat.columns["part"], new Uint8Array([1, 2]));
});

test("a snapshot of another kind, and bytes that are none, are refused", () => {
  const buffer = writeFlat("kind/1", {}, {});
  assert.throws(() => openFlat("kind/2", buffer), /kind\/1, not kind\/2/);
  assert.throws(() => openFlat("kind/1", new SharedArrayBuffer(64)), /not a flat snapshot/);
});

test("texts of any script come back from a blob, each from its place", () => {
  const texts = fc.array(fc.oneof(anyId, fc.constant(""), anyText()), {
    maxLength: 8,
  });
  forAll(
    fc.property(texts, (input) => {
      const blob = toBlob(input);
      const back = input.map((_, i) => readText(blob, i));
      assert.deepEqual(
        back,
        input.map((text) => text.toWellFormed()),
      );
    }),
  );
});

test("a blob grows when its texts are longer than was guessed", () => {
  const writer = createBlobWriter(2, 1);
  const long = "é".repeat(5000);
  writer.add(long);
  writer.add("z");
  const blob = joinChunks(writer.finish());
  assert.equal(readText(blob, 0), long);
  assert.equal(readText(blob, 1), "z");
});

test("equal texts are kept once, and each row finds its own", () => {
  forAll(
    fc.property(fc.array(fc.constantFrom("a", "b", "", "ü")), (texts) => {
      const { unique, index } = internAll(texts);
      assert.equal(new Set(unique).size, unique.length);
      assert.deepEqual(
        Array.from(index, (i) => unique[i]),
        texts,
      );
    }),
  );
});
