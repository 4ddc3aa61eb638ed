/** The contract's schemas as a tool publishes them: plain JSON Schema, of one deployment's constants. */
import type { TSchema } from "typebox";
import type { JsonSchema } from "./arguments.ts";

/** Bounds and patterns are the contract's matter; what a model reads of an answer is its shape. */
const DROPPED: ReadonlySet<string> = new Set([
  ...["title", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"],
  ...["minItems", "maxItems", "format"],
]);

export function toOutputSchema(schema: TSchema): JsonSchema {
  return strip(schema, false) as JsonSchema;
}

/** `named`: the members are names of somebody's own, not words of the schema. */
function strip(node: unknown, named: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => strip(item, false));
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([name]) => named || !DROPPED.has(name));
  const members = kept.map(([name, value]) => [
    name,
    strip(value, !named && (name === "properties" || name === "patternProperties")),
  ]);
  return Object.fromEntries(members);
}
