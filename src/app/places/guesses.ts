/**
 * Names with a typing error among the candidates of several bases (decisions, Unknown names): what is
 * called as the question has it goes before them, and of equal errors what is imported before the rest
 * of the world.
 */
import { wordsOf } from "#osm/geocoder/fold-words.ts";
import { sayShownFor } from "#core/places/geocode-notices.ts";
import { PLACES } from "./base-coverage.ts";
import { type BaseQuery, type BaseHit, fitOf } from "./base-hits.ts";

/** From here on a candidate is what was asked for. */
const CERTAIN = 0.95;
/** Two names have as many errors where they explain as much, but for what rounding makes of it. */
const AS_CLOSE = 0.005;

/** `isOutside`: the question's point lies outside of all bases, so that nearness alone orders. */
export function orderGuesses(
  hits: readonly BaseHit[],
  request: BaseQuery,
  { isOutside }: { isOutside: boolean },
): BaseHit[] {
  const far = hits.filter(isOfWorld);
  if (far.length === 0) return [...hits];
  const rest = hits.filter((hit) => !far.includes(hit));
  // It is of no use where something is called as the question has it.
  if (rest.some(({ item }) => fitOf(item, request) >= CERTAIN || isBegun(item, request)))
    return rest;
  const closest = Math.max(...far.map(({ item }) => item.explained));
  const leads = ({ item }: BaseHit): boolean =>
    isWritten(item) ||
    (!isOutside && isGuess(item, request) && item.explained > closest - AS_CLOSE);
  const first = hits.filter((hit) => rest.includes(hit) && leads(hit));
  return [...first, ...hits.filter((hit) => !first.includes(hit))];
}

/** Says of what is shown that it is called otherwise; none: it is not, or not all of the question is a name. */
export function noticesOfGuesses(
  q: string,
  hits: readonly BaseHit[],
  request: BaseQuery,
): string[] {
  const [first] = hits;
  const guess =
    first && isGuess(first.item, request) && !isWritten(first.item) ? first : hits.find(isOfWorld);
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
function isGuess(item: BaseHit["item"], request: BaseQuery): boolean {
  return isLike(item, request) && !isBegun(item, request);
}

/** A place of a base of which the question is the beginning: what goes on after the last letter is no error. */
function isBegun(item: BaseHit["item"], request: BaseQuery): boolean {
  const [own, last] = [wordsOf(item.name).at(-1), request.words.at(-1)];
  const goesOn = own !== undefined && last !== undefined && own.startsWith(last);
  return request.prefix === true && goesOn && isLike(item, request);
}

function isLike(
  { type, name, explained, unexplained }: BaseHit["item"],
  request: BaseQuery,
): boolean {
  return (
    PLACES.has(type) &&
    unexplained.length === 0 &&
    explained < CERTAIN &&
    wordsOf(name).length === request.words.length &&
    !request.words.some((word) => /\d/.test(word))
  );
}
