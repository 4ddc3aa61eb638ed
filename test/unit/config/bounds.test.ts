/** Each rule of a schema at its bound and beyond it, with the words that a person reads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findProblem, type SchemaNode } from "#config/config-problem.ts";

type Row = readonly [schema: SchemaNode, fitting: readonly unknown[], wrong: readonly unknown[]];

const RANGE = { minimum: 2, maximum: 5 };
const ROWS: readonly Row[] = [
  [{ type: "integer", ...RANGE }, [2, 5, 2.0], [1, 6, 2.5, "2", null, 2 ** 53]],
  [{ type: "number", ...RANGE }, [2, 5, 2.5], [1.999, 5.001, NaN, Infinity, "2"]],
  [{ type: "number", exclusiveMinimum: 0 }, [5e-324, 1e300], [0, -1]],
  [{ type: "string", maxLength: 3 }, ["", "abc"], ["abcd", 1, null]],
  [
    { type: "array", items: { type: "null" }, minItems: 1, maxItems: 2 },
    [[null], [null, null]],
    [[], [null, null, null], [1], {}],
  ],
  [{ type: "null" }, [null], [undefined, 0, ""]],
  [{ type: "boolean" }, [true, false], [0, "true", null]],
  [{ const: 0 }, [0], [1, null, "0"]],
  [{ enum: ["a", null] }, ["a", null], ["b", undefined]],
  [{ anyOf: [{ type: "null" }, { type: "integer", minimum: 1 }] }, [null, 1], [0, "1"]],
];

for (const [schema, fitting, wrong] of ROWS)
  test(JSON.stringify(schema), () => {
    for (const value of fitting) assert.equal(findProblem(schema, value), null, String(value));
    for (const value of wrong) assert.notEqual(findProblem(schema, value), null, String(value));
  });

test("what is expected is said with its bounds", () => {
  const words = (schema: SchemaNode, value: unknown): string => findProblem(schema, value)!.problem;
  assert.match(words({ type: "integer", ...RANGE }, 6), /an integer from 2 to 5$/);
  assert.match(words({ type: "integer", minimum: 2 }, 1), /an integer of at least 2$/);
  assert.match(words({ type: "number", exclusiveMinimum: 0 }, 0), /a number above 0$/);
  assert.match(words({ type: "string", maxLength: 3 }, "abcd"), /text, at most 3 long$/);
  const list = { type: "array", items: { type: "null" }, minItems: 2, maxItems: 2 };
  assert.equal(words(list, [null]), "expected a list of 2, it has 1");
  assert.equal(words({ ...list, minItems: 1 }, []), "expected a list of 1 to 2, it has 0");
});

test("members: known and missing ones, and any of a record", () => {
  const schema: SchemaNode = {
    type: "object",
    properties: { url: { type: "string" }, most: { type: "integer", maximum: 9 } },
    required: ["url"],
  };
  assert.equal(findProblem(schema, { url: "a", most: 9 }), null);
  assert.equal(findProblem(schema, { url: "a", most: 10 })?.path, "most");
  assert.equal(findProblem(schema, { most: 1 }, "sources.a")?.path, "sources.a.url");
  assert.match(findProblem(schema, { url: "a", mots: 1 })!.problem, /did you mean most/);
  const record: SchemaNode = { type: "object", patternProperties: { ".*": { type: "boolean" } } };
  assert.equal(findProblem(record, { a: true, "b c": false }), null);
  assert.equal(findProblem(record, { "b c": 1 }, "plans")?.path, 'plans["b c"]');
});
