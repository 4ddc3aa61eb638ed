/** The statements of a page's section: its sentences, the items of its lists and the rows of its tables. */

const SEPARATOR = /^\|[\s:|-]+\|$/;
/** A sentence ends with a full stop before a capital or a name in quotes. */
const END = /(?<=\.)\s+(?=[A-Z`[])/;

/** The text between a heading and the next one of its level or above. */
export function sectionOf(page: string, heading: string): string {
  const lines = page.split("\n");
  const level = /^#+/.exec(heading)![0].length;
  const from = lines.findIndex((line) => line === heading || line.startsWith(`${heading} `));
  if (from === -1) return "";
  const isEnd = (line: string): boolean => (/^#+(?= )/.exec(line)?.[0].length ?? 99) <= level;
  const length = lines.slice(from + 1).findIndex(isEnd);
  return lines.slice(from + 1, length === -1 ? undefined : from + 1 + length).join("\n");
}

/** Lists the statements of a section, in order. */
export function listStatements(section: string): string[] {
  const lines = section.split("\n").filter((line) => line.trim() !== "");
  return lines.flatMap((line, at) => {
    if (SEPARATOR.test(line) || SEPARATOR.test(lines[at + 1] ?? "") || line.startsWith("#"))
      return [];
    if (line.startsWith("|")) return [toCells(line).join(", ")];
    return line.replace(/^(?:-|\d+\.) /, "").split(END);
  });
}

/** The cells of a row of a table, those that are empty left out. */
export function toCells(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return cells.filter((cell) => cell !== "");
}
