/**
 * The time zone of a coordinate, offline (decisions, Legacy routes). The map of zones is loaded with
 * the first question that needs it.
 */
export type FindTimezone = (lat: number, lon: number) => string;

/** Names of IANA; at sea `Etc/GMT+…`. */
export function loadTimezones(): Promise<FindTimezone> {
  return (zones ??= import("@photostructure/tz-lookup").then(({ default: lookUp }) => lookUp));
}

/** An import that is repeated costs as much as the answer to a small question. */
let zones: Promise<FindTimezone> | null = null;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Offsets by zone and minute: what is asked now is of this minute. */
const offsets_s = new Map<string, number>();
const MOST_OFFSETS = 5_000;
/** Earlier, clocks were changed within a minute, too. */
const WHOLE_MINUTES_MS = Date.UTC(1973, 0, 1);

/** Seconds east of Greenwich that clocks of the zone are at this moment, summer time included. */
export function offsetOf_s(zone: string, at_ms: number): number {
  if (!(at_ms >= WHOLE_MINUTES_MS)) return readOffset_s(zone, at_ms);
  const key = `${Math.floor(at_ms / 60_000)} ${zone}`;
  const known = offsets_s.get(key);
  if (known !== undefined) return known;
  const offset_s = readOffset_s(zone, at_ms);
  if (offsets_s.size >= MOST_OFFSETS) offsets_s.clear();
  offsets_s.set(key, offset_s);
  return offset_s;
}

function readOffset_s(zone: string, at_ms: number): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formats.set(zone, format);
  }
  const name = format.formatToParts(at_ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
  // "GMT", "GMT+05:30", and for times long past "GMT-00:44:30".
  const [, sign, hours, minutes, seconds] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  const offset_s = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0);
  return sign === "-" ? -offset_s : offset_s;
}

/** RFC 3339 with the offset of the zone: `2026-11-23T10:00:00+01:00`; fractions are cut. */
export function toLocalTime(zone: string, at_ms: number): string {
  // Offsets of times long past have seconds, which RFC 3339 cannot say.
  const offset_min = Math.round(offsetOf_s(zone, at_ms) / 60);
  const local = new Date(Math.floor(at_ms / 1000) * 1000 + offset_min * 60_000);
  const two = (number: number): string => String(number).padStart(2, "0");
  const minutes = Math.abs(offset_min);
  const offset = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${local.toISOString().slice(0, -5)}${offset_min < 0 ? "-" : "+"}${offset}`;
}
