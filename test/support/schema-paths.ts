/** Paths of the members that a schema describes. */
import type { TSchema } from "typebox";

type Node = {
  properties?: Record<string, Node>;
  patternProperties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  additionalProperties?: unknown;
};

/** `closed`: its members are all known; an open object may have any. */
export type Paths = ReadonlyMap<string, "closed" | "open">;

/** Every member by its path, `results.stations.availability.vehicles`; lists and unions are looked through. */
export function pathsOf(schema: TSchema): Paths {
  const paths = new Map<string, "closed" | "open">();
  collect(schema, "", paths);
  return paths;
}

function collect(node: Node, path: string, paths: Map<string, "closed" | "open">): void {
  const { properties = {}, patternProperties, items, anyOf = [] } = node;
  if (path !== "") {
    const isOpen = node.additionalProperties === true || patternProperties !== undefined;
    paths.set(path, isOpen || paths.get(path) === "open" ? "open" : "closed");
  }
  for (const one of anyOf) collect(one, path, paths);
  if (items) collect(items, path, paths);
  for (const [name, member] of Object.entries(properties))
    collect(member, path === "" ? name : `${path}.${name}`, paths);
}

type Sampled = Node & {
  const?: unknown;
  enum?: unknown[];
  type?: string;
  format?: string;
  prefixItems?: unknown[];
};

/** A value with every member that the schema has, two of each list, and nothing null that can be known. */
export function sampleOf(schema: TSchema): unknown {
  return sample(schema);
}

function sample(node: Sampled): unknown {
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum.find((each) => each !== null);
  if (node.anyOf) return sample(node.anyOf.find((each: Sampled) => each.type !== "null")!);
  if (node.items) return [sample(node.items), sample(node.items)];
  if (node.type === "object") {
    const members = Object.entries(node.properties ?? {});
    const [pattern] = Object.values(node.patternProperties ?? {});
    const more = pattern ? ["bicycle", "car"].map((name): [string, Node] => [name, pattern]) : [];
    return Object.fromEntries([...members, ...more].map(([name, each]) => [name, sample(each)]));
  }
  if (node.type === "integer" || node.type === "number") return 2;
  if (node.type === "boolean") return true;
  return node.format === "date-time" ? "2026-11-28T09:00:00Z" : "text";
}

/** Members of a value that are there and not null. */
export function membersOf(value: unknown, path = ""): Set<string> {
  const members = new Set<string>();
  const values = Array.isArray(value)
    ? value.map((each): [string, unknown] => [path, each])
    : Object.entries(Object(value) as object).map(([name, each]): [string, unknown] => [
        path === "" ? name : `${path}.${name}`,
        each,
      ]);
  for (const [name, each] of values) {
    if (each == null) continue;
    members.add(name);
    if (typeof each === "object") for (const inner of membersOf(each, name)) members.add(inner);
  }
  return members;
}
