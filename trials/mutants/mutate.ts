/**
 * Small faults planted into source text, one each: another operator, literal or condition, a bound that
 * is off, a guard or a clamp left out, a function that does nothing, or one that throws.
 */
import { parseSync } from "oxc-parser";
import { boundOf, guardOf } from "./bounds.ts";
import { type Change, FUNCTIONS, type Node, textBetween } from "./node.ts";

/**
 * `value`: something else is computed; `bound`: at or past a limit, something else; `guard`: what
 * keeps a value or a caller out is gone; `empty`: a function does nothing; `throw`: it throws.
 */
export const KINDS = ["value", "bound", "guard", "empty", "throw"] as const;
export type MutantKind = (typeof KINDS)[number];
export type Mutant = Change & { kind: MutantKind };

const OPERATORS: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
  "??": "&&",
  "&": "|",
  "|": "&",
  "<<": ">>",
  ">>": "<<",
};

/** All that can be planted into this file, in the order of the text. */
export function listMutants(path: string, source: string): Mutant[] {
  const { program } = parseSync(path, source, { lang: "ts", sourceType: "module" });
  const mutants: Mutant[] = [];
  visit(program as unknown as Node, (node) => {
    const changes: Readonly<Record<MutantKind, Change | null>> = {
      value: changeOf(node, source),
      bound: boundOf(node, source),
      guard: guardOf(node, source),
      empty: emptyOf(node),
      throw: throwOf(node),
    };
    for (const kind of KINDS) {
      const change = changes[kind];
      if (change !== null) mutants.push({ kind, ...change });
    }
  });
  return mutants.toSorted((a, b) => a.start - b.start);
}

const THROW = '{ throw new TypeError("planted"); }';

type Fn = { name: string; body: Node; isConstructor: boolean };

/** A function with a name: of the module, of a class, or in a table such as a descriptor. */
function functionOf(node: Node): Fn | null {
  const isDeclared = node.type === "FunctionDeclaration";
  const value = isDeclared ? node : ((node["value"] ?? node["init"]) as Node | null | undefined);
  const isNamed = ["Property", "MethodDefinition", "VariableDeclarator"].includes(node.type);
  if (!isDeclared && !(isNamed && value && FUNCTIONS.has(value.type))) return null;
  const body = value!["body"] as Node | null;
  if (!body || body.type !== "BlockStatement") return null;
  const { name = "a function" } = (node["id"] ?? node["key"] ?? {}) as { name?: string };
  return { name, body, isConstructor: node["kind"] === "constructor" };
}

function throwOf(node: Node): Change | null {
  const of = functionOf(node);
  if (of === null) return null;
  const { start, end } = of.body;
  return { start, end, text: THROW, what: `${of.name} throws` };
}

/** A function that returns nothing does nothing: of others, the compiler would say so. */
function emptyOf(node: Node): Change | null {
  const of = functionOf(node);
  if (of === null || of.isConstructor) return null;
  const { body, name } = of;
  if ((body["body"] as Node[]).length === 0 || returnsValue(body)) return null;
  return { start: body.start, end: body.end, text: "{}", what: `${name} does nothing` };
}

function returnsValue(node: Node): boolean {
  if (node.type === "ReturnStatement") return node["argument"] !== null;
  if (node.type === "YieldExpression") return true;
  return childrenOf(node).some((child) => !isFunction(child) && returnsValue(child));
}

const isFunction = ({ type }: Node): boolean =>
  FUNCTIONS.has(type) || type === "FunctionDeclaration";

function changeOf(node: Node, source: string): Change | null {
  if (node.type === "BinaryExpression" || node.type === "LogicalExpression")
    return operatorOf(node, source);
  if (node.type === "Literal") return literalOf(node);
  if (node.type === "UnaryExpression" && node["operator"] === "!")
    return { start: node.start, end: node.start + 1, text: "", what: "! left out" };
  if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
    const test = node["test"] as Node;
    const text = `!(${source.slice(test.start, test.end)})`;
    return { start: test.start, end: test.end, text, what: "condition negated" };
  }
  return null;
}

function operatorOf(node: Node, source: string): Change | null {
  const operator = node["operator"] as string;
  const other = OPERATORS[operator];
  const left = node["left"] as Node;
  const right = node["right"] as Node;
  // Between two texts a minus would not compile to anything that a test could miss.
  if (other === undefined || isText(left) || isText(right)) return null;
  return textBetween(source, left.end, right.start, operator, other);
}

function isText(node: Node): boolean {
  return node.type === "TemplateLiteral" || typeof node["value"] === "string";
}

function literalOf({ start, end, value }: Node): Change | null {
  if (typeof value === "boolean") return { start, end, text: String(!value), what: `not ${value}` };
  if (typeof value !== "number") return null;
  return { start, end, text: String(value + 1), what: `${value} → ${value + 1}` };
}

/** Types are erased: nothing in them is a mutant. */
function visit(node: Node, see: (node: Node) => void): void {
  if (node.type.startsWith("TS") && !node.type.endsWith("Expression")) return;
  if (node.type === "ImportDeclaration") return;
  see(node);
  for (const child of childrenOf(node)) visit(child, see);
}

const TYPES: readonly string[] = ["typeAnnotation", "typeArguments", "returnType"];

function childrenOf(node: Node): Node[] {
  return Object.entries(node)
    .filter(([name]) => !TYPES.includes(name))
    .flatMap(([, child]) => (Array.isArray(child) ? child : [child]))
    .filter((each): each is Node => each !== null && typeof each === "object" && "type" in each);
}
