/** Durations that several parts share, and RFC 3339 in UTC with `Z` (decisions, Conventions). No clock. */

export const DAY_S = 86_400;
export const DAY_MS: number = DAY_S * 1000;

/** A question is answered this long before its deadline, so that the reply leaves in time. */
export const REPLY_MARGIN_MS = 50;
/** Data validated this recently counts as fetched after the request arrived (§4.8 `revalidate`). */
export const REVALIDATED_MS = 5_000;

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
