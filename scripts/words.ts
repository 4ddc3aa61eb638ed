/**
 * Finds words of the project's former private vocabulary (scripts/words.json), part of
 * `npm run check`. A word counts wherever it occurs: in prose, messages and parts of identifiers;
 * text in backticks or quotation marks within Markdown is a quotation and is left alone.
 * `npx node scripts/words.ts [PATH…]` lists every occurrence under the paths.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import table from "./words.json" with { type: "json" };

const TEXT = /\.(ts|js|md|html|css|ya?ml|json|sh|cfg)$|^[A-Z][A-Za-z]*$/;
const words: Readonly<Record<string, string>> = table.words;
const phrases = Object.entries(table.phrases).map(
  ([pattern, instead]) => [new RegExp(`\\b(${pattern})\\b`, "i"), instead] as const,
);
const types = new RegExp(`\\b(?:type|interface|class) (${table.types.join("|")})\\b`);
const names: Readonly<Record<string, string>> = table.names;
/** What a program gives such a name: participles and adverbs are no nouns. */
const declared = new RegExp(
  `\\b(?:const|let|function|class|type) (${Object.keys(names).join("|")})\\b`,
  "i",
);
const allowed = new RegExp(Object.keys(table.allowed).join("|"), "gi");

const paths = process.argv.slice(2);
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...paths], {
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => TEXT.test(file.split("/").at(-1)!) && !isExempt(file));
let index = 0;
for (const file of files)
  for (const [n, line] of readFileSync(file, "utf8").split("\n").entries())
    for (const [word, instead] of findIn(line, file)) {
      index += 1;
      console.log(`${file}:${n + 1}: "${word}": ${instead}`);
    }
if (index > 0) console.log(`${index} occurrences in ${files.length} files`);
process.exitCode = index === 0 ? 0 : 1;

function isExempt(file: string): boolean {
  return Object.keys(table.exempt).some((path) => file.startsWith(path));
}

function findIn(line: string, file: string): [word: string, instead: string][] {
  const quoted = file.endsWith(".md") ? line.replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, "") : line;
  const text = quoted.replace(allowed, "");
  const tokens = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  const hits: [string, string][] = tokens
    .map((token) => token.toLowerCase())
    .filter((token) => Object.hasOwn(words, token))
    .map((token) => [token, words[token]!]);
  for (const [pattern, instead] of phrases) {
    const match = pattern.exec(text);
    if (match) hits.push([match[1]!, instead]);
  }
  const name = /^(?!explorer).*\.ts$/.test(file) ? declared.exec(text)?.[1] : undefined;
  if (name) hits.push([name, names[name.toLowerCase()]!]);
  const type = types.exec(text);
  if (type) hits.push([type[1]!, "a standard term"]);
  return hits;
}
