/** What people type into a search box, and what nobody should: values of `q`, languages, countries. */
import { CITIES } from "../../../sandbox/world/cities.ts";
import type { Dice } from "../../../trials/dice.ts";
import type { Faulty } from "./values.ts";

export type MadeText = { text: string; kind: string };

/** A valid `q`; most of them find something. */
export function questionText(dice: Dice): MadeText {
  const roll = dice.next();
  if (roll < 0.5) return { text: plainText(dice), kind: "plain" };
  if (roll < 0.7) return strangely(plainText(dice), dice);
  const kind = dice.pick(Object.keys(UNUSUAL));
  return { text: dice.pick(UNUSUAL[kind]!), kind };
}

function plainText(dice: Dice): string {
  const city = dice.pick(CITIES);
  const street = wordText(dice.pick(city.streets), dice);
  const place = wordText(dice.pick(city.places), dice);
  const number = dice.pick([1, 7, 10, 42, 71]);
  return dice.pick([
    city.name,
    `${street}, ${city.name}`,
    `${number} ${street}, ${city.name}`,
    `${street} ${number}`,
    place,
    `${place}, ${city.name}`,
    `${city.name} airport`,
  ]);
}

/** Where the local name is not in Latin letters there is an English one, too. */
function wordText(word: string | readonly [string, string], dice: Dice): string {
  return typeof word === "string" ? word : dice.pick(word);
}

const PADDINGS: readonly string[] = [" ", "   ", "\t", "\n", "\r\n", "\u00a0", "\u3000", "\u2028 "];

/** The same question, written another way. */
function strangely(text: string, dice: Dice): MadeText {
  const ways: readonly (() => MadeText)[] = [
    () => ({ text: dice.pick(PADDINGS) + text + dice.pick(PADDINGS), kind: "padded" }),
    () => ({ text: text.normalize("NFD"), kind: "decomposed" }),
    () => ({ text: text.toUpperCase(), kind: "upper case" }),
    () => ({ text: text.replaceAll(" ", dice.pick(PADDINGS)), kind: "odd blanks" }),
    () => ({ text: `${text}${" ".repeat(300)}`, kind: "padded beyond the bound" }),
    () => ({ text: `${text}, ${"ä".repeat(200)}`.slice(0, 200), kind: "exactly 200" }),
  ];
  return dice.pick(ways)();
}

/** Composed, these are 200 code points or one. */
const UNUSUAL: Readonly<Record<string, readonly string[]>> = {
  "exactly 200": [
    "x".repeat(200),
    "😀".repeat(200),
    "e\u0301".repeat(200),
    "\u0958".repeat(100),
    "中".repeat(200),
    ` ${"\u0301".repeat(200)} `,
    `\u3000${"a b ".repeat(50).slice(0, -1)}c\n`,
  ],
  one: ["x", "é", "東", "😀", "\u0301", "0", "-", "\u{10ffff}"],
  emoji: ["👩‍👩‍👧‍👦", "🇫🇷", "👍🏽 Paris", "Rue 🚲 de la 🥖"],
  "right to left": ["شارع الملك", "רחוב הרצל 5", "\u202eParis\u202c", "Paris \u2067باريس\u2069"],
  "combining marks": ["Z\u0351\u036b\u0343a\u0363\u0302lgo", `a${"\u0323\u0307".repeat(60)}`],
  scripts: ["東京都千代田区", "서울역", "กรุงเทพมหานคร", "दिल्ली", "Ελλάδα", "Москва", "Ħamrun"],
  control: [
    "Paris\0",
    "\0",
    "Par\u0001is",
    "Paris\u001b[31m",
    "a\u0085b",
    "x\ufeff",
    "\u0085Paris",
  ],
  "no character": ["\uffff", "\ufdd0", "\ue000", "\u{e0001}tag\u{e007f}", "\u200b", "\u00ad"],
  injection: [
    ...["' OR 1=1 --", "<script>alert(1)</script>", "../../etc/passwd", "${jndi:ldap://x}", "%00"],
    ...["%s%n", "a&key=x", "a|country:FR", "{{7*7}}", "\\", '"', '""', "a\r\nHost: x", "?#", "*"],
  ],
  numbers: ["48.8566,2.3522", "NaN", "-1", "1e999", "75018", "١٢"],
  nowhere: ["qwertzuiop asdf", "----", "!!!", "of the"],
};
export const TEXT_LABELS: readonly string[] = [
  ...["plain", "padded", "decomposed", "upper case", "odd blanks", "padded beyond the bound"],
  ...Object.keys(UNUSUAL),
].map((kind) => `allowed: q ${kind}`);

export const NOT_TEXT: Faulty = {
  empty: [""],
  blank: [" ", "\t\n", "\u00a0", "\u3000\u2003", "\u2028\u2029", " ".repeat(300)],
  "too long": [
    "x".repeat(201),
    "😀".repeat(201),
    "e\u0301".repeat(201),
    "\u0958".repeat(101),
    "中".repeat(201),
    `x${" ".repeat(199)}x`,
    `  ${"y".repeat(201)}  `,
    "z".repeat(4000),
  ],
};

export function languageText(dice: Dice): string {
  return dice.pick([
    ...["en", "fr", "de", "ja", "pl", "es", "FR", "En", "pt-BR", "zh-Hant-TW", "sr-Latn-RS"],
    ...["xx", "tlh", "en-12345678-ab-9Z", "de-1996", "iw"],
  ]);
}

export const NOT_LANGUAGE: Faulty = {
  empty: [""],
  blank: [" ", "\t"],
  padded: [" fr", "fr ", "fr\n"],
  length: ["f", "fren", "english", "en-abcdefghi"],
  parts: ["en-", "-en", "en--us", "en-x", "en-aa-bb-cc-dd"],
  separator: ["pt_BR", "en,fr", "en;q=0.8", "*", "en us", "en.UTF-8"],
  digits: ["12", "1n", "e1"],
  foreign: ["ру", "ｅｎ", "еn", "en-ÄÖ"],
  nul: ["en\0", "\0en"],
  invisible: ["en\u200b", "\u202een", "\ufefffr"],
};

export function countryText(dice: Dice): string {
  const country = dice.pick(CITIES).country;
  return dice.pick([country, country, country.toLowerCase(), "XX", "zz", "Aq", "SU"]);
}

export const NOT_COUNTRY: Faulty = {
  empty: [""],
  blank: [" ", "  "],
  padded: [" FR", "FR ", "FR\n", " F"],
  length: ["F", "FRA", "FRANCE"],
  digits: ["F1", "33", "1R"],
  separator: ["FR,DE", "F-", "F R", "F|"],
  foreign: ["ФР", "ＦＲ", "É2", "ÉÀ", "ß"],
  nul: ["FR\0", "F\0"],
  invisible: ["FR\u200b", "\u202eFR", "F\u0301R"],
};
