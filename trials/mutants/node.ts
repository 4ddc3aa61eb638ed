/** A piece of source text as the parser gives it, and a change of it. */
export type Node = { type: string; start: number; end: number; [member: string]: unknown };

export type Change = { start: number; end: number; text: string; what: string };

export const FUNCTIONS: ReadonlySet<string> = new Set([
  "FunctionExpression",
  "ArrowFunctionExpression",
]);

/** Replaces a word between two places; null: it is not there. */
export function textBetween(
  source: string,
  from: number,
  to: number,
  word: string,
  text: string,
): Change | null {
  const at = source.slice(from, to).indexOf(word);
  if (at === -1) return null;
  const start = from + at;
  return { start, end: start + word.length, text, what: `${word} → ${text}` };
}
