/** One typing error in a word. */
import type { Dice } from "../dice.ts";

const LONG = 5;

export function misspell(text: string, dice: Dice): string {
  const words = text.split(" ");
  const long = words.flatMap((word, i) => ([...word].length >= LONG ? [i] : []));
  if (long.length === 0) return text;
  const i = dice.pick(long);
  const letters = [...words[i]!];
  const at = dice.integer(1, letters.length - 2);
  const kind = dice.integer(0, 3);
  if (kind === 0) letters.splice(at, 1);
  else if (kind === 1) letters.splice(at, 0, dice.pick([..."aeinrst"]));
  else if (kind === 2) letters[at] = dice.pick([..."aeinrst"]);
  else letters.splice(at, 2, letters[at + 1]!, letters[at]!);
  words[i] = letters.join("");
  return words.join(" ");
}
