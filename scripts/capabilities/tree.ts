/** JSON as it is written: members in their order, and twice if need be; tokens that no value has. */

/** Stands in the text as it is. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class Members {
  readonly pairs: readonly (readonly [name: string, value: Tree])[];
  constructor(pairs: readonly (readonly [name: string, value: Tree])[]) {
    this.pairs = pairs;
  }
}

export type Tree = string | number | boolean | null | Raw | Members | readonly Tree[];
/** Names from the body to a member. */
export type Path = readonly string[];

export function write(tree: Tree): string {
  if (tree instanceof Raw) return tree.text;
  if (tree instanceof Members) {
    const pairs = tree.pairs.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`);
    return `{${pairs.join(",")}}`;
  }
  return Array.isArray(tree) ? `[${tree.map(write).join(",")}]` : JSON.stringify(tree);
}

export function get(tree: Tree, [name, ...rest]: Path): Tree | undefined {
  if (name === undefined) return tree;
  if (!(tree instanceof Members)) return undefined;
  const found = tree.pairs.find(([each]) => each === name);
  return found && get(found[1], rest);
}

/** The object at a path with other members. */
export function edit(
  tree: Tree,
  [name, ...rest]: Path,
  change: (members: Members["pairs"]) => Members["pairs"],
): Tree {
  if (!(tree instanceof Members)) return tree;
  if (name === undefined) return new Members(change(tree.pairs));
  return new Members(
    tree.pairs.map(([each, value]) => [each, each === name ? edit(value, rest, change) : value]),
  );
}

/** The member with another value, whether or not it was there. */
export function put(tree: Tree, path: Path, value: Tree): Tree {
  const name = path.at(-1)!;
  return edit(tree, path.slice(0, -1), (pairs) => [
    ...pairs.filter(([each]) => each !== name),
    [name, value],
  ]);
}
