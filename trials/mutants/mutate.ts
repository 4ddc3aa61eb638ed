/**
 * Small faults planted into source text: one changed operator, literal or condition each, or a function
 * that throws.
 */
import { parseSync } from "oxc-parser";

/** `value`: something else is computed; `throw`: nothing is. */
export type MutantKind = "value" | "throw";
export type Mutant = { kind: MutantKind; start: number; end: number; text: string; what: string };
type Change = Omit<Mutant, "kind">;

type Node = { type: string; start: number; end: number; [member: string]: unknown };

const OPERATORS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
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
  const found: Mutant[] = [];
  visit(program as unknown as Node, (node) => {
    const change = changeOf(node, source);
    if (change !== null) found.push({ kind: "value", ...change });
    const thrown = throwOf(node);
    if (thrown !== null) found.push({ kind: "throw", ...thrown });
  });
  return found.toSorted((a, b) => a.start - b.start);
}

const THROW = '{ throw new TypeError("planted"); }';

/** A function of the module, or one in a table such as a descriptor, that throws instead. */
function throwOf(node: Node): Change | null {
  const of = node.type === "Property" ? (node["value"] as Node | null) : node;
  const isDeclared = node.type === "FunctionDeclaration";
  const isMember = node.type === "Property" && of !== null && FUNCTIONS.has(of.type);
  const body = (isDeclared || isMember) && (of!["body"] as Node | null);
  if (!body || body.type !== "BlockStatement") return null;
  const { name } = (node["id"] ?? node["key"] ?? {}) as { name?: string };
  return { start: body.start, end: body.end, text: THROW, what: `${name ?? "a function"} throws` };
}

const FUNCTIONS = new Set(["FunctionExpression", "ArrowFunctionExpression"]);

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
  const at = source.slice(left.end, right.start).indexOf(operator);
  if (at === -1) return null;
  const start = left.end + at;
  return { start, end: start + operator.length, text: other, what: `${operator} → ${other}` };
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
  for (const [name, child] of Object.entries(node)) {
    if (name === "typeAnnotation" || name === "typeArguments" || name === "returnType") continue;
    for (const each of Array.isArray(child) ? child : [child])
      if (each !== null && typeof each === "object" && "type" in each) visit(each as Node, see);
  }
}
