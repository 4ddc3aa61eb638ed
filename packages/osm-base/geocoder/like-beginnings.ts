/**
 * Compares a word that is looked for with those of a base that begin like it: in which ways the
 * beginning of one is that of the other with one error or none, and what may follow it then.
 */
import { LikePattern } from "./like-pattern.ts";

/** Letters of a beginning. */
export const BEGIN = 4;
/** In the place of a letter of a beginning that is a whole word, and shorter. */
export const NO_LETTER = 0xff;

/** Which letters there are, one bit of 32 each: an error changes two of them at most. */
export function signOf(units: Uint16Array, from: number, to: number): number {
  let sign = 0;
  for (let at = from; at < to; at++) sign |= 1 << (units[at]! & 31);
  return sign >>> 0;
}

/** What follows a beginning: units of a word from one on, which are looked at closely for a few words only. */
class Tail {
  readonly sign: number;
  readonly #units: Uint16Array;
  readonly #from: number;
  #pattern: LikePattern | null = null;

  constructor(units: Uint16Array, from: number) {
    this.#units = units;
    this.#from = from;
    this.sign = signOf(units, from, units.length);
  }

  get pattern(): LikePattern {
    this.#pattern ??= new LikePattern().set(this.#units, this.#from, this.#units.length);
    return this.#pattern;
  }
}

export class Beginning {
  readonly #units: Uint16Array;
  /** Of the units of a beginning and the one behind it, the last five bits. */
  readonly #letters: number[] = [];
  readonly #allowed: number;
  /** By length of what is the beginning. */
  readonly #tails: Tail[] = [];
  /** Where the last letter of the beginning is exchanged with the next one. */
  #exchanged: Tail | null = null;
  /** What may follow the beginning that was looked at last, and with how many errors. */
  readonly #ways: Tail[] = [];
  #count = 0;
  #left = 0;

  /** `allowed`: 1 or 2 errors in the whole word. */
  constructor(units: Uint16Array, allowed: number) {
    this.#units = units;
    for (let at = 0; at <= BEGIN && at < units.length; at++) this.#letters.push(units[at]! & 31);
    this.#allowed = allowed;
    // One that is shorter than the beginning has none.
    const end = Math.min(BEGIN + 1, units.length);
    for (let from = 0; from <= end; from++) this.#tails.push(new Tail(units, from));
  }

  /** Looks at a beginning of words of the base, by the last five bits of its units; whether it is like this one. */
  look(letters: Uint8Array, from: number, length: number): boolean {
    this.#count = 0;
    const own = this.#letters;
    let at = 0;
    while (at < length && letters[from + at] === own[at]) at++;
    if (at === length) {
      this.#left = this.#allowed;
      this.#add(this.#tails[length]);
      return true;
    }
    this.#left = this.#allowed - 1;
    const isExchanged = letters[from + at] === own[at + 1];
    const isWithin = isExchanged && at + 1 < length && letters[from + at + 1] === own[at];
    if (
      isSame(letters, from + at + 1, own, at + 1, length - at - 1) ||
      (isWithin && isSame(letters, from + at + 2, own, at + 2, length - at - 2))
    )
      this.#add(this.#tails[length]);
    // The word has one letter more than the base, or one less.
    if (isSame(letters, from + at, own, at + 1, length - at)) this.#add(this.#tails[length + 1]);
    if (isSame(letters, from + at + 1, own, at, length - at - 1))
      this.#add(this.#tails[length - 1]);
    if (isExchanged && at === BEGIN - 1) this.#add(this.#afterExchange());
    return this.#count > 0;
  }

  /**
   * Whether a word with the beginning that was looked at last may be like this one, by what follows:
   * `sign`, and `units` from one to before another.
   */
  admits(sign: number, units: Uint16Array, from: number, to: number): boolean {
    const left = this.#left;
    for (let i = 0; i < this.#count; i++) {
      const way = this.#ways[i]!;
      if (bitsOf(sign ^ way.sign) <= 2 * left && way.pattern.admits(units, from, to, left))
        return true;
    }
    return false;
  }

  #afterExchange(): Tail {
    if (this.#exchanged === null) {
      const units = this.#units.slice();
      units[BEGIN] = units[BEGIN - 1]!;
      this.#exchanged = new Tail(units, BEGIN);
    }
    return this.#exchanged;
  }

  #add(tail: Tail | undefined): void {
    if (tail) this.#ways[this.#count++] = tail;
  }
}

function isSame(
  a: Uint8Array,
  from_a: number,
  b: readonly number[],
  from_b: number,
  length: number,
): boolean {
  for (let i = 0; i < length; i++) if (a[from_a + i] !== b[from_b + i]) return false;
  return true;
}

function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
