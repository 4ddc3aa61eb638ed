/** What a JSON text would take is known before it is parsed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { exceededBound } from "../json-bounds.ts";
import { parseWithin } from "../json.ts";

const NONE = { depth: 1_000, rows: 1e9, values: 1e9 };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

type Measure = { depth: number; members: number };

function measure(value: unknown, depth = 0): Measure {
  if (typeof value !== "object" || value === null) return { depth, members: 0 };
  const members = Object.values(value);
  const inner = members.map((member) => measure(member, depth + 1));
  return {
    depth: Math.max(depth + 1, ...inner.map((each) => each.depth)),
    members: Math.max(members.length, ...inner.map((each) => each.members)),
  };
}

test("depth and members are those of the parsed document, whatever its texts hold", () => {
  const texts = fc.string({ unit: fc.constantFrom('"', "\\", "[", "{", ",", "é", "]", "a") });
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.oneof(texts, fc.integer(), fc.constantFrom(null, true)),
      fc.array(tie("json"), { maxLength: 6 }),
      fc.dictionary(texts, tie("json"), { maxKeys: 6 }),
    ),
  }));
  let deep = 0;
  fc.assert(
    fc.property(json, (value) => {
      const bytes = bytesOf(JSON.stringify(value));
      const { depth, members } = measure(value);
      deep += depth > 2 ? 1 : 0;
      assert.equal(exceededBound(bytes, { ...NONE, depth, rows: Math.max(members, 1) }), null);
      if (depth > 0) assert.equal(exceededBound(bytes, { ...NONE, depth: depth - 1 }), "too_deep");
      if (members > 1)
        assert.equal(exceededBound(bytes, { ...NONE, rows: members - 1 }), "too_many_rows");
    }),
    { numRuns: 500 },
  );
  assert.ok(deep > 50, `${deep} documents were deep`);
});

test("values are counted over the whole document", () => {
  const bytes = bytesOf(JSON.stringify({ a: [1, 2, 3], b: { c: [{}, {}] } }));
  assert.equal(exceededBound(bytes, { ...NONE, values: 20 }), null);
  assert.equal(exceededBound(bytes, { ...NONE, values: 5 }), "too_many_values");
});

test("text that is not JSON is left to the parser, and text beyond the bounds never reaches it", () => {
  for (const text of ["", "}}}]", '"open', "[1,", "\\", '{"a":'])
    assert.deepEqual(parseWithin(bytesOf(text), NONE), { reason: "not_json" }, text);
  assert.deepEqual(parseWithin(bytesOf("[[[["), { ...NONE, depth: 3 }), { reason: "too_deep" });
  assert.deepEqual(parseWithin(bytesOf("[1,2]"), NONE), { value: [1, 2] });
});
