/**
 * House numbers as they are tagged and asked for: `12`, `12a`, `12 bis`, `12-16` (a row of them),
 * `3;5`, `12/3`, and `215-12`, which on streets that number so is one number: block and house.
 */
import { readWords, type Word } from "./fold-words.ts";

/** Longer texts are no house numbers. */
const MAX_CHARS = 40;
const MAX_VALUE = 400_000;
/** Numbers of one list, and steps of one row of numbers. */
const MAX_PARTS = 16;
const MAX_STEPS = 60;
/** Block and house in one value, so that houses of a block are neighbours. */
export const BLOCK = 10_000;
const NUMBER = /^(\d{1,6})(.*)$/;

/** A number as it is compared: `key` without blanks, in lower case. */
type HouseNumber = { value: number; key: string };

/** What a tag says; none: it has no number in it. */
export type Tagged = {
  /** As it is shown. */
  label: string;
  /** Every value that finds it, and the key that finds it best. */
  numbers: readonly HouseNumber[];
};

/** Reads a tag. `blocks`: a hyphen joins block and house on this street. */
export function readTag(text: string, blocks: boolean): Tagged | null {
  const label = text.trim().replace(/\s+/g, " ");
  if (label === "" || label.length > MAX_CHARS) return null;
  const numbers: HouseNumber[] = [];
  for (const part of label.split(/[;,]/).slice(0, MAX_PARTS))
    numbers.push(...readPart(part, blocks));
  // `s/n`, `A`: found at their point only.
  if (numbers.length === 0) return { label, numbers: [{ value: 0, key: keyOf(label) }] };
  return { label, numbers };
}

/** null: the text has no hyphen between two numbers. */
export function isBlockNumber(text: string): boolean | null {
  const [a, b, more] = text.split("-").map((part) => part.trim());
  if (a === undefined || b === undefined || more !== undefined) return null;
  if (!/^\d+$/.test(a) || !/^\d+[a-z]?$/i.test(b)) return null;
  return b.startsWith("0") || Number.parseInt(b, 10) <= Number(a);
}

/** `key` of a number: what two spellings of it share. */
export function keyOf(text: string): string {
  return keyOfWords(readWords(text, MAX_PARTS));
}

/** The same of words of a question. */
export function keyOfWords(words: readonly Word[]): string {
  return words
    .map((word, n) => (n > 0 && /[-/]/.test(word.between) ? word.between.trim() : "") + word.text)
    .join("");
}

/** Value that a question's number has on a street; `blocks` as of the street. */
export function valueOf(key: string, blocks: boolean): number | null {
  const [first, second] = key.split("-");
  const a = numberOf(first ?? "");
  if (a === null || !blocks) return a;
  const b = numberOf(second ?? "");
  // Written without its hyphen: the last two digits are the house.
  if (b === null || b >= BLOCK) return Math.floor(a / 100) * BLOCK + (a % 100);
  return a * BLOCK + b;
}

function readPart(part: string, blocks: boolean): HouseNumber[] {
  const key = keyOf(part);
  if (blocks) {
    const value = key.includes("-") ? valueOf(key, true) : valueOf(key, false);
    return value === null ? [] : [{ value, key }];
  }
  const [from, to] = key.split("-").map(numberOf);
  if (from === undefined || from === null) return [];
  const numbers = [{ value: from, key }];
  if (to !== undefined && to !== null) numbers.push(...stepsOf(from, to));
  for (const letter of lettersOf(key)) numbers.push({ value: from, key: `${from}${letter}` });
  const other = numberOf(key.split("/")[1] ?? "");
  if (other !== null) numbers.push({ value: other, key: String(other) });
  return numbers;
}

/** Letters of `13a-f`, `13a-13f`, `13a/b`: each is a house of the number. */
function lettersOf(key: string): string[] {
  const [, number, first, sign, again, last] = /^(\d+)([a-z])([-/])(\d*)([a-z])$/.exec(key) ?? [];
  if (first === undefined || last === undefined || (again !== "" && again !== number)) return [];
  if (sign === "/") return [first, last];
  const count = last.charCodeAt(0) - first.charCodeAt(0) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) =>
    String.fromCharCode(first.charCodeAt(0) + i),
  );
}

/** The others of a row, of its side of the street where both ends are of one side. */
function stepsOf(from: number, to: number): HouseNumber[] {
  const step = (to - from) % 2 === 0 ? 2 : 1;
  if (to <= from || (to - from) / step > MAX_STEPS) return [];
  const numbers: HouseNumber[] = [];
  for (let value = from + step; value <= to; value += step)
    numbers.push({ value, key: String(value) });
  return numbers;
}

function numberOf(text: string): number | null {
  const digits = NUMBER.exec(text)?.[1];
  const value = digits === undefined ? NaN : Number(digits);
  return value <= MAX_VALUE ? value : null;
}
