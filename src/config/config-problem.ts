/**
 * Finds the first thing that is wrong with a configuration file and says it for people: the path of
 * the member and what was expected. TypeBox's own errors name a branch of a union by its number.
 */
import { join } from "#config/expand.ts";
import { FORMATS, type FormatName } from "#config/config-formats.ts";
import { isObject } from "#core/members/member-rules.ts";
import { didYouMean } from "#kit/nearest.ts";
import { BOOLEAN, type Bounds, numberRule, type Rule, textBy } from "#kit/rule.ts";

/** The part of JSON Schema that the configuration schema uses. */
export type SchemaNode = {
  type?: string;
  const?: unknown;
  default?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly SchemaNode[];
  properties?: Readonly<Record<string, SchemaNode>>;
  required?: readonly string[];
  patternProperties?: Readonly<Record<string, SchemaNode>>;
  items?: SchemaNode;
  minItems?: number;
  maxItems?: number;
  format?: string;
  maxLength?: number;
} & Bounds;

/** `got` is left to the caller to show: it may be the value of an environment variable. */
export type SchemaProblem = { path: string; problem: string; got?: unknown };

export function findProblem(schema: SchemaNode, value: unknown, path = ""): SchemaProblem | null {
  if (schema.anyOf) return inUnion(schema.anyOf, value, path);
  if (schema.type === "object" && isObject(value)) return inObject(schema, value, path);
  if (schema.type === "array" && Array.isArray(value)) return inArray(schema, value, path);
  const { words, read } = toRule(schema);
  return read(value) === undefined ? mismatch(path, words, value) : null;
}

/** What a value that has no parts must be; of others the words alone. */
function toRule(schema: SchemaNode): Rule<unknown> {
  if (schema.anyOf) return inWords(schema.anyOf.map((each) => toRule(each).words).join(" or "));
  if ("const" in schema) return amongst([schema.const], JSON.stringify(schema.const));
  if (schema.enum)
    return amongst(schema.enum, `one of ${schema.enum.map((it) => JSON.stringify(it)).join(", ")}`);
  switch (schema.type) {
    case "null":
      return amongst([null], "null");
    case "boolean":
      return BOOLEAN;
    case "integer":
      return numberRule(`an integer${boundsIn(schema)}`, schema, Number.isSafeInteger);
    case "number":
      return numberRule(`a number${boundsIn(schema)}`, schema);
    case "string":
      return toTextRule(schema);
    case "array":
      return inWords("a list");
    default:
      return inWords("an object");
  }
}

function inWords(words: string): Rule<unknown> {
  return { words, read: () => undefined };
}

function amongst(values: readonly unknown[], words: string): Rule<unknown> {
  return { words, read: (value) => (values.includes(value) ? value : undefined) };
}

function toTextRule({ format, maxLength = Infinity }: SchemaNode): Rule<string> {
  const { words, read } = FORMATS[format as FormatName] ?? textBy("text", (text) => text);
  if (maxLength === Infinity) return { words, read };
  return textBy(`${words}, at most ${maxLength} long`, (text) =>
    text.length <= maxLength ? read(text) : undefined,
  );
}

function boundsIn({ exclusiveMinimum, minimum, maximum }: Bounds): string {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  if (minimum === undefined) return "";
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}

function inUnion(
  branches: readonly SchemaNode[],
  value: unknown,
  path: string,
): SchemaProblem | null {
  if (branches.some((branch) => findProblem(branch, value, path) === null)) return null;
  const objects = branches.filter((branch) => branch.properties?.["kind"]);
  if (objects.length > 1 && isObject(value)) return inVariant(objects, value, path);
  const composite = branches.find((branch) => branch.type === typeName(value));
  if (composite && (composite.properties || composite.items)) {
    return findProblem(composite, value, path);
  }
  return mismatch(path, toRule({ anyOf: branches }).words, value);
}

/** A union of objects distinguished by `kind`, which decides whose problem is reported. */
function inVariant(
  branches: readonly SchemaNode[],
  value: Record<string, unknown>,
  path: string,
): SchemaProblem | null {
  const kinds = branches.map((branch) => branch.properties?.["kind"]?.const);
  const branch = branches[kinds.indexOf(value["kind"])];
  if (branch) return findProblem(branch, value, path);
  return mismatch(join(path, "kind"), toRule({ enum: kinds }).words, value["kind"]);
}

function inObject(
  schema: SchemaNode,
  value: Record<string, unknown>,
  path: string,
): SchemaProblem | null {
  const any = Object.values(schema.patternProperties ?? {})[0];
  for (const [name, member] of Object.entries(value)) {
    const rule = own(schema.properties, name) ?? any;
    if (!rule) return { path: join(path, name), problem: unknownMember(schema, name) };
    const problem = findProblem(rule, member, join(path, name));
    if (problem) return problem;
  }
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name));
  const rule = missing === undefined ? undefined : own(schema.properties, missing);
  if (missing === undefined || !rule) return null;
  return mismatch(join(path, missing), toRule(rule).words, undefined);
}

function inArray(
  schema: SchemaNode,
  value: readonly unknown[],
  path: string,
): SchemaProblem | null {
  for (const [index, item] of value.entries()) {
    const problem = findProblem(schema.items ?? {}, item, `${path}[${index}]`);
    if (problem) return problem;
  }
  const { minItems = 0, maxItems = Infinity } = schema;
  if (value.length >= minItems && value.length <= maxItems) return null;
  const expected = minItems === maxItems ? `${minItems}` : `${minItems} to ${maxItems}`;
  return { path, problem: `expected a list of ${expected}, it has ${value.length}` };
}

function unknownMember(schema: SchemaNode, name: string): string {
  const entries = Object.keys(schema.properties ?? {}).filter((member) => member !== "$schema");
  return `unknown member, ${didYouMean(name, entries)}`;
}

function mismatch(path: string, expected: string, got: unknown): SchemaProblem {
  if (got === undefined) return { path, problem: `expected ${expected}, it is missing` };
  return { path, problem: `expected ${expected}`, got };
}

function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
