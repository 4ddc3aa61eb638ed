/**
 * Names with a typing error among the candidates of several bases (decisions, Unknown names): what is
 * called as the question has it goes before them, and of equal errors what is imported before the rest
 * of the world.
 */
import { wordsOf } from "#osm/geocoder/fold.ts";
import { sayShownFor } from "#core/places/geocode-notices.ts";
import { PLACES } from "./base-coverage.ts";
import { type Asked, type BaseHit, fitOf } from "./base-hits.ts";

/** From here on a candidate is what was asked for. */
const CERTAIN = 0.95;
/** Two names have as many errors where they explain as much, but for what rounding makes of it. */
const AS_CLOSE = 0.005;

/** `isOutside`: the question's point lies outside of all bases, so that nearness alone orders. */
export function orderGuesses(
  hits: readonly BaseHit[],
  asked: Asked,
  { isOutside }: { isOutside: boolean },
): BaseHit[] {
  const far = hits.filter(isOfWorld);
  if (far.length === 0) return [...hits];
  const rest = hits.filter((hit) => !far.includes(hit));
  // It is of no use where something is called as the question has it.
  if (rest.some(({ item }) => fitOf(item, asked) >= CERTAIN || isBegun(item, asked))) return rest;
  const closest = Math.max(...far.map(({ item }) => item.explained));
  const leads = ({ item }: BaseHit): boolean =>
    isWritten(item) || (!isOutside && isGuess(item, asked) && item.explained > closest - AS_CLOSE);
  const first = hits.filter((hit) => rest.includes(hit) && leads(hit));
  return [...first, ...hits.filter((hit) => !first.includes(hit))];
}

/** Says of what is shown that it is called otherwise; none: it is not, or not all of the question is a name. */
export function noticesOfGuesses(q: string, shown: readonly BaseHit[], asked: Asked): string[] {
  const [first] = shown;
  const guess =
    first && isGuess(first.item, asked) && !isWritten(first.item) ? first : shown.find(isOfWorld);
  return guess ? [sayShownFor(q, guess.item.name)] : [];
}

function isOfWorld({ item }: BaseHit): boolean {
  return item.misspelt === true;
}

/** Every word of the question is a word of it. */
function isWritten({ explained, unexplained, misspelt }: BaseHit["item"]): boolean {
  return misspelt !== true && unexplained.length === 0 && explained >= CERTAIN;
}

/** A place of a base of which the whole name is like the question. */
function isGuess(item: BaseHit["item"], asked: Asked): boolean {
  return isLike(item, asked) && !isBegun(item, asked);
}

/** A place of a base of which the question is the beginning: what goes on after the last letter is no error. */
function isBegun(item: BaseHit["item"], asked: Asked): boolean {
  const [own, last] = [wordsOf(item.name).at(-1), asked.words.at(-1)];
  const goesOn = own !== undefined && last !== undefined && own.startsWith(last);
  return asked.prefix === true && goesOn && isLike(item, asked);
}

function isLike({ type, name, explained, unexplained }: BaseHit["item"], asked: Asked): boolean {
  return (
    PLACES.has(type) &&
    unexplained.length === 0 &&
    explained < CERTAIN &&
    wordsOf(name).length === asked.words.length &&
    !asked.words.some((word) => /\d/.test(word))
  );
}
