/**
 * The schemas that a tool publishes: plain JSON Schema of its arguments and of its answer. Models call best what lists every member as required
 * and nullable, without bounds; the reader (core/members) takes what is absent for null and judges
 * by the operation's own bounds.
 */
import { defaultOf, type Parameter, type Parameters } from "#contract/primitives.ts";
import type { TSchema } from "typebox";
import { toRule } from "#core/members/parameters.ts";

export type JsonSchema = { [member: string]: unknown };

export function toInputSchema(parameters: Parameters): JsonSchema {
  const members = Object.entries(parameters).map(([name, parameter]) => [
    name,
    toMember(parameter),
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(members) as JsonSchema,
    required: Object.keys(parameters),
    additionalProperties: false,
  };
}

function toMember(parameter: Parameter): JsonSchema {
  const { required, description, kind, choices = [] } = parameter;
  // A list is an array here, and what it may hold is seen from the schema.
  const about = description.replace(/^Comma-separated (.)/, (_, first: string) =>
    first.toUpperCase(),
  );
  const words = choices.length > 0 ? about : `${about} Must be ${toRule(parameter).words}.`;
  if (required) return { ...toShape(kind, choices), description: words };
  // Two branches of one type each: some hosts know no other way to say it.
  return {
    anyOf: [toShape(kind, choices), { type: "null" }],
    description: `${words} null: ${toDefaultWords(parameter)}.`,
  };
}

function toShape(kind: Parameter["kind"], choices: readonly string[]): JsonSchema {
  switch (kind) {
    case "list":
      return { type: "array", items: { type: "string", enum: [...choices] } };
    case "choice":
      return { type: "string", enum: [...choices] };
    case "number":
    case "integer":
    case "boolean":
      return { type: kind };
    case "text":
    case "pattern":
    case "coords":
    case "secret":
      return { type: "string" };
  }
}

function toDefaultWords(parameter: Parameter): string {
  const fallback = defaultOf(parameter);
  return fallback === undefined ? "none" : JSON.stringify(fallback);
}

/** Bounds and patterns are the contract's matter; what a model reads of an answer is its shape. */
const DROPPED: ReadonlySet<string> = new Set([
  ...["title", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"],
  ...["minItems", "maxItems", "format"],
]);

export function toOutputSchema(schema: TSchema): JsonSchema {
  return strip(schema, false) as JsonSchema;
}

/** `named`: the members are names of the data, not keywords of the schema. */
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
