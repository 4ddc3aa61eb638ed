/** A description as plain JSON, and the targets of its references. */

export type Node = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object member by member; anything else has none. */
export function toNode(value: unknown): Node {
  return isNode(value) ? value : {};
}

export function toNodes(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Resolves the references of one document, for messages and schemas alike. */
export type JsonResolver = {
  /** Follows `$ref` inside the document until there is none; one that leads nowhere is empty. */
  resolve(value: unknown): Node;
};

export function createReader(document: Node): JsonResolver {
  return {
    resolve: (value) => {
      const seen = new Set<unknown>();
      let node = toNode(value);
      while (typeof node["$ref"] === "string" && !seen.has(node)) {
        seen.add(node);
        node = toNode(find(document, node["$ref"]));
      }
      return seen.has(node) ? {} : node;
    },
  };
}

function find(document: Node, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  return reference
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (node, part) => (Array.isArray(node) ? node[Number(part)] : toNode(node)[part]),
      document,
    );
}

/** Equal as JSON: members in any order. */
export function isEqual(a: unknown, b: unknown): boolean {
  return a === b || toCanonical(a) === toCanonical(b);
}

export function toCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonical).join()}]`;
  if (!isNode(value)) return JSON.stringify(value) ?? "undefined";
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${toCanonical(value[name])}`).join()}}`;
}
