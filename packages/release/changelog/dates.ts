/** Times of the changelog: RFC 3339 in UTC, which is strict ISO 8601 (decisions, Conventions). */

const FORM = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?Z$/;

/**
 * Epoch milliseconds of `2026-11-21T10:00:00Z`; null: another form, or no day of the calendar. Leap
 * seconds are none here: Date has no place for them.
 */
export function parseInstant(text: string): number | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return null;
  // Date.parse takes 30 February for 2 March, and 24:00 for the next day.
  const written = `${match[1]}T${match[2]}`;
  return new Date(ms).toISOString().startsWith(written) ? ms : null;
}
