/** The pages of the repository by their headings, so that a citation can be looked up. */
import { posix } from "node:path";

export type Page = {
  path: string;
  /** Headings in their order, without the marks; `number` is `4.7a` or `R4` where one begins with it. */
  headings: readonly { title: string; number: string | null }[];
  /** Numbers in the first column of the tables below a numbered heading. */
  rows: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Path from the root of the repository → page. */
export type Pages = ReadonlyMap<string, Page>;

const HEADING = /^#{1,6} (.+)$/;
const NUMBERED = /^(\d+(?:\.\d+)*[a-z]?|R\d+) (.*)$/;
const ROW = /^\| (\d+) \|/;

export function readPages(texts: ReadonlyMap<string, string>): Pages {
  return new Map([...texts].map(([path, text]) => [path, readPage(path, text)]));
}

function readPage(path: string, text: string): Page {
  const headings: { title: string; number: string | null }[] = [];
  const rows = new Map<string, Set<string>>();
  for (const line of withoutFences(text).split("\n")) {
    const heading = HEADING.exec(line)?.[1];
    const row = ROW.exec(line)?.[1];
    if (heading !== undefined) {
      const [, number = null, title = heading] = NUMBERED.exec(heading) ?? [];
      headings.push({ title, number });
    }
    const section = headings.at(-1)?.number ?? null;
    if (row === undefined || section === null) continue;
    rows.set(section, (rows.get(section) ?? new Set()).add(row));
  }
  return { path, headings, rows };
}

/** The same text with the lines of code fences blanked, so that lines keep their numbers. */
export function withoutFences(text: string): string {
  return text.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, (fence) => fence.replace(/[^\n]/g, " "));
}

/** The page of the design that is cited as `places` or `places.md`. */
export const designPage = (name: string): string => `docs/design/${name}.md`;

export function hasNumber(page: Page, number: string): boolean {
  return page.headings.some((heading) => heading.number === number);
}

/**
 * The longest title of the page that the text begins with, in quotes or without. A heading such as
 * "Authentication, plans, metering" is also cited by one of its parts.
 */
export function titleAt(page: Page, text: string): string | null {
  const titles = page.headings.flatMap(({ title }) => [title, ...title.split(", ")]);
  return titles.reduce<string | null>((best, title) => {
    const longer = best === null || title.length > best.length;
    return longer && beginsWith(text, title) ? title : best;
  }, null);
}

function beginsWith(text: string, title: string): boolean {
  if (text.startsWith(`"${title}"`)) return true;
  return text.startsWith(title) && !/^[\w-]/.test(text.slice(title.length));
}

/** Finds a file that a text names: next to the text, in `docs`, or from the root. */
export function findFile(
  name: string,
  from: string,
  files: ReadonlySet<string>,
): string | undefined {
  const places = [posix.dirname(from), "docs/design", "docs", "."];
  return places.map((place) => posix.join(place, name)).find((path) => files.has(path));
}

/** As GitHub makes it of a heading. */
export function toAnchor({ title, number }: { title: string; number: string | null }): string {
  return (number === null ? title : `${number} ${title}`)
    .toLowerCase()
    .replace(/\]\([^)]*\)/g, "")
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
