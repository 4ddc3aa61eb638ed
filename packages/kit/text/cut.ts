/** Cutting a text without tearing a character apart. */

/**
 * Characters that belong to the one before them: marks, joiners, selectors, skin tones, low
 * surrogates.
 */
const FOLLOWS = /[\p{M}\p{Emoji_Modifier}\p{Join_Control}]/u;
/** A character of more parts than these is no character of a name. */
const MAX_PARTS = 32;

/** Cuts to at most `most` UTF-16 units, never within a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most;
  const least = Math.max(1, most - MAX_PARTS);
  while (end > least && tears(text, end)) end--;
  if (tears(text, end)) end = isLow(text, most) ? most - 1 : most;
  return text.slice(0, end).trimEnd();
}

/** Would a cut here part a character? */
function tears(text: string, at: number): boolean {
  if (isLow(text, at)) return true;
  const next = String.fromCodePoint(text.codePointAt(at)!);
  return FOLLOWS.test(next) || text[at - 1] === "\u200d";
}

function isLow(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
