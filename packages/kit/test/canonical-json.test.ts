/** RFC 8785: its own examples, and what no order of members changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalJson } from "../canonical-json.ts";

test("RFC 8785, 3.2.2: literals, numbers and strings", () => {
  const value = JSON.parse(
    String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
      "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
  );
  assert.equal(
    canonicalJson(value),
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test("RFC 8785, 3.2.3: members in the order of their UTF-16 code units", () => {
  const names = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"];
  const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
  const order = Object.keys(JSON.parse(text)).filter((name) => name !== "1");
  assert.deepEqual(order, ["\r", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"]);
  assert.ok(text.startsWith(String.raw`{"\r":0,"1":0,`));
});

test("zero has no sign, and numbers of other spellings are one", () => {
  assert.equal(canonicalJson([-0, 1.0, 100, 1e2]), "[0,1,100,100]");
});

test("half a surrogate pair is its own text", () => {
  assert.equal(canonicalJson("\ud800"), String.raw`"\ud800"`);
});

test("it says the same, whatever the order of members, and different things for different values", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const text = canonicalJson(one);
      const same = JSON.parse(text) as unknown;
      assert.deepEqual(same, JSON.parse(JSON.stringify(one)));
      assert.equal(canonicalJson(reversed(same)), text);
      const equal = JSON.stringify(one) === JSON.stringify(other);
      if (equal) assert.equal(canonicalJson(other), text);
      if (canonicalJson(other) === text) assert.deepEqual(JSON.parse(text), toJson(other));
    }),
  );
});

test("an undefined member is none; what is no JSON is a mistake", () => {
  assert.equal(canonicalJson({ a: undefined, b: 1 }), '{"b":1}');
  for (const value of [Number.NaN, Infinity, undefined, 1n, Symbol("a"), () => 0, [undefined]])
    assert.throws(() => canonicalJson(value), RangeError);
});

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
}
