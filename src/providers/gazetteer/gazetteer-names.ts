/** Tables of names: a line has the names of one thing, each behind the languages that use it. */

/** Names by language (`de`), or by what they are (`alt`). */
export type Names = Readonly<Record<string, string>>;

/** Reads `de,nl Wenen|fr Vienne`. */
export function readNames(line: string): Names {
  const names: Record<string, string> = {};
  for (const part of line === "" ? [] : line.split("|")) {
    const blank = part.indexOf(" ");
    for (const language of part.slice(0, blank).split(",")) names[language] = part.slice(blank + 1);
  }
  return names;
}

/** Further names without a language, under keys of their own. */
export function otherNames(texts: readonly string[]): Names {
  return Object.fromEntries(texts.map((text, i) => [i === 0 ? "alt" : `alt${i + 1}`, text]));
}
