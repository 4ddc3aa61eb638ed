/** Faults at limits: comparisons that are off by their end, bounds in each other's place, and no bounds. */
import { type Change, type Node, textBetween } from "./node.ts";

const COMPARISONS: ReadonlyMap<unknown, string> = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
]);

export function boundOf(node: Node, source: string): Change | null {
  if (node.type === "BinaryExpression") {
    const operator = node["operator"] as string;
    const other = COMPARISONS.get(operator);
    if (other === undefined) return null;
    const [left, right] = [node["left"], node["right"]] as [Node, Node];
    return textBetween(source, left.end, right.start, operator, other);
  }
  return node.type === "CallExpression" ? swapOf(node, source) : null;
}

const SWAPPED: ReadonlyMap<string, string> = new Map([
  ["Math.min", "Math.max"],
  ["Math.max", "Math.min"],
]);

/** The other end, or the ends of a clamp in each other's place. */
function swapOf(node: Node, source: string): Change | null {
  const callee = node["callee"] as Node;
  const args = node["arguments"] as Node[];
  const name = source.slice(callee.start, callee.end);
  const other = SWAPPED.get(name);
  if (other !== undefined && args.length > 1)
    return { start: callee.start, end: callee.end, text: other, what: `${name} → ${other}` };
  const [, low, high] = args;
  if (!/clamp/i.test(name) || low === undefined || high === undefined) return null;
  const [first, between, last] = [
    source.slice(low.start, low.end),
    source.slice(low.end, high.start),
    source.slice(high.start, high.end),
  ];
  return {
    ...{ start: low.start, end: high.end, text: last + between + first },
    what: `bounds of ${name} swapped`,
  };
}

const LEAVING: ReadonlySet<string> = new Set([
  ...["ReturnStatement", "ThrowStatement", "ContinueStatement", "BreakStatement"],
]);

/** A condition that leaves, or a cap, left out. */
export function guardOf(node: Node, source: string): Change | null {
  if (node.type === "IfStatement" && node["alternate"] === null) {
    const test = node["test"] as Node;
    if (!leaves(node["consequent"] as Node)) return null;
    return { start: test.start, end: test.end, text: "false", what: "guard left out" };
  }
  return node.type === "CallExpression" ? capOf(node, source) : null;
}

function leaves(node: Node): boolean {
  if (node.type !== "BlockStatement") return LEAVING.has(node.type);
  const last = (node["body"] as Node[]).at(-1);
  return last !== undefined && LEAVING.has(last.type);
}

function capOf(node: Node, source: string): Change | null {
  const callee = node["callee"] as Node;
  const name = source.slice(callee.start, callee.end);
  const args = node["arguments"] as Node[];
  const isCap =
    (SWAPPED.has(name) && args.length === 2) || (/clamp/i.test(name) && args.length > 1);
  if (!isCap || args.some(({ type }) => type === "SpreadElement")) return null;
  const stored = args.find(({ type }) => type !== "Literal") ?? args[0]!;
  const text = `(${source.slice(stored.start, stored.end)})`;
  return { start: node.start, end: node.end, text, what: `${name} left out` };
}
