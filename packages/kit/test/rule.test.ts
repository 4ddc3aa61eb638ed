/** Rules of input: what each takes, what it makes of it, and what it refuses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BOOLEAN,
  choiceRule,
  fromText,
  lengthRule,
  listRule,
  manyOf,
  matching,
  numberRule,
  orNull,
  readBy,
  type Rule,
  textRule,
} from "../rule.ts";

const SHARE = numberRule("a share", { minimum: 0, maximum: 1 });
const ABOVE = numberRule("above zero", { exclusiveMinimum: 0 });
const COUNT = numberRule("a count", { minimum: 1 }, Number.isInteger);
const MANY = manyOf(textRule(1, 3), "texts", { minItems: 1, maxItems: 2 });

/** `given` → what the rule makes of it; absent: it is refused. */
const ROWS: readonly (readonly [rule: Rule<unknown>, given: unknown, value?: unknown])[] = [
  [SHARE, 0, 0],
  [SHARE, 1, 1],
  [SHARE, -0.001],
  [SHARE, 1.001],
  [SHARE, NaN],
  [SHARE, "1"],
  [ABOVE, 0],
  [ABOVE, Number.MIN_VALUE, Number.MIN_VALUE],
  [ABOVE, Infinity],
  [COUNT, 1, 1],
  [COUNT, 0],
  [COUNT, 1.5],
  [COUNT, 1e300, 1e300],
  [BOOLEAN, false, false],
  [BOOLEAN, "false"],
  [textRule(1, 2), "🚲🚲", "🚲🚲"],
  [textRule(1, 2), "🚲🚲🚲"],
  [textRule(1, 2), ""],
  [textRule(1, 2), "a\u0007"],
  [textRule(1, 2), "\ud83d"],
  [lengthRule("any", 0, 1), "\u0007", "\u0007"],
  [matching(/^a+$/, "a"), "aa", "aa"],
  [matching(/^a+$/, "a"), "ab"],
  [choiceRule(["day", "month"]), "month", "month"],
  [choiceRule(["day", "month"]), "Month"],
  [listRule(["a", "b"]), "b, a,b", ["b", "a"]],
  [listRule(["a", "b"]), ["a", "a"], ["a"]],
  [listRule(["a", "b"]), [" a"]],
  [listRule(["a", "b"]), ""],
  [listRule(["a", "b"]), []],
  [MANY, "x;y,z", ["x", "y,z"]],
  [MANY, ["x"], ["x"]],
  [MANY, "x;y;z"],
  [MANY, "x;"],
  [MANY, []],
  [orNull(SHARE), null, null],
  [orNull(SHARE), 2],
  [fromText(SHARE, Number), "0.5", 0.5],
  [fromText(SHARE, Number), 0.5],
];

test("a rule takes what it says, and nothing else", () => {
  for (const [rule, input, value] of ROWS)
    assert.deepEqual(rule.read(input), value, `${rule.words}: ${JSON.stringify(input)}`);
});

test("minus zero is zero", () => {
  assert.ok(Object.is(SHARE.read(-0), 0));
});

test("of several rules the first that does not hold says what the value must be", () => {
  const text = fromText(numberRule("a number", {}), Number);
  const share = numberRule("from 0 to 1", { minimum: 0, maximum: 1 });
  assert.deepEqual(readBy("x", text, share), { ok: false, words: "a number" });
  assert.deepEqual(readBy("2", text, share), { ok: false, words: "from 0 to 1" });
  assert.deepEqual(readBy("1", text, share), { ok: true, value: 1 });
});

test("words name the choices, one alone as it is", () => {
  assert.equal(choiceRule(["a"]).words, "a");
  assert.equal(choiceRule(["a", "b"]).words, "one of a, b");
  assert.equal(listRule(["a", "b"]).words, "an array or comma-separated list of a, b");
  assert.equal(orNull(SHARE).words, "a share, or null");
});
