/** The type of each listed value is that of JSON. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonResolver } from "../../description/schema-nodes.ts";
import { toShape } from "../../description/schema-shape.ts";

const reader = { resolve: (node: unknown) => node } as unknown as JsonResolver;
const TYPES: readonly [value: unknown, type: string][] = [
  [null, "null"],
  [[], "array"],
  [{}, "object"],
  [1, "integer"],
  [1.5, "number"],
  ["a", "string"],
  [false, "boolean"],
];

test("values that are listed say their types where nothing else does", () => {
  for (const [value, type] of TYPES)
    for (const schema of [{ enum: [value] }, { const: value }])
      assert.deepEqual([...toShape(schema, reader).types!], [type], JSON.stringify(schema));
  const all = toShape({ enum: TYPES.map(([value]) => value) }, reader);
  assert.equal(all.types!.size, TYPES.length);
});
