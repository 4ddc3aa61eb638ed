/** What one should know of candidates beyond themselves, in words. */
import { cutText } from "../text/cut.ts";
import { cleanText } from "../text/clean.ts";

/** Texts of a question are repeated in short. */
const TEXT_MAX = 80;

export const SEARCH_CUT =
  "the search ended at its bound, so better candidates may be missing; fewer words find more";

/** Says that a place which the question names lies outside all imported data. */
export function sayUncovered(place: string): string {
  return `no imported base covers ${short(place)}, so that only the place itself is known`;
}

/** Says that nothing is called as the question has it, and by which name the candidates are. */
export function sayShownFor(asked: string, name: string): string {
  return `nothing is called "${short(asked)}"; shown for: ${short(name)}`;
}

function short(text: string): string {
  return cutText(cleanText(text), TEXT_MAX);
}
