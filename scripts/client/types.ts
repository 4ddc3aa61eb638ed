/**
 * The type of a schema of the API description, as text of TypeScript. It covers the keywords that
 * the description uses; an unknown form is an error of the generator, and no `unknown`.
 */
import { MAPS_PROVIDER_ID, MAPS_PROVIDER_NAME, SANDBOX_DEPLOYMENT } from "#api/deployment.ts";
import { listSources } from "#providers/registry.ts";

export type Schema = { [keyword: string]: unknown };

const MAPS = listSources().flatMap(([id, { role }]) => (role === "maps" ? [id] : []));

/** What a placeholder of a deployment is to a caller: ids that are known, and any other text. */
const KNOWN_MAPS: Readonly<Record<string, readonly string[]>> = {
  [MAPS_PROVIDER_ID]: [...MAPS, "openstreetmap", SANDBOX_DEPLOYMENT.maps.id],
  [MAPS_PROVIDER_NAME]: [],
};
/** Any text; unlike `string` it leaves the known values in place as suggestions. */
const ANY_TEXT = "(string & {})";

/** Returns the type; `refer` is called with the name of each component that it refers to. */
export function toType(schema: Schema, refer: (name: string) => void): string {
  const inner = (each: unknown): string => toType(each as Schema, refer);
  if (typeof schema["$ref"] === "string") {
    const name = schema["$ref"].slice(schema["$ref"].lastIndexOf("/") + 1);
    refer(name);
    return name;
  }
  if ("const" in schema) return toUnion([schema["const"]]);
  if (Array.isArray(schema["enum"])) return toUnion(schema["enum"]);
  if (Array.isArray(schema["anyOf"])) return unique(schema["anyOf"].map(inner)).join(" | ");
  if (Array.isArray(schema["prefixItems"]))
    return `[${schema["prefixItems"].map(inner).join(", ")}]`;
  switch (schema["type"]) {
    case "string":
    case "boolean":
    case "null":
      return schema["type"];
    case "integer":
    case "number":
      return "number";
    case "array":
      return toArray(inner(schema["items"]));
    case "object":
      return toObject(schema, refer);
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

function toUnion(values: readonly unknown[]): string {
  const entries = values.flatMap(
    (value): readonly unknown[] => KNOWN_MAPS[String(value)] ?? [value],
  );
  const isOpen = values.some((value) => String(value) in KNOWN_MAPS);
  const literals = unique(entries.map((value) => JSON.stringify(value)));
  if (isOpen && literals.length === 0) return "string";
  return [...literals, ...(isOpen ? [ANY_TEXT] : [])].join(" | ");
}

function toArray(item: string): string {
  return item.includes(" ") ? `Array<${item}>` : `${item}[]`;
}

/** Members, and what else may be there: keys of a pattern, or any. */
function toObject(schema: Schema, refer: (name: string) => void): string {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  const required = new Set((schema["required"] ?? []) as string[]);
  const members = properties.map(
    ([name, member]) =>
      `${toComment(member)}${toKey(name)}${required.has(name) ? "" : "?"}: ${toType(member, refer)};`,
  );
  const more = schema["additionalProperties"];
  if (more === true) members.push("[member: string]: unknown;");
  const maps = Object.entries((schema["patternProperties"] ?? {}) as Record<string, Schema>);
  if (more !== null && typeof more === "object") maps.push([".*", more as Schema]);
  const parts = maps.map(([pattern, value]) => toMap(pattern, toType(value, refer)));
  if (members.length > 0 || parts.length === 0) parts.unshift(`{\n${members.join("\n")}\n}`);
  return parts.join(" & ");
}

/** `^(a|b)$` names every key there may be. */
function toMap(pattern: string, value: string): string {
  const [, names] = /^\^\((\w+(?:\|\w+)*)\)\$$/.exec(pattern) ?? [];
  if (names === undefined) return `Record<string, ${value}>`;
  return `Partial<Record<${toUnion(names.split("|"))}, ${value}>>`;
}

/** The description as a comment, without the paragraphs of the contract that it cites. */
export function toComment({ description }: Schema): string {
  if (typeof description !== "string") return "";
  const text = description
    .replaceAll(/ ?\(§[^)]*\)/g, "")
    .replaceAll("*/", "* /")
    .replaceAll("\n", " ");
  return text === "" || text.startsWith("§") ? "" : `/** ${text} */\n`;
}

export function toKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
