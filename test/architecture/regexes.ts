/** Regular expressions of a source file, and texts that make a slow one slow. */
import { parseSync } from "oxc-parser";

export type Expression = { path: string; line: number; source: string; flags: string };

type Node = { type: string; start: number; [member: string]: unknown };

/** Literals, and what `RegExp` is called with where that is a literal text. */
export function listExpressions(path: string, text: string): Expression[] {
  const lang = path.endsWith(".ts") ? "ts" : "js";
  const { program } = parseSync(path, text, { lang, sourceType: "module" });
  const expressions: Expression[] = [];
  const note = (node: Node, source: string, flags: string): void => {
    const line = text.slice(0, node.start).split("\n").length;
    expressions.push({ path, line, source, flags });
  };
  visit(program, (node) => {
    const regex = node["regex"] as { pattern: string; flags: string } | undefined;
    if (node.type === "Literal" && regex) note(node, regex.pattern, regex.flags);
    const made = madeByName(node);
    if (made) note(node, made.source, made.flags);
  });
  return expressions;
}

function madeByName(node: Node): { source: string; flags: string } | null {
  if (node.type !== "NewExpression" && node.type !== "CallExpression") return null;
  if ((node["callee"] as { name?: string }).name !== "RegExp") return null;
  const [source, flags] = (node["arguments"] as { value?: unknown }[]).map(({ value }) => value);
  return typeof source === "string"
    ? { source, flags: typeof flags === "string" ? flags : "" }
    : null;
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, see);
  else if (typeof value === "object" && value !== null) {
    if (typeof (value as Node).type === "string") see(value as Node);
    for (const member of Object.values(value)) visit(member, see);
  }
}

/** A text that may be slow: `before`, then `pump` over and over, then `after`. */
export type Attack = { before: string; pump: string; after: string };

/** Sample characters of the classes that the expressions distinguish. */
const CANDIDATES = [
  ...Array.from(" \t\n0aAzZ9_-.,:;/\\'\"()[]{}<>@#%&+*=?!|~^$`é"),
  ...["ß", "א", "ا", "あ", "中", "\u00a0", "\u200b", "\u0301", "\u{1f600}"],
];
/** The character that ends a near match: in no class of the expression, or in all that are negated. */
const ENDS = ["", "\u0001", "\n"];
const MAX_ATOMS = 40;
/** Atoms of one pump, and characters that are paired with one another. */
const MAX_WINDOW = 5;
const MAX_PAIRED = 6;

/** Near matches made of the expression's own characters, alone, in pairs and in its order. */
export function* attacksOn({ source, flags }: Expression): Generator<Attack> {
  const atoms = samplesOf(source, flags).slice(0, MAX_ATOMS);
  const pumps = new Set<string>([" ", "0", "a"]);
  for (const samples of atoms) for (const sample of samples) pumps.add(sample);
  const singles = [...pumps];
  for (const one of singles.slice(0, MAX_PAIRED))
    for (const other of singles.slice(0, MAX_PAIRED)) pumps.add(one + other);
  const line = atoms.map(([first]) => first!);
  for (let size = 2; size <= MAX_WINDOW; size++)
    for (let at = 0; at + size <= line.length; at++) pumps.add(line.slice(at, at + size).join(""));
  const befores = new Set(["", ...line.map((_, i) => line.slice(0, i + 1).join(""))]);
  for (const before of befores)
    for (const pump of pumps) for (const after of ENDS) yield { before, pump, after };
}

/** For each atom of the expression, in order, a few characters that match it. */
function samplesOf(source: string, flags: string): string[][] {
  const atoms: string[][] = [];
  for (const [atom] of source.matchAll(ATOM)) {
    const single = toTest(atom, flags);
    const samples = single ? CANDIDATES.filter((one) => single.test(one)).slice(0, 3) : [];
    const literal = atom.length === 1 && !"()|*+?^$".includes(atom) ? [atom] : [];
    const all = [...new Set([...literal, ...samples])];
    if (all.length > 0) atoms.push(all);
  }
  return atoms;
}

/** A class, an escape, or one character. */
const ATOM =
  /\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|[^\\]/gsu;

function toTest(atom: string, flags: string): RegExp | null {
  if (/^(?:\\[bB1-9k]|[()|*+?^$])/.test(atom)) return null;
  const stored = flags.replaceAll(/[gyd]/g, "");
  return new RegExp(`^(?:${atom === "{" || atom === "}" ? `\\${atom}` : atom})$`, stored);
}
