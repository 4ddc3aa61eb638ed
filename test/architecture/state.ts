/**
 * Module-level mutable state, read from the syntax tree. Reported are `let` and `var`, static members
 * that may be written, what only a writer would make (`create…()`, `Buffer.alloc`), and constants of
 * which something is written inside a function: a member, an element, or by a method such as `set`.
 * Tables that are filled by the statements of the module and only read from then on are none.
 */
export type Node = { type: string; start: number; end: number; [member: string]: unknown };

export type ModuleState = { name: string; start: number };

/** Methods that change what they are called on. */
const MUTATORS = new Set([
  ...["set", "add", "delete", "clear", "push", "pop", "shift", "unshift", "splice"],
  ...["sort", "reverse", "fill", "copyWithin", "write", "next"],
  ...["setInt8", "setUint8", "setInt16", "setUint16", "setInt32", "setUint32"],
  ...["setFloat32", "setFloat64", "setBigInt64", "setBigUint64"],
]);

/** Objects that a module may create for itself: using them does not change them. */
const READ_ONLY = new Set(["RegExp", "TextEncoder", "TextDecoder", "Error", "URL"]);
/** Tables: mutable, and judged by whether something writes to them. */
const TABLES =
  /^(Map|Set|WeakMap|WeakSet|Array|Date|(Shared)?ArrayBuffer|DataView|\w*Array|Flatbush)$/;

export function moduleState(program: Node): ModuleState[] {
  const stored: ModuleState[] = [];
  const constants = new Map<string, ModuleState>();
  const patterns = new Set<ModuleState>();
  for (const statement of program["body"] as Node[]) {
    const declaration = (statement["declaration"] ?? statement) as Node;
    if (declaration.type !== "VariableDeclaration") continue;
    for (const each of declaration["declarations"] as Node[]) {
      for (const name of namesOf(each["id"] as Node)) {
        const one = { name, start: each.start };
        const isConstant = declaration["kind"] === "const" && !declaration["declare"];
        if (!isConstant || isInstance(each["init"])) stored.push(one);
        else constants.set(name, one);
        if (isMovingPattern(each["init"])) patterns.add(one);
      }
    }
  }
  const written = new Set<ModuleState>();
  walk(program, { functions: 0, shadowed: new Set() }, (node, { functions, shadowed }) => {
    if (node.type === "PropertyDefinition" && node["static"] === true && !node["readonly"])
      stored.push({ name: `static ${nameOf(node["key"]) ?? "member"}`, start: node.start });
    if (functions === 0) return;
    const name = writtenName(node) ?? matchedName(node);
    const one = name === null || shadowed.has(name) ? undefined : constants.get(name);
    if (one && (writtenName(node) !== null || patterns.has(one))) written.add(one);
  });
  return [...stored, ...written].toSorted((a, b) => a.start - b.start);
}

/** `create…()`, `new` of a class that is no table, memory without content: made to be written. */
function isInstance(init: unknown): boolean {
  const node = unwrapped(init);
  if (node === null) return false;
  if (node.type === "NewExpression") {
    const name = nameOf(node["callee"]) ?? rootOf(node["callee"] as Node) ?? "";
    return !READ_ONLY.has(name) && !TABLES.test(name) && name !== "Intl";
  }
  if (node.type !== "CallExpression") return false;
  const callee = node["callee"] as Node;
  const called = nameOf(callee) ?? nameOf(callee["property"]) ?? "";
  return /^create[A-Z]/.test(called) || called.startsWith("allocUnsafe");
}

/** The constant that a node writes to, at any depth: `a.b[0] = 1`, `a.b++`, `delete a.b`, `a.set(1)`. */
function writtenName(node: Node): string | null {
  switch (node.type) {
    case "AssignmentExpression":
      return memberRoot(node["left"]);
    case "UpdateExpression":
      return memberRoot(node["argument"]);
    case "UnaryExpression":
      return node["operator"] === "delete" ? memberRoot(node["argument"]) : null;
    case "CallExpression": {
      const callee = unwrapped(node["callee"]);
      if (callee?.type !== "MemberExpression") return null;
      const method = nameOf(callee["property"]) ?? "";
      if (rootOf(callee) === "Object" && ["assign", "defineProperty"].includes(method)) {
        const [target] = node["arguments"] as Node[];
        return target ? rootOf(target) : null;
      }
      return MUTATORS.has(method) ? rootOf(callee["object"] as Node) : null;
    }
    default:
      return null;
  }
}

/** A pattern that keeps the place where it goes on. */
function isMovingPattern(init: unknown): boolean {
  const { flags = "" } = (unwrapped(init)?.["regex"] ?? {}) as { flags?: string };
  return /[gy]/.test(flags);
}

/** The constant that a node matches with, by a method that moves it. */
function matchedName(node: Node): string | null {
  const callee = node.type === "CallExpression" ? unwrapped(node["callee"]) : null;
  if (callee?.type !== "MemberExpression") return null;
  return ["exec", "test"].includes(nameOf(callee["property"]) ?? "")
    ? nameOf(callee["object"])
    : null;
}

function memberRoot(target: unknown): string | null {
  const node = unwrapped(target);
  return node?.type === "MemberExpression" ? rootOf(node) : null;
}

/** The name at the start of `a.b[c].d`; null: it is not a name. */
function rootOf(from: Node): string | null {
  let node = unwrapped(from);
  while (node?.type === "MemberExpression") node = unwrapped(node["object"]);
  return nameOf(node);
}

/** Without parentheses, `!`, `as` and `satisfies`. */
function unwrapped(from: unknown): Node | null {
  let node = isNode(from) ? from : null;
  while (node !== null && WRAPPERS.has(node.type)) node = node["expression"] as Node;
  return node;
}

const WRAPPERS = new Set([
  "ParenthesizedExpression",
  "ChainExpression",
  "TSNonNullExpression",
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);

type Place = { functions: number; shadowed: ReadonlySet<string> };

/** Visits every node with the functions around it and the names they declare. */
function walk(node: Node, place: Place, see: (node: Node, place: Place) => void): void {
  see(node, place);
  const within = FUNCTIONS.has(node.type)
    ? {
        functions: place.functions + 1,
        shadowed: new Set([...place.shadowed, ...declaredIn(node)]),
      }
    : place;
  for (const child of childrenOf(node)) walk(child, within, see);
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** Parameters and variables of a function, those of its blocks included. */
function declaredIn(node: Node): string[] {
  const names = (node["params"] as Node[]).flatMap(namesOf);
  const collect = (inner: Node): void => {
    if (inner.type === "VariableDeclarator") names.push(...namesOf(inner["id"] as Node));
    if (FUNCTIONS.has(inner.type)) return;
    childrenOf(inner).forEach(collect);
  };
  if (isNode(node["body"])) collect(node["body"]);
  return names;
}

/** The names of a pattern. */
function namesOf(node: Node): string[] {
  switch (node.type) {
    case "Identifier":
      return [String(node["name"])];
    case "ObjectPattern":
      return (node["properties"] as Node[]).flatMap((each) =>
        namesOf((each["value"] ?? each["argument"]) as Node),
      );
    case "ArrayPattern":
      return (node["elements"] as (Node | null)[]).flatMap((each) => (each ? namesOf(each) : []));
    case "AssignmentPattern":
      return namesOf(node["left"] as Node);
    case "RestElement":
      return namesOf(node["argument"] as Node);
    default:
      return [];
  }
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flatMap((member) => (Array.isArray(member) ? member : [member]))
    .filter(isNode);
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === "Identifier" ? String(node["name"]) : null;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}
