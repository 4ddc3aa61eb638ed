/** The configuration schema as editors read it: plain JSON Schema, members with a default optional. */
import { FORMATS } from "#config/config-formats.ts";
import type { FormatName } from "#config/config-formats.ts";
import { ConfigSchema } from "#config/config-schema.ts";

type Node = Record<string, unknown>;

/** The text of vicinity.schema.json. */
export function configJsonSchema(): string {
  const head = { $schema: "https://json-schema.org/draft/2020-12/schema" };
  // Through JSON, which leaves TypeBox's own hidden members behind.
  const tree = toEditors(JSON.parse(JSON.stringify(ConfigSchema)) as Node);
  return `${JSON.stringify({ ...head, ...tree }, null, 2)}\n`;
}

function toEditors(node: Node): Node {
  const plain: Node = {};
  for (const [name, value] of Object.entries(node)) {
    if (name === "format") {
      const pattern = FORMATS[value as FormatName].pattern;
      if (pattern !== undefined) plain["pattern"] = pattern;
    } else if (name === "properties" || name === "patternProperties") {
      plain[name] = mapValues(value as Record<string, Node>, toEditors);
    } else if (name === "required") {
      const required = withoutDefaults(value as string[], node["properties"]);
      if (required.length > 0) plain["required"] = required;
    } else if (name === "anyOf") {
      plain["anyOf"] = (value as Node[]).map(toEditors);
    } else {
      plain[name] = name === "items" ? toEditors(value as Node) : value;
    }
  }
  return plain;
}

function withoutDefaults(required: readonly string[], properties: unknown): string[] {
  const members = properties as Record<string, Node>;
  return required.filter((name) => !("default" in (members[name] ?? {})));
}

function mapValues<V>(record: Record<string, V>, map: (value: V) => V): Record<string, V> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
