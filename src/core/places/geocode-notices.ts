/** What one should know of candidates beyond themselves, in words. */
import { type LostBase, toUnopenedSource } from "#osm/base/other-version.ts";
import { adviseOn, sayBriefly } from "../failure-words.ts";
import { cutText } from "#kit/text/cut.ts";
import { cleanText } from "#kit/text/clean.ts";

/** Texts of a question are repeated in short. */
const TEXT_MAX = 80;

export const SEARCH_CUT =
  "the search ended at its bound, so better candidates may be missing; fewer words find more";

/** Towns of the world are being read: which places a question names outside the bases is not known yet. */
export const GAZETTEER_PENDING =
  "towns outside the imported bases are still being read, so that one which is named may be missing; ask again in a minute";

/** Says that a place which the question names lies outside all imported data. */
export function sayUncovered(place: string): string {
  return `no imported base covers ${short(place)}, so that only the place itself is known`;
}

/** Says that imported data have the place which the question names, and nothing there of its other words. */
export function sayNothingElse(place: string): string {
  return `nothing else of the question is known in ${short(place)}, so that only the place itself is shown`;
}

/** Says that an imported base of this place cannot be searched, and what to do. */
export function sayUnopened(base: LostBase): string {
  const { name, status, reason } = toUnopenedSource(base);
  const failure = { status, reason };
  return `${sayBriefly(name, failure)}, so that what it has is missing; ${adviseOn(failure)}`;
}

/** Says that nothing is called as the question has it, and by which name the candidates are. */
export function sayShownFor(query: string, name: string): string {
  return `nothing is called "${short(query)}"; shown for: ${short(name)}`;
}

function short(text: string): string {
  return cutText(cleanText(text), TEXT_MAX);
}
