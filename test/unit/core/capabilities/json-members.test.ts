/** Members named twice, which JSON.parse says nothing of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findRepeatedMember } from "#kit/json-members.ts";
import { forAll } from "../../../support/domain.ts";

test("JSON.stringify writes no member twice", () => {
  forAll(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(3), (value, indent) => {
      assert.equal(findRepeatedMember(JSON.stringify(value, null, indent)), null);
    }),
  );
});

test("a member given twice is found wherever it is, by the names that lead to it", () => {
  const name = fc.oneof(fc.string(), fc.constantFrom("", '"', "\\", "{", "a,b", "é", "__proto__"));
  const steps = fc.array(fc.tuple(name, fc.boolean()), { maxLength: 6 });
  forAll(
    fc.property(steps, name, fc.jsonValue({ maxDepth: 2 }), (path, twice, value) => {
      const [key, stored] = [JSON.stringify(twice), JSON.stringify(value)];
      let text = `{ ${key} : ${stored} , ${key}:${stored}}`;
      for (const [each, isListed] of path.toReversed())
        text = `{${JSON.stringify(each)}:${isListed ? `[[],${text}]` : text}}`;
      assert.deepEqual(findRepeatedMember(text), [...path.map(([each]) => each), twice]);
    }),
  );
});

test("however a name is escaped, it is the same; and a text is no name", () => {
  assert.deepEqual(findRepeatedMember(String.raw`{"a":1,"\u0061":2}`), ["a"]);
  assert.deepEqual(findRepeatedMember(String.raw`{"\"":["\""],"\u0022":2}`), ['"']);
  for (const text of ['{"a":"a","b":"a"}', '["a","a"]', '{"a":{"a":{"a":["a"]}}}', '"a"', "1"])
    assert.equal(findRepeatedMember(text), null, text);
});
