/**
 * Numbers of texts that come often, from 1 on: what comes once is written where it is. The second time
 * that a text is met it gets a number, until there are as many as are kept.
 */
const MOST_NUMBERS = 2 ** 16;
const MOST_ONCE = 2 ** 15;
/** Longer ones do not come again. */
const MOST_CHARACTERS = 40;

export class TextNumbers {
  readonly #numbers = new Map<string, number>();
  #once = new Set<string>();

  /** 0: it has none. */
  numberOf(text: string): number {
    const number = this.#numbers.get(text);
    if (number !== undefined) return number;
    if (text.length > MOST_CHARACTERS || this.#numbers.size === MOST_NUMBERS) return 0;
    if (this.#once.delete(text)) {
      this.#numbers.set(text, this.#numbers.size + 1);
      return this.#numbers.size;
    }
    if (this.#once.size === MOST_ONCE) this.#once = new Set();
    this.#once.add(text);
    return 0;
  }

  /** In the order of their numbers. */
  list(): string[] {
    return [...this.#numbers.keys()];
  }
}
