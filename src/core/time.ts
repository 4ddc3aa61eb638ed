/** RFC 3339 in UTC with `Z` (decisions, Conventions). Values come from outside; there is no clock here. */

let lastSecond = Number.NaN;
let lastText = "";

/** Epoch seconds → `2026-11-21T00:37:46Z`; fractions are cut. Rows of one feed repeat their second. */
export function toRfc3339(epoch_s: number): string {
  const second = Math.floor(epoch_s);
  if (second === lastSecond) return lastText;
  lastSecond = second;
  lastText = `${new Date(second * 1000).toISOString().slice(0, -5)}Z`;
  return lastText;
}
