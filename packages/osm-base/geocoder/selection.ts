/** Texts of an import that are in its pack, numbered in the order they come in; 0 is the empty text. */
import { Growing } from "#kit/growing.ts";
import type { Texts } from "./name-texts.ts";

export type Selection = {
  /** Number in the pack of a text of the import. */
  add(text: number): number;
  /** The same of a text whose words are searched. */
  search(text: number): number;
  isSearched(number: number): boolean;
  get(number: number): string;
  list(): string[];
  readonly count: number;
};

export function createSelection(texts: Texts): Selection {
  const numbers = new Map<number, number>([[0, 0]]);
  const list = new Growing(Uint32Array);
  const searched = new Set<number>();
  list.push(0);
  const add = (text: number): number => {
    let number = numbers.get(text);
    if (number === undefined) {
      numbers.set(text, (number = list.length));
      list.push(text);
    }
    return number;
  };
  return {
    add,
    search(text) {
      const number = add(text);
      searched.add(number);
      return number;
    },
    isSearched: (number) => searched.has(number),
    get: (number) => texts.get(list.at(number)),
    list: () => Array.from(list.view(), texts.get),
    get count() {
      return list.length;
    },
  };
}
