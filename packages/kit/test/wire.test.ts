/** Numbers and fields of a message: exact up to 2^53, and never read outside of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lengthTag, unpackNumbers, unpackSums, varintTag, Wire } from "../wire.ts";
import { Bytes } from "../../../sandbox/pbf/bytes.ts";

const safe = fc.maxSafeInteger();
/** Zigzag doubles the number. */
const half = fc.integer({ min: -(2 ** 52), max: 2 ** 52 });

function written(fill: (bytes: Bytes) => void): Wire {
  const bytes = new Bytes();
  fill(bytes);
  return new Wire(bytes.done());
}

test("numbers are read as they were written", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), safe, half, (natural, signed, zigzag) => {
      const wire = written((bytes) => {
        bytes.number(1, natural);
        bytes.number(2, signed);
        bytes.signed(3, zigzag);
        bytes.text(200, "text");
        bytes.number(4, 7);
      });
      assert.equal(wire.next(), varintTag(1));
      assert.equal(wire.varint(), natural);
      assert.equal(wire.next(), varintTag(2));
      assert.equal(wire.signed(), signed);
      assert.equal(wire.next(), varintTag(3));
      assert.equal(wire.zigzag(), zigzag);
      const tag = wire.next();
      assert.equal(tag, lengthTag(200));
      wire.skip(tag);
      assert.equal(wire.next(), varintTag(4));
      assert.equal(wire.varint(), 7);
      assert.equal(wire.next(), 0);
    }),
  );
});

test("packed numbers are read as they were written", () => {
  const near = fc.array(fc.oneof(fc.integer({ min: -2_000, max: 2_000 }), fc.nat(2 ** 40)));
  const numbers = fc.array(fc.nat(2 ** 31 - 1));
  fc.assert(
    fc.property(near, numbers, (sums, plain) => {
      const wire = written((bytes) => {
        bytes.deltas(1, [...sums, 0]);
        bytes.packed(2, [...plain, 0]);
      });
      assert.equal(wire.next(), lengthTag(1));
      const end = wire.span();
      const out = new Float64Array(end - wire.at);
      assert.deepEqual([...out.subarray(0, unpackSums(wire, wire.at, end, out))], [...sums, 0]);
      wire.at = end;
      assert.equal(wire.next(), lengthTag(2));
      const last = wire.span();
      const matches = new Uint32Array(last - wire.at);
      const count = unpackNumbers(wire, wire.at, last, matches);
      assert.deepEqual([...matches.subarray(0, count)], [...plain, 0]);
    }),
  );
});

test("any bytes at all are read to their end, or are damaged", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const walk = (): void => {
        const wire = new Wire(bytes);
        for (let tag = wire.next(); tag !== 0; tag = wire.next()) wire.skip(tag);
        assert.ok(wire.at <= bytes.length);
      };
      const sums = (): void => {
        unpackSums(new Wire(bytes), 0, bytes.length, new Float64Array(bytes.length));
      };
      const numbers = (): void => {
        unpackNumbers(new Wire(bytes), 0, bytes.length, new Uint32Array(bytes.length));
      };
      for (const read of [walk, sums, numbers])
        try {
          read();
        } catch (error) {
          assert.match(String(error), /extract: damaged/);
        }
    }),
  );
});

test("a length that leads outside its message is damaged, even where there are more bytes", () => {
  const bytes = Uint8Array.from([lengthTag(1), 4, 1, 2, 3, 4, 5, 6]);
  const wire = new Wire(bytes, 0, 4);
  wire.next();
  assert.throws(() => wire.span(), /damaged/);
});
