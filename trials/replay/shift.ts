/**
 * Moves a capture in time without touching anything else: timestamps are replaced in the text of
 * the document, so that number formats, repeated keys and broken rows stay what they were.
 */

/** Members that hold an instant, in any GBFS file of any version (mobility.md 1.2 to 1.9). */
const TIME_MEMBERS = [
  "last_updated",
  "last_reported",
  "available_until",
  // Alerts (`times`), geofencing zones, vehicle_availability. Prices per kilometre use `start` and
  // `end` too, but never with a value as large as a time.
  "start",
  "end",
  "from",
  "until",
] as const;

/** Before 2005 nothing was shared: 86400, 0 and -1 are placeholders and stay what they are. */
const MIN_TIME_S = 1_104_537_600;
const MAX_TIME_S = 4_102_444_800;
/** A number above this is milliseconds. */
const MIN_MILLISECONDS = 1e11;

// Inside a JSON string the quote before the colon would be escaped, so this only meets members.
const MEMBER = new RegExp(
  String.raw`("(?:${TIME_MEMBERS.join("|")})"\s*:\s*)("[^"\\\n]{1,40}"|-?\d+(?:\.\d+)?(?=\s*[,}\]]))`,
  "g",
);
const LAST_UPDATED = /"last_updated"\s*:\s*("[^"\\\n]{1,40}"|-?\d+(?:\.\d+)?)/;
const DIGITS = /^\d{9,13}(?:\.\d+)?$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})([T ])(\d{2}):(\d{2})(:\d{2})?([.,]\d+)?(\s?(?:Z|[+-]\d{2}(?::?\d{2})?))?$/i;

/** The document with every timestamp moved by whole seconds; 0 gives the text itself. */
export function shiftText(text: string, by_s: number): string {
  if (by_s === 0) return text;
  return text.replace(MEMBER, (_, head: string, value: string) => head + shiftValue(value, by_s));
}

/** The first plausible `last_updated` of a document, epoch seconds; null when it has none. */
export function lastUpdated_s(text: string): number | null {
  const value = LAST_UPDATED.exec(text)?.[1];
  return value === undefined ? null : timeOf_s(unquote(value));
}

/** By how much a set moves so that its newest document was published at `now_ms`; 0: nothing to go by. */
export function offset_s(texts: readonly string[], now_ms: number): number {
  const times = texts.map(lastUpdated_s).filter((time_s) => time_s !== null);
  return times.length === 0 ? 0 : Math.floor(now_ms / 1000) - Math.floor(Math.max(...times));
}

function shiftValue(value: string, by_s: number): string {
  const inner = unquote(value);
  if (timeOf_s(inner) === null) return value;
  const moved = DIGITS.test(inner) ? shiftDigits(inner, by_s) : shiftDateTime(inner, by_s);
  return value.startsWith('"') ? `"${moved}"` : moved;
}

/** Whole part only: a fraction keeps its digits. */
function shiftDigits(value: string, by_s: number): string {
  const [whole = "", fraction] = value.split(".");
  const step = Number(value) > MIN_MILLISECONDS ? by_s * 1000 : by_s;
  return String(Number(whole) + step) + (fraction === undefined ? "" : `.${fraction}`);
}

/** The wall clock moves; separator, fraction and offset are written as before. */
function shiftDateTime(value: string, by_s: number): string {
  const [, , , , separator, , , second, fraction = "", zone = ""] = DATE_TIME.exec(value)!;
  const wall = new Date(wallClock_ms(value)! + by_s * 1000).toISOString();
  const time = second === undefined ? wall.slice(11, 16) : wall.slice(11, 19);
  return `${wall.slice(0, 10)}${separator}${time}${fraction}${zone}`;
}

/** Epoch seconds of a plausible time in one of the forms publishers use, else null. */
function timeOf_s(value: string): number | null {
  const time_s = DIGITS.test(value) ? secondsOf(Number(value)) : dateTime_s(value);
  return time_s !== null && time_s >= MIN_TIME_S && time_s <= MAX_TIME_S ? time_s : null;
}

function secondsOf(number: number): number {
  return number > MIN_MILLISECONDS ? number / 1000 : number;
}

function dateTime_s(value: string): number | null {
  const wall_ms = wallClock_ms(value);
  if (wall_ms === null) return null;
  const zone = /([+-])(\d{2}):?(\d{2})?$/.exec(DATE_TIME.exec(value)![9] ?? "");
  if (!zone) return wall_ms / 1000;
  const offset = (Number(zone[2]) * 60 + Number(zone[3] ?? 0)) * 60;
  return wall_ms / 1000 + (zone[1] === "-" ? offset : -offset);
}

function wallClock_ms(value: string): number | null {
  const match = DATE_TIME.exec(value);
  if (!match) return null;
  const [, year, month, day, , hour, minute, second] = match;
  const time = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second?.slice(1) ?? 0),
  );
  return Number.isFinite(time) ? time : null;
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1) : value;
}
