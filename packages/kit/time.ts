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

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Epoch ms of RFC 3339 with an offset; null: it is none, or no such day or time is. */
export function parseRfc3339(text: string): number | null {
  const match = RFC_3339.exec(text.toUpperCase());
  if (!match) return null;
  const [year, month, date, hour, minute, second] = match.slice(1, 7).map(Number);
  const [offset_h, offset_min] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hour! > 23 || minute! > 59 || second! > 59 || offset_h > 23 || offset_min > 59) return null;
  const day = new Date(Date.UTC(year!, month! - 1, date));
  // A date that overflows is another one.
  if (day.getUTCMonth() !== month! - 1 || day.getUTCDate() !== date) return null;
  const local_s = (hour! * 60 + minute!) * 60 + second!;
  const offset_s = (offset_h * 60 + offset_min) * 60 * (match[8] === "-" ? -1 : 1);
  return day.getTime() + (local_s - offset_s + Number(match[7] ?? 0)) * 1000;
}

export const DAY_MINUTES = 1_440;

/** Returns when a period of minutes ends. One minute before midnight is the last that formats without 24:00 can name. */
export function toPeriodEnd(minute: number): number {
  return minute % DAY_MINUTES === DAY_MINUTES - 1 ? minute + 1 : minute;
}
