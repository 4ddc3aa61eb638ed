/** Texts that are no value of a parameter, by the reason; each is refused wherever it stands. */
import type { Dice } from "../../../trials/dice.ts";

export type Faulty = Readonly<Record<string, readonly string[]>>;

/** No number and no integer. */
export const NOT_NUMERIC: Faulty = {
  nan: ["NaN", "nan", "-NaN"],
  infinity: ["Infinity", "-Infinity", "inf", "∞"],
  overflow: ["1e999", "-1e999", "1e309", "9".repeat(400)],
  hex: ["0x10", "0X1F", "-0x1", "0b1", "0o7", "#10"],
  exponent: ["1e", "e5", "1e+", "1E-", "1e1234", "1e0001", "1e1.5", "1ee1", "1d5"],
  sign: ["+1", "--1", "-", "- 1", "−1", "1-"],
  point: ["1.", ".5", "-.5", ".", "1..2", "1.2.3", "1,5", "1_0", "1'0"],
  empty: [""],
  blank: [" ", "  ", "\t", "\n", "\u00a0"],
  padded: [" 1", "1 ", "1\n", "\t1", "1\r\n"],
  word: ["true", "null", "undefined", "one", "[]", "{}", "1;2", "1n", "1px", "'1'", '"1"'],
  digits: ["١", "１", "१", "²", "1\u0301"],
  invisible: ["\u202e1", "1\u200b", "\ufeff1", "\u20661\u2069"],
  nul: ["\0", "1\0", "\u00001"],
};

/** Beyond what a number may be, where an integer is wanted. */
export const NOT_INTEGER: Faulty = {
  ...NOT_NUMERIC,
  fraction: ["5.5", "1.0", "1e2", "0.1", "-0.5e1"],
};

export const NOT_BOOLEAN: Faulty = {
  empty: [""],
  blank: [" "],
  number: ["1", "0"],
  case: ["TRUE", "True", "False"],
  word: ["yes", "on", "no", "null", "truefalse"],
  padded: [" true", "false "],
};

export const NOT_FORMAT: Faulty = {
  empty: [""],
  blank: [" "],
  case: ["JSON", "GeoJSON", "Json"],
  unknown: ["xml", "csv", "text/html", "toString", "__proto__"],
  list: ["json,geojson", "json,"],
  padded: [" json", "json "],
};

/** `word`: an item that the list knows; `near` is almost one. */
export function notList(word: string, near: string): Faulty {
  return {
    empty: [""],
    blank: [" ", "   "],
    "empty item": [",", `${word},`, `,${word}`, `${word},,${word}`, `${word}, ,${word}`],
    case: [word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)],
    unknown: [near, `${word},${near}`, "constructor", "__proto__", "*", "all"],
    separator: [`${word};${word}`, `${word}|${word}`, `${word} ${word}`, `[${word}]`],
    nul: [`${word}\0`],
    invisible: [`\u202e${word}`, `${word}\u200b`],
  };
}

/** A value outside the stated bounds, in one of many notations. */
export function outside(dice: Dice, bounds: { low?: number; high?: number }): string {
  const { low, high } = bounds;
  const below = low === undefined ? [] : belowOf(dice, low);
  const above = high === undefined ? [] : aboveOf(dice, high);
  return dice.pick([...below, ...above]);
}

function belowOf(dice: Dice, low: number): string[] {
  const far = String(low - dice.between(0.001, 1e4));
  return [`${low - 1}`, far, "-1e300", `-${"9".repeat(30)}`, ...(low === 1 ? ["0", "-0"] : [])];
}

function aboveOf(dice: Dice, high: number): string[] {
  const next = high * (1 + 2 ** -52);
  return [
    String(next),
    `${high}.0000001`,
    `${high + 1}`,
    String(high + dice.between(1, 1e5)),
    "1e3",
  ];
}

/** Percent-encodings that stand for no UTF-8 text, sent as they are. */
export const BROKEN_ENCODINGS: Faulty = {
  cut: ["%", "1%", "%4", "1%3"],
  "not hex": ["%zz", "%4g", "%u0031", "%-1"],
  "not UTF-8": ["%ff", "%c3%28", "1%80", "%fe%ff"],
  overlong: ["%c0%b1", "%e0%80%b1", "%c0%80"],
  surrogate: ["%ed%a0%80", "%ed%b0%80", "%ed%a0%bd%ed%b8%80"],
  "beyond Unicode": ["%f4%90%80%80", "%f8%88%80%80%80"],
};
