/** Durations that several parts share, and RFC 3339 in UTC with `Z` (decisions, Conventions). No clock. */

export const DAY_S = 86_400;
export const DAY_MS: number = DAY_S * 1000;

/** A question is answered this long before its deadline, so that the reply leaves in time. */
export const REPLY_MARGIN_MS = 50;
/** Data validated this recently counts as fetched after the request arrived (§4.8 `revalidate`). */
export const REVALIDATED_MS = 5_000;

/** Epoch seconds → `2026-11-21T00:37:46Z`; fractions are cut. */
export function toRfc3339(epoch_s: number): string {
  return `${new Date(Math.floor(epoch_s) * 1000).toISOString().slice(0, -5)}Z`;
}

/** `toRfc3339` for the rows of one document, which mostly repeat the second of the row before. */
export function createTimestamps(): (epoch_s: number) => string {
  let last = Number.NaN;
  let text = "";
  return (epoch_s) => {
    const second = Math.floor(epoch_s);
    if (second !== last) text = toRfc3339(second);
    last = second;
    return text;
  };
}
