/**
 * Rules of input: what a value must be, as a reader and in words. Queries, bodies, forms of other
 * interfaces, the configuration, the environment and command lines state their rules by these; how a
 * refusal is phrased around the words is each one's own.
 */
import { hasControls } from "./text/controls.ts";

export type Rule<T> = {
  /** In words, after "must be" or "expected". */
  words: string;
  /** undefined: not such a value. */
  read(value: unknown): T | undefined;
  /** What a value that is none has instead, after the name of what has it; null or absent: the words say enough. */
  explain?(value: unknown): string | null;
};

type Read<T> = { ok: true; value: T } | { ok: false; words: string };

/** Reads a value by rules of which each must hold; the words are those of the first that does not. */
export function readBy<T>(value: unknown, ...rules: readonly Rule<T>[]): Read<T> {
  let last = value;
  for (const { words, read } of rules) {
    const next = read(last);
    if (next === undefined) return { ok: false, words };
    last = next;
  }
  return { ok: true, value: last as T };
}

/** A rule of text whose reader returns undefined for what it does not take. */
export function textBy<T>(words: string, read: (text: string) => T | undefined): Rule<T> {
  return { words, read: (value) => (typeof value === "string" ? read(value) : undefined) };
}

/** The same rule of a value that is written as text: `convert` returns what is judged. */
export function fromText<T>(rule: Rule<T>, convert: (text: string) => unknown): Rule<T> {
  return textBy(rule.words, (text) => rule.read(convert(text)));
}

export function textThat(fits: (text: string) => boolean, words: string): Rule<string> {
  return textBy(words, (text) => (fits(text) ? text : undefined));
}

export function matching(pattern: RegExp, words: string): Rule<string> {
  return textThat((text) => pattern.test(text), words);
}

export type Bounds = {
  minimum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  maximum?: number | undefined;
};

/** A finite number within bounds; `fits` is a further condition. Minus zero is zero. */
export function numberRule(
  words: string,
  { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity }: Bounds,
  fits: (value: number) => boolean = Number.isFinite,
): Rule<number> {
  return {
    words,
    read: (value) =>
      typeof value === "number" &&
      value >= minimum &&
      value <= maximum &&
      value > exclusiveMinimum &&
      Number.isFinite(value) &&
      fits(value)
        ? value + 0
        : undefined,
  };
}

export const BOOLEAN: Rule<boolean> = {
  words: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
};

/** Length in code points; what cannot be shown, and half of a surrogate pair, is no text. */
export function textRule(minimum: number, maximum: number): Rule<string> {
  const words = `text of ${minimum} to ${maximum} characters without control characters`;
  const { read } = lengthRule(words, minimum, maximum);
  return textBy(words, (text) =>
    text.isWellFormed() && !hasControls(text) ? read(text) : undefined,
  );
}

/** Text of any characters, its length in code points. */
export function lengthRule(words: string, minimum: number, maximum: number): Rule<string> {
  return textBy(words, (text) => {
    // A code point is one or two units: what is longer than twice the bound need not be counted.
    if (text.length > maximum * 2) return undefined;
    const { length } = Array.from(text);
    return length >= minimum && length <= maximum ? text : undefined;
  });
}

export function choiceRule<const T>(choices: readonly T[]): Rule<T> {
  const words = choices.length === 1 ? String(choices[0]) : `one of ${choices.join(", ")}`;
  return { words, read: (value) => choices.find((choice) => choice === value) };
}

/** An array, or text with commas in between as query strings have it; no item twice in the value. */
export function listRule<const T extends string>(choices: readonly T[]): Rule<readonly T[]> {
  return {
    words: `an array or comma-separated list of ${choices.join(", ")}`,
    read: (value) => {
      const items: unknown = typeof value === "string" ? value.split(",") : value;
      if (!Array.isArray(items) || items.length === 0) return undefined;
      const entries: T[] = [];
      for (const item of items) {
        const name: unknown = typeof value === "string" ? (item as string).trim() : item;
        const choice = choices.find((each) => each === name);
        if (choice === undefined) return undefined;
        if (!entries.includes(choice)) entries.push(choice);
      }
      return entries;
    },
  };
}

/** An array, or text with semicolons between the items, which may have commas. */
export function manyOf<T>(
  item: Rule<T>,
  words: string,
  { minItems, maxItems }: { minItems: number; maxItems: number },
): Rule<readonly T[]> {
  return {
    words,
    read: (value) => {
      const input: unknown = typeof value === "string" ? value.split(";", maxItems + 1) : value;
      if (!Array.isArray(input) || input.length < minItems || input.length > maxItems)
        return undefined;
      const items = input.map(item.read);
      return items.includes(undefined) ? undefined : (items as T[]);
    },
  };
}

export function orNull<T>({ words, read }: Rule<T>): Rule<T | null> {
  return { words: `${words}, or null`, read: (value) => (value === null ? null : read(value)) };
}
