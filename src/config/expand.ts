/** `${NAME}` in the strings of a configuration file takes an environment variable. */
import type { Variables } from "#config/env.ts";
import { failed, loaded } from "#config/config-result.ts";
import type { Loaded } from "#config/config-result.ts";

const REFERENCE = /\$\{([^{}]*)\}/g;

/** A text as written in the file, by what became of it. */
export type Origins = ReadonlyMap<string, string>;
export type Expanded = { value: unknown; origins: Origins };

/** A copy of the tree with every reference replaced. A variable that is unset or empty is missing. */
export function expand(tree: unknown, variables: Variables): Loaded<Expanded> {
  const missing: string[] = [];
  const origins = new Map<string, string>();
  const visit = (node: unknown, path: string): unknown => {
    if (typeof node === "string") {
      const text = node.replace(REFERENCE, (_, name: string) => {
        const match = variables[name];
        if (!match) missing.push(`${path}: the environment variable ${name} is not set`);
        return match ?? "";
      });
      if (text !== node) origins.set(text, node);
      return text;
    }
    if (Array.isArray(node)) return node.map((item, index) => visit(item, `${path}[${index}]`));
    if (typeof node !== "object" || node === null) return node;
    const members = Object.entries(node).map(([name, member]) => [
      name,
      visit(member, join(path, name)),
    ]);
    return Object.fromEntries(members) as unknown;
  };
  const value = visit(tree, "");
  return missing[0] === undefined ? loaded({ value, origins }) : failed(missing[0]);
}

/** The path of a member as messages write it: `sources.gbfs.systems[0].url`. */
export function join(path: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
