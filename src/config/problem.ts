/**
 * Finds the first thing that is wrong with a configuration file and says it for people: the path of
 * the member and what was expected. TypeBox's own errors name a branch of a union by its number.
 */
import { join } from "#config/expand.ts";
import { FORMATS } from "#config/formats.ts";
import type { FormatName } from "#config/formats.ts";
import { findNearest } from "#kit/nearest.ts";

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
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxLength?: number;
};

/** `got` is left to the caller to show: it may be the value of an environment variable. */
export type SchemaProblem = { path: string; problem: string; got?: unknown };

export function findProblem(schema: SchemaNode, value: unknown, path = ""): SchemaProblem | null {
  if (schema.anyOf) return inUnion(schema.anyOf, value, path);
  if (schema.type === "object" && isObject(value)) return inObject(schema, value, path);
  if (schema.type === "array" && Array.isArray(value)) return inArray(schema, value, path);
  return fits(schema, value) ? null : mismatch(path, expectation(schema), value);
}

/** What a value should have been, in words. */
function expectation(schema: SchemaNode): string {
  if (schema.anyOf) return schema.anyOf.map(expectation).join(" or ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return `one of ${schema.enum.map((item) => JSON.stringify(item)).join(", ")}`;
  switch (schema.type) {
    case "null":
      return "null";
    case "boolean":
      return "true or false";
    case "integer":
      return `an integer${bounds(schema)}`;
    case "number":
      return `a number${bounds(schema)}`;
    case "string":
      return describeText(schema);
    case "array":
      return "a list";
    default:
      return "an object";
  }
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
  return mismatch(path, branches.map(expectation).join(" or "), value);
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
  return mismatch(join(path, "kind"), expectation({ enum: kinds }), value["kind"]);
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
  return mismatch(join(path, missing), expectation(rule), undefined);
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

function fits(schema: SchemaNode, value: unknown): boolean {
  if ("const" in schema) return value === schema.const;
  if (schema.enum) return schema.enum.includes(value);
  switch (schema.type) {
    case "null":
      return value === null;
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return Number.isSafeInteger(value) && withinBounds(schema, value as number);
    case "number":
      return Number.isFinite(value) && withinBounds(schema, value as number);
    case "string":
      return typeof value === "string" && fitsText(schema, value);
    default:
      return false;
  }
}

function fitsText(schema: SchemaNode, value: string): boolean {
  if (schema.maxLength !== undefined && value.length > schema.maxLength) return false;
  const format = FORMATS[schema.format as FormatName];
  return format === undefined || format.test(value);
}

function withinBounds(schema: SchemaNode, value: number): boolean {
  return (
    value >= (schema.minimum ?? -Infinity) &&
    value > (schema.exclusiveMinimum ?? -Infinity) &&
    value <= (schema.maximum ?? Infinity)
  );
}

function bounds(schema: SchemaNode): string {
  if (schema.exclusiveMinimum !== undefined) return ` above ${schema.exclusiveMinimum}`;
  if (schema.minimum === undefined) return "";
  if (schema.maximum === undefined) return ` of at least ${schema.minimum}`;
  return ` from ${schema.minimum} to ${schema.maximum}`;
}

function describeText(schema: SchemaNode): string {
  const words = FORMATS[schema.format as FormatName]?.expected ?? "text";
  return schema.maxLength === undefined ? words : `${words}, at most ${schema.maxLength} long`;
}

function unknownMember(schema: SchemaNode, name: string): string {
  const known = Object.keys(schema.properties ?? {}).filter((member) => member !== "$schema");
  const nearest = findNearest(name, known);
  const hint = nearest ? `did you mean ${nearest}?` : `known are ${known.join(", ")}`;
  return `unknown member, ${hint}`;
}

function mismatch(path: string, expected: string, got: unknown): SchemaProblem {
  if (got === undefined) return { path, problem: `expected ${expected}, it is missing` };
  return { path, problem: `expected ${expected}`, got };
}

function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
