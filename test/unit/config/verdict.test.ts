/** The checker of configurations and its defaults, held against TypeBox's own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { fillDefaults } from "#config/defaults.ts";
import { findProblem, type SchemaNode } from "#config/config-problem.ts";
import { FORMATS } from "#config/config-formats.ts";
import { ConfigSchema } from "#config/config-schema.ts";
import { planMember, members } from "#http/admin/route.ts";
import { sized, tries } from "../../support/size.ts";

const PARTS = [
  { kind: "const", a: 1 },
  { gbfs: { systems: [{ id: "a", url: "https://a.example/gbfs.json" }] } },
] as const;

const CONFIG = ConfigSchema as unknown as SchemaNode;
/** Members of every kind that the admin API takes. */
const ADMIN = members({
  name: Type.String(),
  plan: planMember({ plans: {} }),
  ends: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  scopes: Type.Optional(Type.Array(Type.Enum(["a", "b"]), { minItems: 1, maxItems: 2 })),
  overlap_s: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
});

/** A place in a value, and what to put there; undefined: nothing. */
type Change = { at: number; value: unknown };

const changes = fc.array(
  fc.record({
    at: fc.nat(),
    value: fc.oneof(
      fc.constantFrom(undefined, null, true, "", "a", "https://a.example/x", 0, 1, 5_000, -1, 0.5),
      fc.constantFrom([], {}, [null], ["a", "a"], { id: "a" }, { kind: "none" }, ...PARTS),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  }),
  { minLength: 1, maxLength: 2 },
);

/** Keywords that the checker reads, and those that forbid nothing. */
const KNOWN = new Set([
  ...["type", "const", "enum", "anyOf", "properties", "required", "additionalProperties"],
  ...["patternProperties", "items", "minItems", "maxItems", "format", "maxLength"],
  ...["minimum", "exclusiveMinimum", "maximum", "default", "title", "description"],
]);

test("the schema has no keyword that the checker would pass over", () => {
  const unknown: string[] = [];
  const visit = (node: SchemaNode, path: string): void => {
    unknown.push(
      ...Object.keys(node)
        .filter((key) => !KNOWN.has(key))
        .map((key) => `${path}: ${key}`),
    );
    const isOpen =
      node.properties &&
      (node as { additionalProperties?: unknown }).additionalProperties !== false;
    if (isOpen) unknown.push(`${path}: open`);
    if (node.format !== undefined && !(node.format in FORMATS))
      unknown.push(`${path}: ${node.format}`);
    for (const [name, member] of Object.entries({ ...node.properties, ...node.patternProperties }))
      visit(member, `${path}.${name}`);
    for (const branch of [...(node.anyOf ?? []), ...(node.items ? [node.items] : [])])
      visit(branch, path);
  };
  visit(CONFIG, "");
  assert.deepEqual(unknown, []);
});

test("what the checker passes TypeBox passes, with the same defaults", () => {
  let passed = 0;
  fc.assert(
    fc.property(changes, fc.boolean(), (list, filledFirst) => {
      const start = filledFirst ? (fillDefaults(CONFIG, {}) as object) : {};
      const input = list.reduce<unknown>(change, start);
      const filled = fillDefaults(CONFIG, input);
      if (findProblem(CONFIG, filled) !== null) return;
      passed += 1;
      assert.deepEqual(filled, Value.Default(ConfigSchema, structuredClone(input)));
      assert.ok(Value.Check(ConfigSchema, filled), JSON.stringify(filled));
    }),
    { numRuns: tries(5_000) },
  );
  assert.ok(passed > sized(20, 100), `${passed} passed`);
});

test("what the checker passes of the admin API TypeBox passes", () => {
  const member = fc.oneof(
    fc.constantFrom("a", "b", null, 3, 0.5, 10, ["a"], ["a", "b", "a"], []),
    fc.jsonValue(),
  );
  const input = fc.dictionary(fc.constantFrom(...Object.keys(ADMIN.properties), "x"), member);
  fc.assert(
    fc.property(fc.oneof(input, fc.jsonValue()), (value) => {
      const passes = findProblem(ADMIN, value) === null;
      assert.equal(passes, Value.Check(ADMIN, value));
    }),
    { numRuns: tries(3_000) },
  );
});

/** Returns the value with the change at one of its places, the whole included. */
function change(value: unknown, { at, value: next }: Change): unknown {
  const copy: unknown = structuredClone(value);
  const places: { holder: Record<string, unknown>; name: string }[] = [];
  const visit = (holder: Record<string, unknown>): void => {
    for (const name of [...Object.keys(holder), "another"]) {
      places.push({ holder, name });
      const member = holder[name];
      if (typeof member === "object" && member !== null) visit(member as Record<string, unknown>);
    }
  };
  if (typeof copy !== "object" || copy === null) return copy;
  visit(copy as Record<string, unknown>);
  const place = places[at % places.length]!;
  if (next === undefined && !Array.isArray(place.holder)) delete place.holder[place.name];
  else if (Array.isArray(place.holder) && place.name === "another") place.holder.push(next ?? null);
  else place.holder[place.name] = next ?? null;
  return copy;
}
