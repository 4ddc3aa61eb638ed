/**
 * Other spellings of a word: `street` for `st`, and `st` for `street`; `bahnhofstrasse` for
 * `bahnhofstr`. One that several words share (`st` is street and saint) is equal to each of them,
 * and they are not equal to one another.
 */
import { collapseUmlauts, wordsOf } from "./fold-words.ts";
import table from "./words.json" with { type: "json" };

/** Of a compound: its beginning has at least this number of letters. */
const MIN_STEM = 2;
const MIN_ENDING = 3;

type Ending = { long: string; all: readonly string[] };

const GROUPS: ReadonlyMap<string, readonly string[]> = readGroups();
const ENDINGS: readonly Ending[] = readEndings();
/** By the last letter of a spelling: each question looks at all that its words may end with. */
const BY_LAST: ReadonlyMap<string, readonly { ending: Ending; spelling: string }[]> = Map.groupBy(
  ENDINGS.flatMap((ending) => ending.all.map((spelling) => ({ ending, spelling }))),
  ({ spelling }) => spelling.slice(-1),
);

/** All other spellings, none twice. */
export function spellingsOf(word: string): readonly string[] {
  const matches = new Set(GROUPS.get(word) ?? []);
  for (const { stem, ending } of compoundsOf(word))
    for (const other of ending.all) matches.add(stem + other);
  matches.delete(word);
  return [...matches];
}

/** Beginning and end of a compound, as `bahnhof` and `strasse`; one letter is no ending. */
export function findCompound(word: string): { stem: string; ending: string } | null {
  const compound = compoundsOf(word).find(({ stem }) => word.length - stem.length >= MIN_ENDING);
  return compound ? { stem: compound.stem, ending: compound.ending.long } : null;
}

/** A street's name in a form that abbreviations and umlauts do not change; many names may have the same. */
export function canonicalName(words: readonly string[]): string {
  return words.map((word) => collapseUmlauts(canonicalWord(word))).join("");
}

function canonicalWord(word: string): string {
  const group = GROUPS.get(word);
  if (group) return [...group, word].reduce((a, b) => (b.length > a.length ? b : a));
  const [compound] = compoundsOf(word);
  return compound ? compound.stem + compound.ending.long : word;
}

function compoundsOf(word: string): { stem: string; ending: Ending }[] {
  const matches: { stem: string; ending: Ending }[] = [];
  for (const { ending, spelling } of BY_LAST.get(word.slice(-1)) ?? [])
    if (word.length >= spelling.length + MIN_STEM && word.endsWith(spelling))
      matches.push({ stem: word.slice(0, -spelling.length), ending });
  return matches;
}

function readGroups(): Map<string, string[]> {
  const groups = new Map<string, Set<string>>();
  for (const line of Object.values(table.spellings).flat()) {
    const [long, ...short] = line.split(" ").map((word) => wordsOf(word)[0] ?? word);
    for (const each of short) {
      addTo(groups, long!, each);
      addTo(groups, each, long!);
      // Two abbreviations of one word are equal too.
      for (const other of short) addTo(groups, each, other);
    }
  }
  return new Map([...groups].map(([word, others]) => [word, [...others]]));
}

function addTo(groups: Map<string, Set<string>>, word: string, other: string): void {
  const known_group = groups.get(word);
  if (known_group) known_group.add(other);
  else groups.set(word, new Set([other]));
}

function readEndings(): Ending[] {
  const endings = Object.values(table.endings)
    .flat()
    .map((line) => {
      const all = line.split(" ").map((word) => wordsOf(word)[0] ?? word);
      return { long: all[0]!, all };
    });
  return endings.sort((a, b) => b.long.length - a.long.length);
}
