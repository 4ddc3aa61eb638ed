/**
 * Citations in code and pages, and where each leads: paragraphs of the contract (`§4.9`), rules (`R4`),
 * sections of pages (`places.md 3.1`), titles (`decisions, Errors`), records (`decision 17`), goals,
 * files and links. One kind is one row of the table below.
 */
import {
  designPage,
  findFile,
  hasNumber,
  titleAt,
  toAnchor,
  type Page,
  type Pages,
} from "./pages.ts";
import { readProse } from "./prose.ts";

export type Citation = {
  kind: string;
  /** `packages/kit/geo.ts:2` */
  at: string;
  text: string;
  /** null: it leads somewhere. */
  fault: string | null;
};

/** `files`: every file of the repository, by its path from the root. */
export type Repository = { pages: Pages; files: ReadonlySet<string> };

type Mention = { index: number; text: string; fault: string | null };
type Source = { path: string; text: string; prose: string };
type Kind = { name: string; find(source: Source, repository: Repository): Mention[] };

const NUMBER = String.raw`\d+(?:\.\d+)*[a-z]?(?![\w%.]*\w)`;
const MORE = String.raw`(?:(?:, +| +to +| +and +|; +)§?\d+\.\d+[a-z]?(?!\w))*`;
/** Files of other projects that comments cite. */
const FOREIGN = new Set(
  ["gbfs.md", "reference.md", "api-v1.md", "SpreadsheetSchemaV2.md", "SOURCE.md"]
    // Of Pelias.
    .concat(["search.md", "reverse.md", "response.md"]),
);

const KINDS: readonly Kind[] = [
  { name: "paragraph", find: findParagraphs },
  { name: "section", find: findSections },
  { name: "bare section", find: findBareSections },
  { name: "rule", find: findRules },
  { name: "decision title", find: findDecisionTitles },
  { name: "page title", find: findPageTitles },
  { name: "record", find: findRecords },
  { name: "row", find: findRows },
  { name: "file", find: findFiles },
  { name: "link", find: findLinks },
];

export function findCitations(
  path: string,
  text: string,
  repository: Repository,
): readonly Citation[] {
  const source = { path, text, prose: readProse(path, text).replace(/\s/g, " ") };
  return KINDS.flatMap(({ name, find }) =>
    find(source, repository).map((match) => ({
      kind: name,
      at: `${path}:${text.slice(0, match.index).split("\n").length}`,
      text: match.text.replace(/\s+/g, " "),
      fault: match.fault,
    })),
  );
}

/** `§4.9` anywhere, `§4.3 to 4.5`, and `contract 2.2, 4.3` in words. An RFC has paragraphs of its own. */
function findParagraphs({ text, prose }: Source, { pages }: Repository): Mention[] {
  const page = pages.get(designPage("contract"));
  const marked = [...text.matchAll(new RegExp(`§ ?${NUMBER}${MORE}`, "g"))].filter(
    ({ index }) => !/RFC \d+,? $/.test(text.slice(0, index)),
  );
  const spelt = prose.matchAll(
    new RegExp(
      String.raw`\bcontract(?:\.md| section)?,? +(${NUMBER}(?:(?:, +| +to +| +and +)${NUMBER})*)`,
      "g",
    ),
  );
  return [...marked, ...spelt].flatMap((match) => numbersOf(match, page, "the contract"));
}

