/**
 * Offsets of time zones, looked up once per zone and year: `Intl` takes microseconds for each
 * question, and an evaluation has several.
 */

/** A stretch of time in which clocks of the zone keep one offset from UTC. */
export type Stretch = { offset_ms: number; from_ms: number; to_ms: number };
export type TimeZones = {
  /** null: the zone is not known, or the moment lies outside the years 1970 to 2199. */
  find: (zone: string, at_ms: number) => Stretch | null;
};

type Zone = { format: Intl.DateTimeFormat; chunks: Map<number, Stretch[]> };

/** Somewhat more than a year, and somewhat less than a week. */
const CHUNK_MS = 2 ** 35;
const STEP_MS = 2 ** 29;
const END_MS = Date.UTC(2200, 0, 1);
/** More than there are names; texts of strangers may write them in many ways. */
const MAX_ZONES = 1_000;

/** Creates an empty memory of offsets, to be kept by the caller. */
export function createZones(): TimeZones {
  const zones = new Map<string, Zone | null>();
  return {
    find(name, at_ms) {
      if (!(at_ms >= 0 && at_ms < END_MS)) return null;
      let zone = zones.get(name);
      if (zone === undefined) {
        if (zones.size >= MAX_ZONES) zones.clear();
        zone = openZone(name);
        zones.set(name, zone);
      }
      if (!zone) return null;
      const index = Math.floor(at_ms / CHUNK_MS);
      let chunk = zone.chunks.get(index);
      if (!chunk) {
        chunk = readChunk(zone.format, index * CHUNK_MS);
        zone.chunks.set(index, chunk);
      }
      return chunk.find(({ to_ms }) => at_ms < to_ms) ?? null;
    },
  };
}

/** Reports whether it names a zone of the time zone database: not an offset, which `Intl` takes too. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && openZone(name) !== null;
}

function openZone(name: string): Zone | null {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
    return { format, chunks: new Map() };
  } catch {
    return null;
  }
}

function readChunk(format: Intl.DateTimeFormat, begin_ms: number): Stretch[] {
  const stretches: Stretch[] = [];
  let from_ms = begin_ms;
  let offset_ms = readOffset_ms(format, begin_ms);
  for (let at_ms = begin_ms; at_ms < begin_ms + CHUNK_MS; at_ms += STEP_MS) {
    const next_ms = readOffset_ms(format, at_ms + STEP_MS);
    if (next_ms === offset_ms) continue;
    const change_ms = findChange_ms(format, { at_ms, offset_ms });
    stretches.push({ offset_ms, from_ms, to_ms: change_ms });
    from_ms = change_ms;
    offset_ms = next_ms;
  }
  const to_ms = begin_ms + CHUNK_MS;
  if (from_ms < to_ms) stretches.push({ offset_ms, from_ms, to_ms });
  return stretches;
}

/** The first moment after `at_ms`, within a step, at which the offset is another. */
function findChange_ms(
  format: Intl.DateTimeFormat,
  { at_ms, offset_ms }: { at_ms: number; offset_ms: number },
): number {
  let before_ms = at_ms;
  let after_ms = at_ms + STEP_MS;
  while (after_ms - before_ms > 1) {
    const middle_ms = Math.floor((before_ms + after_ms) / 2);
    if (readOffset_ms(format, middle_ms) === offset_ms) before_ms = middle_ms;
    else after_ms = middle_ms;
  }
  return after_ms;
}

function readOffset_ms(format: Intl.DateTimeFormat, at_ms: number): number {
  const name = format.formatToParts(at_ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
  // "GMT", "GMT+05:30", and for times long past "GMT-00:44:30".
  const [, sign, hours, minutes, seconds] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  const offset_s = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0);
  return (sign === "-" ? -offset_s : offset_s) * 1_000;
}
