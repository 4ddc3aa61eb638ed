/** The facts of one source file that the rules of layers.json use, read from its syntax tree. */
import { parseSync } from "oxc-parser";
import { isNode, moduleState, type Node } from "./state.ts";
import { findDecisions } from "./wiring.ts";

/** `types`: erased before the program runs. `url`: `new URL("./x.ts", import.meta.url)`. */
export type Import = { specifier: string; types: boolean; line: number };
type Use = { name: string; line: number };

export type Facts = {
  imports: Import[];
  /** Names that are not declared in the file, and members such as `Date.now`. */
  uses: Use[];
  /** `catch` clauses, `.catch(…)` and `.then(…, …)`. */
  catches: number[];
  /** `void` before a call, which a promise may come of. */
  voids: number[];
  /** What a function returns, or a member `body` or `answer` has, as any object. */
  objects: number[];
  functions: { name: string; line: number; lines: number }[];
  /** The state that the module itself holds and changes while the program runs. */
  state: Use[];
  /** Timers, constants of policy and the like (wiring.ts). */
  decisions: Use[];
  lines: number;
};

/** By path and source: several tests read the whole tree. */
const cache = new Map<string, Facts>();

export function readFacts(path: string, source: string): Facts {
  const key = `${path}\n${source}`;
  const facts = cache.get(key) ?? parseFacts(path, source);
  cache.set(key, facts);
  return facts;
}

function parseFacts(path: string, source: string): Facts {
  const { program, errors } = parseSync(path, source, { lang: "ts", sourceType: "module" });
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const starts = lineStarts(source);
  const facts: Facts = {
    imports: [],
    uses: [],
    catches: [],
    voids: [],
    objects: [],
    functions: [],
    state: [],
    decisions: [],
    lines: starts.length - 1,
  };
  const lineOf = (offset: number): number => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  for (const { name, start } of moduleState(program as unknown as Node))
    facts.state.push({ name, line: lineOf(start) });
  for (const { name, start } of findDecisions(program as unknown as Node))
    facts.decisions.push({ name, line: lineOf(start) });
  const declared = new Set<string>();
  visit(program as unknown as Node, null, (node, parent) => {
    const name = declaredName(node, parent);
    if (name !== null) declared.add(name);
  });
  visit(program as unknown as Node, null, (node, parent) => {
    const line = lineOf(node.start);
    addImport(facts, node, line);
    addUse(facts, { node, parent, line, declared });
    if (isCatch(node)) facts.catches.push(line);
    if (isVoidedCall(node)) facts.voids.push(line);
    const typed = node["returnType"] ?? (isReply(node) ? node["typeAnnotation"] : null);
    if (isNode(typed) && saysObject(typed)) facts.objects.push(line);
    if (FUNCTIONS.has(node.type)) {
      const lines = lineOf(node.end - 1) - line + 1;
      facts.functions.push({ name: functionName(node, parent), line, lines });
    }
  });
  return facts;
}

function isVoidedCall(node: Node): boolean {
  const { operator, argument } = node as Node & { operator?: string; argument?: Node };
  if (node.type !== "UnaryExpression" || operator !== "void") return false;
  return argument?.type === "CallExpression" || argument?.type === "ChainExpression";
}

/** A member of a type that a reply is in. */
function isReply(node: Node): boolean {
  const isMember = node.type === "TSPropertySignature" || node.type === "PropertyDefinition";
  return isMember && (isNamed(node["key"], "body") || isNamed(node["key"], "answer"));
}

