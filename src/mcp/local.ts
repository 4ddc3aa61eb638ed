/** The time of day at a place, and every other time of an answer about it by the same clocks. */
import { type FindTimezone, toLocalTime } from "#app/timezone.ts";
import { parseRfc3339 } from "#kit/time.ts";

export type LocalMembers = { local_time: string; weekday: string; time_zone: string };

export type Clocks = {
  /** Zones of points, by the maps. */
  timezones(): Promise<FindTimezone>;
  /** The zone that a system of shared mobility states for all of its things; null: it states none. */
  statedZone(source_id: string): string | null;
};

/**
 * The time at a point. `sources`: ids of the sources of the things that the answer is about, the nearest
 * thing first; the first zone that one of them states goes before that of the maps.
 */
export async function localAt(
  { timezones, statedZone }: Clocks,
  { lat, lon }: { lat: number; lon: number },
  { at_ms, sources = [] }: { at_ms: number; sources?: Iterable<string> },
): Promise<LocalMembers> {
  let time_zone: string | null = null;
  for (const source of sources) if ((time_zone = statedZone(source)) !== null) break;
  time_zone ??= (await timezones())(lat, lon);
  return toLocal(toLocalTime(time_zone, at_ms), time_zone);
}

/** Things at which a stated zone is looked for: further ones are not nearer than the maps are exact. */
export const MOST_THINGS = 20;

/** Sources of things in their order, for `localAt`. */
export function* sourcesOfThings(
  things: readonly { sources: readonly string[] }[],
): Generator<string> {
  for (const { sources } of things.slice(0, MOST_THINGS)) yield* sources;
}

/** Adds the weekday to a local time with its offset. */
export function toLocal(local_time: string, time_zone: string): LocalMembers {
  const day = new Date(`${local_time.slice(0, 10)}T00:00:00Z`).getUTCDay();
  return { local_time, weekday: WEEKDAYS[day]!, time_zone };
}

const WEEKDAYS = [
  ...["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
] as const;

/**
 * An answer about a place with all of its times in the offset of the place (decisions, Times about a place),
 * the same instants; one that names no zone is as it was. Texts of sources are left alone: members
 * of ours that are times are known by their names.
 */
export function withPlaceTimes<T extends object>(answer: T): T {
  const { time_zone } = answer as { time_zone?: unknown };
  return typeof time_zone === "string" ? (toPlaceTimes(answer, time_zone) as T) : answer;
}

/** Bytes by which the times of an answer are longer with an offset, `+01:00` in place of `Z`. */
export function growthOf(json: string): number {
  return (json.match(UTC_MEMBERS)?.length ?? 0) * GROWTH_BYTES;
}

const GROWTH_BYTES = "+01:00".length - "Z".length;
const UTC_MEMBERS = /T\d\d:\d\d:\d\d(?:\.\d+)?Z"/g;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const TIMES: ReadonlySet<string> = new Set([
  "at",
  "from",
  "to",
  "until",
  "last_reported",
  "kept_until",
]);

function toPlaceTimes(value: unknown, zone: string): unknown {
  if (Array.isArray(value)) return value.map((each) => toPlaceTimes(each, zone));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === "string" ? toPlaceTime(name, member, zone) : toPlaceTimes(member, zone),
    ]),
  );
}

function toPlaceTime(name: string, text: string, zone: string): string {
  if (!(TIMES.has(name) || name.endsWith("_at") || name.endsWith("_until")) || !UTC.test(text))
    return text;
  const at_ms = parseRfc3339(text);
  return at_ms === null ? text : toLocalTime(zone, at_ms);
}
