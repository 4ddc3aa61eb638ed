/**
 * The element as one module, as pages load it: its sources (packages/map-element/source) without
 * comments and indents, each module after those that it imports. Their names are all different.
 */
import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";

const SOURCE = new URL("../../packages/map-element/source/", import.meta.url);
const HEAD =
  "/* @vicinity/map-element. Apache-2.0. Generated from packages/map-element/source of Vicinity. */\n";

export function elementModule(): string {
  const modules = new Map<string, Module>();
  add(new URL("main.js", SOURCE), modules);
  const names = [...modules.values()].flatMap((module) => module.names);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two modules of the element declare ${twice}`);
  const [entry = "", ...others] = [...modules.values()].map(({ text }) => text).toReversed();
  const inner = others.toReversed().map((text) => text.replaceAll(/^export /gm, ""));
  return `${HEAD}${inner.join("")}${entry}`;
}

/** `names`: of what it declares at its top. */
type Module = { text: string; names: string[] };

const IMPORT = /^import \{[^}]*\} from "(\.\/[^"]+)";\n/gm;

/** Adds what it imports, and then itself. */
function add(url: URL, modules: Map<string, Module>): void {
  if (modules.has(url.href)) return;
  const text = readFileSync(url, "utf8");
  for (const [, from = ""] of text.matchAll(IMPORT)) add(new URL(from, url), modules);
  modules.set(url.href, shorten(text.replaceAll(IMPORT, "")));
}

/** Without comments, indents and empty lines; those in texts of several lines are theirs. */
function shorten(text: string): Module {
  const { comments, program, errors } = parseSync("module.js", text);
  if (errors.length > 0) throw new Error(errors[0]!.message);
  const spans = [
    ...comments.map((comment) => ({ ...comment, whole: false })),
    ...findTemplates(program).map((template) => ({ ...template, whole: true })),
  ].toSorted((a, b) => a.start - b.start);
  let at = 0;
  let short = "";
  for (const { start, end, whole } of spans) {
    if (start < at) continue;
    short += tidy(text.slice(at, start)) + (whole ? text.slice(start, end) : "");
    at = end;
  }
  short += tidy(text.slice(at));
  const lines = short.replaceAll(/\n{2,}/g, "\n").trim();
  return { text: `${lines}\n`, names: listNames(program.body) };
}

function tidy(code: string): string {
  return code.replaceAll(/[ \t]*\n\s*/g, "\n");
}

type Span = { start: number; end: number };

/** Spans of texts that may have several lines. */
function findTemplates(node: unknown): Span[] {
  if (Array.isArray(node)) return node.flatMap(findTemplates);
  if (typeof node !== "object" || node === null) return [];
  const { type, start, end } = node as Span & { type: string };
  if (type === "TemplateElement") return [{ start, end }];
  return Object.values(node).flatMap(findTemplates);
}

function listNames(body: readonly unknown[]): string[] {
  return body.flatMap((statement) => {
    const { declaration, ...own } = statement as { declaration?: Declaring | null } & Declaring;
    const { id, declarations = [] } = declaration ?? own;
    return [id, ...declarations.map((each) => each.id)].flatMap((each) => each?.name ?? []);
  });
}

type Named = { id?: { name?: string } | null };
type Declaring = Named & { declarations?: Named[] };