/** Whether `object` is the type or a part of it; what functions in it take is none. */
function saysObject(type: Node): boolean {
  if (type.type === "TSObjectKeyword") return true;
  const taken = type.type === "TSTypeParameterInstantiation" ? "" : "params";
  return Object.entries(type)
    .filter(([name]) => name !== taken)
    .flatMap(([, member]) => (Array.isArray(member) ? (member as unknown[]) : [member]))
    .some((child) => isNode(child) && saysObject(child));
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

function visit(
  node: Node,
  parent: Node | null,
  see: (node: Node, parent: Node | null) => void,
): void {
  see(node, parent);
  for (const member of Object.values(node)) {
    for (const child of Array.isArray(member) ? (member as unknown[]) : [member]) {
      if (isNode(child)) visit(child, node, see);
    }
  }
}

function addImport(facts: Facts, node: Node, line: number): void {
  switch (node.type) {
    case "ImportDeclaration":
      facts.imports.push({ specifier: literal(node["source"]), types: isTypeImport(node), line });
      return;
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
      if (node["source"] === null) return;
      facts.imports.push({
        specifier: literal(node["source"]),
        types: node["exportKind"] === "type" || allTypes(node["specifiers"], "exportKind"),
        line,
      });
      return;
    case "ImportExpression":
      facts.imports.push({ specifier: literal(node["source"]), types: false, line });
      return;
    case "TSImportType":
      facts.imports.push({ specifier: literal(node["source"]), types: true, line });
      return;
    case "NewExpression": {
      const [target, base] = node["arguments"] as Node[];
      const relative = isNamed(node["callee"], "URL") && base?.type === "MemberExpression";
      if (relative && target?.type === "Literal" && /^\..*\.ts$/.test(String(target["value"]))) {
        facts.imports.push({ specifier: literal(target), types: false, line });
      }
    }
  }
}

function isTypeImport(node: Node): boolean {
  return node["importKind"] === "type" || allTypes(node["specifiers"], "importKind");
}

function allTypes(specifiers: unknown, kind: string): boolean {
  const list = (specifiers ?? []) as Node[];
  return list.length > 0 && list.every((specifier) => specifier[kind] === "type");
}

function addUse(
  facts: Facts,
  at: { node: Node; parent: Node | null; line: number; declared: ReadonlySet<string> },
): void {
  const { node, parent, line, declared } = at;
  if (node.type === "MemberExpression" && isNode(node["object"]) && !node["computed"]) {
    const object = node["object"];
    const property = node["property"] as Node;
    if (object.type === "Identifier") {
      facts.uses.push({ name: `${String(object["name"])}.${String(property["name"])}`, line });
    }
  }
  const empty = (node["arguments"] as unknown[] | undefined)?.length === 0;
  if (node.type === "NewExpression" && isNamed(node["callee"], "Date") && empty) {
    facts.uses.push({ name: "new Date()", line });
  }
  if (node.type === "CallExpression" && isNamed(node["callee"], "Date")) {
    facts.uses.push({ name: "Date()", line });
  }
  if (node.type === "Identifier" && isReference(node, parent)) {
    const name = String(node["name"]);
    if (!declared.has(name)) facts.uses.push({ name, line });
  }
}

/** An identifier used as a value, not as the name of a member, a type or a label. */
function isReference(node: Node, parent: Node | null): boolean {
  if (!parent) return false;
  if (parent.type.startsWith("TS")) return parent.type === "TSAsExpression";
  if (parent.type === "MemberExpression")
    return parent["object"] === node || parent["computed"] === true;
  if (parent.type === "Property" || parent.type === "PropertyDefinition") {
    return parent["value"] === node || parent["computed"] === true;
  }
  return !["MethodDefinition", "LabeledStatement", "ImportSpecifier", "ExportSpecifier"].includes(
    parent.type,
  );
}

function declaredName(node: Node, parent: Node | null): string | null {
  const match = node as Node & { name?: unknown };
  if (node.type !== "Identifier" || typeof match.name !== "string" || !parent) return null;
  const isName =
    (parent["id"] === node && !parent.type.startsWith("TS")) ||
    (parent["local"] === node && parent.type.startsWith("Import")) ||
    parent.type === "ArrayPattern" ||
    (parent.type === "AssignmentPattern" && parent["left"] === node) ||
    (Array.isArray(parent["params"]) && (parent["params"] as unknown[]).includes(node)) ||
    parent.type === "RestElement";
  return isName ? match.name : null;
}

function isCatch(node: Node): boolean {
  if (node.type === "CatchClause") return true;
  if (node.type !== "CallExpression") return false;
  const callee = node["callee"] as Node;
  if (callee.type !== "MemberExpression") return false;
  const property = String((callee["property"] as Node)["name"]);
  const input = (node["arguments"] as unknown[]).length;
  return property === "catch" || (property === "then" && input === 2);
}

function functionName(node: Node, parent: Node | null): string {
  const id = (node["id"] ?? parent?.["id"] ?? parent?.["key"]) as Node | null | undefined;
  return typeof id?.["name"] === "string" ? id["name"] : "a function";
}

/** The imported path; a text assembled at run time cannot be checked and is not a path. */
function literal(node: unknown): string {
  const value = isNode(node) ? node["value"] : undefined;
  return typeof value === "string" ? value : "(not a literal)";
}

function isNamed(node: unknown, name: string): boolean {
  return isNode(node) && node.type === "Identifier" && node["name"] === name;
}

/** Offsets at which lines begin; the text after the last line break counts as the end. */
function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1))
    starts.push(at + 1);
  return starts;
}
