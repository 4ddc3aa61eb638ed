/** A schema as the comparison sees it: references followed, `allOf` merged into one. */
import {
  isNode,
  type Node,
  type JsonResolver,
  toCanonical,
  toNodes,
  toNode,
} from "./schema-nodes.ts";

export type Shape = {
  /** Of the component that this form is; null: written in place. */
  name: string | null;
  /** JSON types; null: any. */
  types: ReadonlySet<string> | null;
  /** The closed list of values, in canonical JSON; null: open. */
  values: ReadonlySet<string> | null;
  properties: ReadonlyMap<string, unknown>;
  patterns: ReadonlyMap<string, unknown>;
  required: ReadonlySet<string>;
  /** What members beyond the listed ones must be; undefined: anything. */
  additional: unknown;
  items: unknown;
  prefix: readonly unknown[];
  /** Of `anyOf` and `oneOf`: one of these; empty: there is but one form. */
  variants: readonly unknown[];
  /** The remaining keywords that say something about values. */
  rest: Node;
};

/** Keywords that describe and do not constrain, or that are read above. */
const READ = new Set([
  ...["$ref", "$id", "$schema", "$anchor", "$comment", "$defs", "title", "description", "examples"],
  ...["example", "deprecated", "externalDocs", "xml", "discriminator", "readOnly", "writeOnly"],
  ...["type", "nullable", "enum", "const", "properties", "patternProperties", "required"],
  ...["additionalProperties", "items", "prefixItems", "allOf", "anyOf", "oneOf"],
]);

export function toShape(node: Node, reader: JsonResolver): Shape {
  const shape = toOwnShape(node);
  const parts = toNodes(node["allOf"]).map((part) => toShape(reader.resolve(part), reader));
  return parts.reduce(merge, shape);
}

function toOwnShape(node: Node): Shape {
  const { type, const: constant } = node;
  const values = "const" in node ? [constant] : Array.isArray(node["enum"]) ? node["enum"] : null;
  const types = type === undefined ? null : new Set([type].flat() as string[]);
  return {
    name: null,
    types: types ?? (values === null ? null : new Set(values.map(typeOf))),
    values: values === null ? null : new Set(values.map(toCanonical)),
    properties: new Map(Object.entries(toNode(node["properties"]))),
    patterns: new Map(Object.entries(toNode(node["patternProperties"]))),
    required: new Set(toNodes(node["required"]) as string[]),
    additional: node["additionalProperties"],
    items: node["items"],
    prefix: toNodes(node["prefixItems"]),
    variants: [...toNodes(node["anyOf"]), ...toNodes(node["oneOf"])],
    rest: Object.fromEntries(Object.entries(node).filter(([keyword]) => !READ.has(keyword))),
  };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isNode(value)) return "object";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/**
 * The forms that a value may take, one type each: `anyOf`, `oneOf` and lists of types are the same
 * thing said in three ways, so that none of them is a change of its own.
 */
export function toForms(shape: Shape, reader: JsonResolver): readonly Shape[] {
  if (shape.variants.length === 0) return splitTypes(shape);
  const base = { ...shape, variants: [] };
  return shape.variants.flatMap((variant) => {
    const form = merge(base, toShape(reader.resolve(variant), reader));
    return toForms({ ...form, name: nameOf(variant) }, reader);
  });
}

function splitTypes(shape: Shape): readonly Shape[] {
  if (shape.types === null || shape.types.size < 2 || shape.values !== null) return [shape];
  return [...shape.types].map((type) => ({ ...shape, types: new Set([type]) }));
}

/** Components have names, which say more than the way to them. */
export function nameOf(schema: unknown): string | null {
  const reference = isNode(schema) ? schema["$ref"] : null;
  return typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : null;
}

/** Both hold: the narrower of each. */
function merge(a: Shape, b: Shape): Shape {
  return {
    name: b.name ?? a.name,
    types: intersect(a.types, b.types, isWithin),
    values: intersect(a.values, b.values, (one, other) => one === other),
    properties: new Map([...a.properties, ...b.properties]),
    patterns: new Map([...a.patterns, ...b.patterns]),
    required: new Set([...a.required, ...b.required]),
    additional: a.additional ?? b.additional,
    items: a.items ?? b.items,
    prefix: a.prefix.length > 0 ? a.prefix : b.prefix,
    variants: [...a.variants, ...b.variants],
    rest: { ...a.rest, ...b.rest },
  };
}

/** An integer is a number. */
export function isWithin(type: string, of: string): boolean {
  return type === of || (type === "integer" && of === "number");
}

function intersect(
  a: ReadonlySet<string> | null,
  b: ReadonlySet<string> | null,
  within: (one: string, of: string) => boolean,
): ReadonlySet<string> | null {
  if (a === null || b === null) return a ?? b;
  const some = (one: string, others: ReadonlySet<string>): boolean =>
    [...others].some((other) => within(one, other));
  return new Set([
    ...[...a].filter((one) => some(one, b)),
    ...[...b].filter((one) => some(one, a)),
  ]);
}
