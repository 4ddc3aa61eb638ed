/**
 * The schemas that a tool publishes: plain JSON Schema of its arguments and of its answer. Members
 * have one plain type and no bounds, since some hosts refuse unions; what may be left out is not
 * required. The reader (core/members) takes null for absent and judges by the operation's bounds.
 */
import { boundsOf, defaultOf, type Parameter, type Parameters } from "#api/primitives.ts";
import type { TSchema } from "typebox";

export type JsonSchema = { [member: string]: unknown };

export function toInputSchema(parameters: Parameters): JsonSchema {
  const members = Object.entries(parameters).map(([name, parameter]) => [
    name,
    toMember(parameter),
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(members) as JsonSchema,
    required: Object.keys(parameters).filter((name) => parameters[name]!.required),
    additionalProperties: false,
  };
}

function toMember(parameter: Parameter): JsonSchema {
  const { required, implied, description, kind, choices = [] } = parameter;
  // A list is an array here, and what it may hold is seen from the schema.
  const about = description
    .replace(/^Comma-separated (.)/, (_, first: string) => first.toUpperCase())
    // Answers say it in `warnings`.
    .replace(/ Above (\d+) it is reduced to .*\.$/, " At most $1.");
  const bounds = kind === "number" || kind === "integer" ? toBoundsWords(parameter) : "";
  const fallback = required || implied === true ? undefined : defaultOf(parameter);
  const ending = fallback === undefined ? "" : ` Default: ${toValueWords(fallback, choices)}.`;
  const shape = parameter.names ? NAMES : toShape(kind, parameter.many ? null : choices);
  return { ...shape, description: `${about}${bounds}${ending}` };
}

/** Both bounds of a number; what is not to be below 0 or 1 needs no words. A text's rule is in its description. */
function toBoundsWords(parameter: Parameter): string {
  const { minimum, maximum } = boundsOf(parameter);
  return maximum === Infinity ? "" : ` ${minimum} to ${maximum}.`;
}

const NAMES: JsonSchema = { type: "array", items: { type: "string" } };

function toValueWords(value: unknown, choices: readonly string[]): string {
  if (Array.isArray(value) && value.length === choices.length) return "all";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** `choices`: null: too many to be named. */
function toShape(kind: Parameter["kind"], choices: readonly string[] | null): JsonSchema {
  switch (kind) {
    case "list":
      return { type: "array", items: { type: "string", ...(choices && { enum: [...choices] }) } };
    case "texts":
      return { type: "array", items: { type: "string" } };
    case "choice":
      return { type: "string", enum: [...(choices ?? [])] };
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

/** Bounds and patterns are the contract's matter; what a model reads of an answer is its shape. */
const DROPPED: ReadonlySet<string> = new Set([
  ...["title", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"],
  ...["minItems", "maxItems", "format"],
]);

export function toOutputSchema(schema: TSchema): JsonSchema {
  return strip(schema, false) as JsonSchema;
}

/** `named`: the members are names of the data, not keywords of the schema. */
function strip(node: unknown, isNamed: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => strip(item, false));
  if (typeof node !== "object" || node === null) return node;
  const remaining = Object.entries(node).filter(([name]) => isNamed || !DROPPED.has(name));
  const members = remaining.map(([name, value]) => [
    name,
    strip(value, !isNamed && (name === "properties" || name === "patternProperties")),
  ]);
  return Object.fromEntries(members);
}
