/** The prose of a file: the comments and test titles of code, the text of a page. */
import { parseSync } from "oxc-parser";
import { withoutFences } from "./pages.ts";

const TITLE = /\b(?:test|describe|it)\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;

/** As long as the source, with its line breaks; all else is blank, the marks of comments included. */
export function readProse(path: string, source: string): string {
  if (path.endsWith(".md")) return withoutFences(source);
  const lang = path.endsWith(".ts") ? "ts" : "js";
  const { comments } = parseSync(path, source, { lang, sourceType: "module" });
  const titles = [...source.matchAll(TITLE)].map(({ 2: title = "", 0: call, index }) => {
    const end = index + call.length - 1;
    return { start: end - title.length, end, words: title };
  });
  const spoken = comments.map(({ start, end }) => {
    return { start, end, words: toWords(source.slice(start, end)) };
  });
  let prose = "";
  for (const { start, end, words } of [...spoken, ...titles].sort((a, b) => a.start - b.start)) {
    // Text in a comment about a test is both.
    if (start < prose.length) continue;
    prose += blank(source.slice(prose.length, start)) + words;
    if (prose.length !== end) throw new Error(`${path}: ${prose.length} is not ${end}`);
  }
  return prose + blank(source.slice(prose.length));
}

const toWords = (comment: string): string =>
  comment
    .replace(/^\/[*/]+/, blank)
    .replace(/\*\/$/, blank)
    .replace(/\n\s*\*/g, (mark) => mark.replace("*", " "));

const blank = (text: string): string => text.replace(/[^\n]/g, " ");
