/** Numbers of texts: equal ones once, and in the end only those that something is labelled with. */
export type LabelNumbers = {
  add(text: string): number;
  /** The number among those of `list`, which has the text from now on; 0 is the empty one. */
  toFinal(number: number): number;
  list(): string[];
};

export function createLabels(): LabelNumbers {
  const numbers = new Map<string, number>([["", 0]]);
  const texts = [""];
  const used = [""];
  const finals = new Map<number, number>([[0, 0]]);
  return {
    add(text) {
      const before = numbers.get(text);
      if (before !== undefined) return before;
      numbers.set(text, texts.length);
      return texts.push(text) - 1;
    },
    toFinal(number) {
      const before = finals.get(number);
      if (before !== undefined) return before;
      finals.set(number, used.length);
      return used.push(texts[number]!) - 1;
    },
    list: () => used,
  };
}
