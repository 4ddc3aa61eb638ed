/**
 * Arguments of a tool: the rules of the operation's parameters, for JSON values. Models call best
 * what lists every member as required and nullable, without bounds; so the published schema does,
 * while the reader takes what is absent for null and judges by the operation's own bounds.
 */
import type { Decoded, Parameter, Parameters } from "#contract/primitives.ts";
import {
  choiceRule,
  integerRule,
  listRule,
  numberRule,
  orAbsent,
  type Read,
  readMembers,
  type Rule,
  textRule,
} from "#core/capabilities/rules.ts";

export type JsonSchema = { [member: string]: unknown };

/** Strict: an unknown member, or a value that is not of its parameter, is refused by its name. */
export function createArgumentReader<P extends Parameters>(
  parameters: P,
): (value: unknown) => Read<Decoded<P>> {
  const rules = Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, toMemberRule(parameter)]),
  );
  return (value) => {
    const read = readMembers(rules, value ?? {}, "arguments");
    return (read.ok ? { ok: true, value: withoutNulls(read.value) } : read) as Read<Decoded<P>>;
  };
}

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
  const told = `${words} null: ${toDefaultWords(parameter)}.`;
  // Two branches of one type each: some hosts know no other way to say it.
  return { anyOf: [toShape(kind, choices), { type: "null" }], description: told };
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
  const fallback = toDefault(parameter);
  return fallback === undefined ? "none" : JSON.stringify(fallback);
}

/** Null where there is no default: to a rule, undefined is no value at all. */
function toMemberRule(parameter: Parameter): Rule<unknown> {
  const rule = toRule(parameter);
  return parameter.required ? rule : orAbsent<unknown>(rule, toDefault(parameter) ?? null);
}

function withoutNulls(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(values).map(([name, value]) => [name, value ?? undefined]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** As http/validation reads the same default. */
function toDefault({ schema, kind }: Parameter): unknown {
  const fallback = (schema as { default?: unknown }).default;
  return kind === "list" && typeof fallback === "string" ? fallback.split(",") : fallback;
}

type Bounds = { minimum?: number; exclusiveMinimum?: number; maximum?: number };
type Lengths = { minLength: number; maxLength: number };

function toRule({ kind, schema, choices = [], rule = "text" }: Parameter): Rule<unknown> {
  const { minimum = -Infinity, exclusiveMinimum, maximum } = schema as Bounds;
  switch (kind) {
    case "number":
      return exclusiveMinimum === undefined
        ? numberRule(minimum, maximum)
        : above(numberRule(exclusiveMinimum, maximum), exclusiveMinimum);
    case "integer":
      return integerRule(minimum);
    case "boolean":
      return { words: "true or false", read: (value) => asBoolean(value) };
    case "choice":
      return choiceRule(choices);
    case "list":
      return listRule(choices);
    case "text":
      return normalised(schema as unknown as Lengths);
    case "pattern":
    case "coords":
      return matching((schema as { pattern: string }).pattern, rule);
    case "secret":
      return { words: "left out", read: () => undefined };
  }
}

function above({ read }: Rule<number>, bound: number): Rule<number> {
  return {
    words: `a number > ${bound}`,
    read: (value) => (value === bound ? undefined : read(value)),
  };
}

function asBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** Trimmed and NFC-normalised before its length is checked, as in a query (decisions, Conventions). */
function normalised({ minLength, maxLength }: Lengths): Rule<string> {
  const { words, read } = textRule(minLength, maxLength);
  return {
    words,
    read: (value) => read(typeof value === "string" ? value.trim().normalize("NFC") : value),
  };
}

function matching(pattern: string, words: string): Rule<string> {
  const expression = new RegExp(pattern);
  return {
    words,
    read: (value) => (typeof value === "string" && expression.test(value) ? value : undefined),
  };
}
