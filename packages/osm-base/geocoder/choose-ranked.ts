/** Of candidates that were ranked, in one page or in several, those that are shown, the best first. */
import type { Ranked } from "./rank-answers.ts";

/** Not much less is explained than by the best. */
export const MAX_BEHIND = 0.35;

export type Choice = Ranked & {
  /** A place that the question names. */
  isNamed: boolean;
  /** House numbers of a street. */
  houses: number;
  osm: number;
  /** Of what has no object, which goes by it; empty: it has one. */
  name: string;
};

/** `least_text`: at least so much of a question is explained; `open`: its last word is the beginning of one. */
export function chooseRanked<C extends Choice>(
  ranked: readonly C[],
  { least_text, open }: { least_text: number; open: boolean },
): C[] {
  const least_against = ranked.reduce((least, { against }) => Math.min(least, against), Infinity);
  const fitting = ranked.filter(({ against }) => against === least_against);
  const best = fitting.reduce((most, { text }) => Math.max(most, text), 0);
  const least = Math.max(least_text, best - MAX_BEHIND);
  const isAnswered = fitting.some(
    ({ against, text, isItself, isNamesake }) =>
      against < 1 && !isItself && !isNamesake && text >= least,
  );
  // Where nothing is in the place that is named, the place itself is what is known; while a word is
  // being written that may turn out so.
  const isShown = ({ text, isNamed }: C): boolean =>
    text >= least || ((!isAnswered || open) && isNamed);
  return ranked.filter(isShown).sort(
    (a, b) =>
      b.score - a.score ||
      // Of two streets of one name the one with more houses is the likelier.
      b.houses - a.houses ||
      a.osm - b.osm ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
      a.doc - b.doc,
  );
}
