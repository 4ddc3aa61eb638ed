/** Finds which tests prove which lines of the contract. */
import type { Section } from "./lines.ts";

export type Citation = { id: string; file: string; title: string };
export type Scan = {
  citations: Citation[];
  /** Cited, and no line of the contract: a typing error, or a line that is gone. */
  unknown: Citation[];
};

const PROVES = /^[ \t]*(?:\/\/|\*) Proves (§.+)$/gm;
const TITLE = /\b(?:test|describe|it)\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/;
const GROUP = /\bdescribe\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
/** The key of a table whose rows are tests. */
const KEY = /^[ \t]*"(§[^"]+)": \[/gm;

/** Path → text of every file under `test/`. */
export function scanTests(
  sources: ReadonlyMap<string, string>,
  sections: readonly Section[],
): Scan {
  const entries = new Set(sections.flatMap(({ lines }) => lines.map(({ id }) => id)));
  const all = [...sources].flatMap(([file, text]) => scanFile(file, text));
  return {
    citations: all.filter(({ id }) => entries.has(id)),
    unknown: all.filter(({ id }) => !entries.has(id)),
  };
}

function scanFile(file: string, text: string): Citation[] {
  const cited = [...text.matchAll(PROVES)].flatMap(({ 1: ids = "", index }) => {
    const title = toTitle(text, index);
    return ids.split(";").map((id) => ({ id: id.trim(), file, title }));
  });
  const keys = [...text.matchAll(KEY)].map(({ 1: id = "" }) => ({ id, file, title: id }));
  return [...cited, ...keys];
}

/** Of the test that follows; with that of its group where it is all filled in when the tests run. */
function toTitle(text: string, from: number): string {
  const title = TITLE.exec(text.slice(from))?.[2];
  if (title === undefined) return "(no test follows)";
  const plain = toPlain(title);
  if (/\p{L}{3}/u.test(plain)) return plain;
  const group = [...text.slice(0, from).matchAll(GROUP)].at(-1)?.[2];
  return `${group === undefined ? "a table" : toPlain(group)}: ${plain}`;
}

/** What is filled in when the tests run is left open here. */
function toPlain(title: string): string {
  return title.replace(/\$\{(?:[^{}]|\{[^{}]*\})*(?:\}|$)/g, "…").replace(/\s+/g, " ");
}

/** Lines that no test cites, apart from those whose route is not there yet. */
export function findUnproved(
  sections: readonly Section[],
  citations: readonly Citation[],
  pending: readonly string[],
): string[] {
  const cited = new Set(citations.map(({ id }) => id));
  return sections
    .flatMap(({ lines }) => lines)
    .filter(({ id, route }) => !cited.has(id) && !(route !== undefined && pending.includes(route)))
    .map(({ id }) => id);
}

/** `/realtime/{coords}/weather/{lang}` as lines name it: a name in braces is `*`. */
export function toRoute(path: string): string {
  return path.replace(/\{[^}]+\}|:[^/]+/g, "*");
}
