/**
 * Words of names and questions in comparable form: case, accents and compatibility forms removed, elided articles cut off, ordinals as digits,
 * scripts without blanks as pairs of signs. Names and questions pass through the same function, so
 * that what it loses is lost on both sides.
 */
import table from "./words.json" with { type: "json" };

/** Longer words are cut, and further words of a text are not read. */
const MAX_WORD = 40;
const MAX_CHARS = 256;
export const MAX_NAME_WORDS = 24;

const ASCII = /^[\0-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]/g;
const UMLAUTS = /([aouAOU])\u0308/g;
const RINGS = /[aA]\u030a/g;
const APOSTROPHES = /[’‘ʼ`´′]/g;
const LETTERS: ReadonlyMap<string, string> = new Map(Object.entries(table.letters));
const SPECIAL = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "g");
const ELISIONS: ReadonlySet<string> = new Set(table.elisions);
const PIECE = /[\p{L}\p{M}\p{N}']+/gu;
const ASCII_PIECE = /[a-z0-9']+/g;
const ORDINAL = new RegExp(`^(\\d{1,4})(?:${table.ordinals.join("|")})$`);
/** Scripts without blanks, and the sign that makes a Katakana vowel long. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\u30fc]/u;

/**
 * `between`: what parts the word from the one before it; `dotted`: a full stop follows; `ordinal`: it is
 * a number with an ending, as in `94th`, which no house number has.
 */
export type Word = {
  text: string;
  /** With umlauts as two letters, `goettingen` for `göttingen`; null: it has none. */
  expanded: string | null;
  between: string;
  dotted: boolean;
  ordinal: boolean;
};

/** Words in the text's order, at most `max`. */
export function wordsOf(text: string, max = MAX_NAME_WORDS): string[] {
  return readWords(text, max).map((word) => word.text);
}

/** Words with what lies between them, which house numbers depend on. */
export function readWords(input: string, max: number): Word[] {
  const folded = fold(input.length > MAX_CHARS ? input.slice(0, MAX_CHARS) : input);
  const words: Word[] = [];
  let end = 0;
  for (const match of folded.matchAll(ASCII.test(folded) ? ASCII_PIECE : PIECE)) {
    if (words.length >= max) break;
    const between = folded.slice(end, match.index);
    end = match.index + match[0].length;
    const dotted = folded[end] === ".";
    let before = between;
    for (const part of partsOf(match[0])) {
      const digits = ORDINAL.exec(part)?.[1];
      const ordinal = digits !== undefined;
      words.push({ text: digits ?? part, expanded: null, between: before, dotted, ordinal });
      before = "'";
    }
  }
  return words.length > max ? words.slice(0, max) : words;
}

/** The same, with the longer spelling of words with umlauts. */
export function readQuestion(text: string, max: number): Word[] {
  const words = readWords(text, max);
  const spread = text.normalize("NFKD").replace(UMLAUTS, "$1e").replace(RINGS, "aa");
  if (spread.length > MAX_CHARS) return words;
  const longer = readWords(spread.replace(/[øØ]/g, "oe"), max);
  return words.map((word, i) => {
    const other = longer[i]?.text;
    return { ...word, expanded: other === undefined || other === word.text ? null : other };
  });
}

/** `goettingen` becomes `gottingen`, which is what is left of `göttingen`. */
export function collapseUmlauts(text: string): string {
  return text.replace(/([aou])e/g, "$1");
}

/** Comparable form of a whole text, with its punctuation. */
function fold(text: string): string {
  return ASCII.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKD")
        .replace(ACCENTS, "")
        .normalize("NFC")
        .toLowerCase()
        .replace(APOSTROPHES, "'")
        .replace(SPECIAL, (letter) => LETTERS.get(letter)!);
}

function partsOf(piece: string): string[] {
  const bare = piece.includes("'") ? elide(piece) : [piece];
  const spaceless = !ASCII.test(piece) && SPACELESS.test(piece);
  const parts = spaceless ? bare.flatMap(pairsOf) : bare;
  return parts.map((part) => (part.length > MAX_WORD ? part.slice(0, MAX_WORD) : part));
}

/** `l'industrie` is two words, `king's` is one. */
function elide(piece: string): string[] {
  const words: string[] = [];
  let open = "";
  for (const part of piece.split("'")) {
    open += part;
    if (!ELISIONS.has(open)) continue;
    words.push(open);
    open = "";
  }
  if (open !== "") words.push(open);
  return words;
}

/** Neighbouring signs as pairs, so that any part of a name can be found; other letters stay words. */
function pairsOf(word: string): string[] {
  const parts: string[] = [];
  let run: string[] = [];
  let rest = "";
  const close = (): void => {
    if (rest !== "") parts.push(rest);
    if (run.length === 1) parts.push(run[0]!);
    for (let i = 0; i + 1 < run.length; i++) parts.push(run[i]! + run[i + 1]!);
    run = [];
    rest = "";
  };
  let pairing = false;
  for (const sign of word) {
    const paired = SPACELESS.test(sign);
    if (paired !== pairing) close();
    pairing = paired;
    if (paired) run.push(sign);
    else rest += sign;
  }
  close();
  return parts;
}
