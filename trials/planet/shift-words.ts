/** Other names for each copy of an extract, so that a word is where it would be on a planet: mostly in one place. */
import { Bytes } from "../../sandbox/pbf/bytes.ts";
import { lengthTag, Wire } from "#kit/wire.ts";

const TABLE = 1;
const TEXT = lengthTag(1);
const VOWELS = "aeiou";
const CONSONANTS = "bcdfghjklmnpqrstvwxz";
const WORD = /[A-Za-z]{5,}/g;
/** What is said of opening hours, of other tags, and in links has a digit or one of these. */
const IS_NAME = /^[A-Z][^\d:;=/_@]*$/;
/** A word that at least this number of texts of an extract have is one of its language. */
const COMMON = 20;

/** Words of the language of these blocks, which all copies keep. */
export function commonWords(blocks: readonly Uint8Array[]): Set<string> {
  const texts = new Set(blocks.flatMap((block) => listTexts(block)).filter((t) => IS_NAME.test(t)));
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of new Set(text.match(WORD)))
      counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= COMMON).map(([word]) => word));
}

/** The block with the names of the n-th copy; those of the first are as they were. */
export function renameBlock(block: Uint8Array, common: ReadonlySet<string>, copy: number): Buffer {
  const out = new Bytes();
  const wire = new Wire(block);
  for (let from = 0, tag = wire.next(); tag !== 0; from = wire.at, tag = wire.next()) {
    if (tag === lengthTag(TABLE)) {
      const table = new Bytes();
      for (const text of readTable(wire.view())) table.bytes(1, rename(text, common, copy));
      out.message(TABLE, table);
    } else {
      wire.skip(tag);
      out.raw(wire.bytes.subarray(from, wire.at));
    }
  }
  return out.done();
}

function listTexts(block: Uint8Array): string[] {
  const wire = new Wire(block);
  const texts: string[] = [];
  for (let tag = wire.next(); tag !== 0; tag = wire.next())
    if (tag === lengthTag(TABLE))
      for (const text of readTable(wire.view())) texts.push(Buffer.from(text).toString());
    else wire.skip(tag);
  return texts;
}

function* readTable(table: Uint8Array): Generator<Uint8Array> {
  const wire = new Wire(table);
  for (let tag = wire.next(); tag !== 0; tag = wire.next())
    if (tag === TEXT) yield wire.view();
    else wire.skip(tag);
}

function rename(bytes: Uint8Array, common: ReadonlySet<string>, copy: number): Uint8Array {
  const text = Buffer.from(bytes).toString();
  if (copy === 0 || !IS_NAME.test(text)) return bytes;
  return Buffer.from(renameText(text, common, copy));
}

/** Each longer word that is not common, with other letters of the same kinds. */
export function renameText(text: string, common: ReadonlySet<string>, copy: number): string {
  return text.replace(WORD, (word) => {
    if (common.has(word.toLowerCase())) return word;
    return Array.from(word, (letter, i) => turn(letter, i, copy)).join("");
  });
}

function turn(letter: string, i: number, copy: number): string {
  const lower = letter.toLowerCase();
  const kind = VOWELS.includes(lower) ? VOWELS : CONSONANTS;
  const at = kind.indexOf(lower);
  if (at < 0) return letter;
  const steps = copy + i * (1 + Math.floor(copy / kind.length));
  const turned = kind[(at + steps) % kind.length]!;
  return lower === letter ? turned : turned.toUpperCase();
}