/** `mobility.md 3.1 to 3.3`, `reliability 2.4`, `mobility.md 1.12 #4`. */
function findSections({ prose }: Source, { pages }: Repository): Mention[] {
  const cited = new RegExp(
    String.raw`(?<![\w/.-])([a-z][a-z-]*)(\.md)?,? +(?:section +)?(${NUMBER}${MORE})((?:,? +#\d+)*)`,
    "g",
  );
  return [...prose.matchAll(cited)].flatMap((match) => {
    const [, name = "", suffix, , rows = ""] = match;
    const page = pages.get(designPage(name));
    if (name === "contract" || (suffix === undefined && !SPOKEN.test(name))) return [];
    const sections = numbersOf(match, page, `${name}.md`);
    const last = sections.at(-1)?.text ?? "";
    const missing = [...rows.matchAll(/#(\d+)/g)].filter(
      ([, row = ""]) => page?.rows.get(last)?.has(row) !== true,
    );
    return [
      ...sections,
      ...missing.map(([row]) => ({
        index: match.index,
        text: match[0],
        fault: `${name}.md ${last} has no row ${row.slice(1)}`,
      })),
    ];
  });
}

/** Pages that are cited without `.md`; other names are words of the language too often. */
const SPOKEN = /^(?:mobility|reliability|performance)(?:-|$)/;

function numbersOf(match: RegExpExecArray, page: Page | undefined, name: string): Mention[] {
  const [whole] = match;
  const { index } = match;
  if (page === undefined) return [{ index, text: whole, fault: `there is no page ${name}` }];
  const numbers = whole.replace(/#\d+/g, "").matchAll(/(?<![\w.])\d+(?:\.\d+)*[a-z]?/g);
  return [...numbers].map(([number]) => ({
    index,
    text: number,
    fault: hasNumber(page, number) ? null : `${name} has no ${number}`,
  }));
}

/** A section by its number alone names no page; a page of the design means itself. */
function findBareSections({ path, prose }: Source, { pages }: Repository): Mention[] {
  const own = path.startsWith("docs/design/") ? pages.get(path) : undefined;
  const spelt = prose.matchAll(/(?<!\.md +|contract +|RFC \d+ +)\bsections? +(\d+(?:\.\d+)*)/g);
  // Alone in brackets, or before a row or rule. On pages there are figures in brackets, too.
  const numbers = path.endsWith(".md") ? [] : prose.matchAll(BARE);
  return [...spelt, ...numbers].map(({ 0: text, 1: number = "", index }) => ({
    index,
    text,
    fault: own && hasNumber(own, number) ? null : "names no page",
  }));
}

const PAGED = String.raw`(?<!(?:\.md|reliability|RFC \d+)[\d., ]*)(?<![\d.])`;
const BARE = new RegExp(
  String.raw`\((\d\.\d{1,2})\)|${PAGED}\b(\d\.\d{1,2})(?= +(?:#|rules? +)\d)`,
  "g",
);

function findRules({ path, text, prose }: Source, { pages }: Repository): Mention[] {
  const page = pages.get(designPage("rules"));
  const inWords = [...prose.matchAll(/\bR\d+\b/g)];
  // A row of a table names its rule as a text of its own.
  const inTables = path.startsWith("packages/stations/gbfs/")
    ? text.matchAll(/(?<=")R\d+(?=")/g)
    : [];
  return [...inWords, ...inTables].map(({ 0: rule, index }) => ({
    index,
    text: rule,
    fault: page && hasNumber(page, rule) ? null : `there is no rule ${rule}`,
  }));
}

const NO_PAGE: Page = { path: "", headings: [], rows: new Map() };

/** `decisions, Errors and Authentication`, `the decisions (Errors)`; one without a title is too vague. */
function findDecisionTitles({ prose }: Source, { pages }: Repository): Mention[] {
  const page = pages.get(designPage("decisions")) ?? NO_PAGE;
  const mention =
    /(?:(?<=[(;,] *)|(?<=\b(?:The|the) +))decisions\b(?!\/|\]|\.md[\])])(?:\.md)?(?:, +| +\(|: +)?|\bdecisions(?:\.md)?, +(?=["A-Z])/g;
  return [...prose.matchAll(mention)].map(({ 0: text, index }) => {
    const after = prose.slice(index + text.length, index + text.length + 200);
    const { titles, unknown } = titlesOf(page, after);
    const fault = titles === 0 ? "names no title" : unknown && `there is no title "${unknown}"`;
    return { index, text: `${text}${after.slice(0, 40)}`, fault };
  });
}

/** Counts the titles in sequence, and returns the text found where another title was expected. */
function titlesOf(page: Page, after: string): { titles: number; unknown: string | null } {
  let rest = after.trimStart();
  for (let titles = 0; ; titles++) {
    const title = titleAt(page, rest);
    if (title === null) {
      const capital = /^"?[A-Z][a-z]+[^,.;:)]*/.exec(rest)?.[0] ?? null;
      return { titles, unknown: titles === 0 ? null : capital };
    }
    rest = rest.replace(/^"/, "").slice(title.length).replace(/^"/, "");
    const next = /^(?:,? and|,|; (?="))\s+/.exec(rest);
    if (!next) return { titles: titles + 1, unknown: null };
    rest = rest.slice(next[0].length);
  }
}

/** `operation.md, Modes`, `architecture, Scale`, or a title in quotes after a link to its page. */
function findPageTitles({ path, prose }: Source, { pages, files }: Repository): Mention[] {
  const cited = /(?<![\w/-])([\w/-]+\.md|architecture)(?:, +(?=["A-Z])(?!R\d)|\]\([^)]*\) +(?="))/g;
  return [...prose.matchAll(cited)].flatMap(({ 0: text, 1: name = "", index }) => {
    if (name === "decisions.md") return [];
    const file = name === "architecture" ? "ARCHITECTURE.md" : findFile(name, path, files);
    const page = file === undefined ? undefined : pages.get(file);
    const after = prose.slice(index + text.length, index + text.length + 120);
    if (!page || !/^"|^[A-Z][^|).;:]*[).;:]/.test(after)) return [];
    const fault = titleAt(page, after) === null ? `${page.path} has no such heading` : null;
    return [{ index, text: text + after.slice(0, 40), fault }];
  });
}

/** `decision 17`, `docs/decisions/0017`. */
function findRecords({ prose }: Source, { files }: Repository): Mention[] {
  const cited = prose.matchAll(/\b[Dd]ecision +(\d+)\b|\bdecisions\/(\d{4})/g);
  return [...cited].map(({ 0: text, 1: short = "", 2: long, index }) => {
    const start = `docs/decisions/${long ?? short.padStart(4, "0")}-`;
    const isKnown = [...files].some((file) => file.startsWith(start));
    return { index, text, fault: isKnown ? null : `there is no ${start}*` };
  });
}

/** What is cited by its row in a table: which page, and below which number. */
const TABLES = { goal: ["reliability", "8"], violation: ["mobility", "1.12"] } as const;

/** `goal 14`, `violations 4, 6, 7`. */
function findRows({ prose }: Source, { pages }: Repository): Mention[] {
  const cited = prose.matchAll(/\b(goal|violation)s? +(\d+(?:, +\d+)*)/g);
  return [...cited].flatMap(({ 0: text, 1: kind = "goal", 2: list = "", index }) => {
    const [name, number] = TABLES[kind as keyof typeof TABLES];
    const rows = pages.get(designPage(name))?.rows.get(number);
    return list.split(/, +/).map((row) => ({
      index,
      text,
      fault: rows?.has(row) === true ? null : `${name}.md ${number} has no row ${row}`,
    }));
  });
}

/** Every page that is named exists, but for those of other projects. */
function findFiles({ path, prose }: Source, { files }: Repository): Mention[] {
  const names = prose.matchAll(/(?<![\w./*{}-])[\w./-]*\w\.md\b/g);
  return [...names].flatMap(({ 0: text, index }) => {
    const name = text.split("/").at(-1) ?? text;
    if (FOREIGN.has(name)) return [];
    const isKnown = findFile(text, path, files) !== undefined;
    return [{ index, text, fault: isKnown ? null : "there is no such page" }];
  });
}

/** Links of pages to files and headings. */
function findLinks({ path, prose }: Source, { pages, files }: Repository): Mention[] {
  if (!path.endsWith(".md")) return [];
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ 1: link = "", index }) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : findTarget(file, path, files);
    const page = pages.get(target ?? "");
    const lost = anchor !== undefined && page?.headings.every((one) => toAnchor(one) !== anchor);
    const fault = target === undefined ? "there is no such file" : lost ? "no such heading" : null;
    return [{ index, text: link, fault }];
  });
}

/** A file, or a folder that holds some, as the page itself sees it. */
function findTarget(link: string, from: string, files: ReadonlySet<string>): string | undefined {
  const path = new URL(link, `file:///${from}`).pathname.slice(1);
  if (files.has(path)) return path;
  const folder = path.endsWith("/") ? path : `${path}/`;
  return path === "" || [...files].some((file) => file.startsWith(folder)) ? path : undefined;
}
