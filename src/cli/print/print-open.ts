/** Whether a place is open, in a few words: `open until 22:00`, `closed until Mon 08:00`. */
import { oneLine } from "#kit/text/one-line.ts";
import type { ServicesBodyValue } from "#api/services.ts";

/** The time that states are of, with the offset of the place; undefined: an older server. */
export type LocalTime = ServicesBodyValue["local_time"];

type Usable = { state?: unknown; until?: unknown };

/** `Times are those of the place: UTC+01:00`; nothing where no offset is stated. */
export function offsetLine(local_time: LocalTime): string {
  const [offset] = OFFSET.exec(local_time ?? "") ?? [];
  return offset === undefined ? "" : `Times are those of the place: UTC${offset}\n`;
}

/** Null: not known. Times are those of the place, not of the reader. */
export function openWords(attributes: object, local_time: LocalTime): string | null {
  const { usable, open_status } = attributes as { usable?: Usable | null; open_status?: unknown };
  const state = usable?.state ?? open_status;
  if (state !== "open" && state !== "closed") return null;
  const until = typeof usable?.until === "string" ? untilWords(usable.until, local_time) : null;
  return until === null ? state : `${state} until ${until}`;
}

/** The time that it is now where `until` is of; undefined: it says no offset. */
export function localTimeAt(now_ms: number, attributes: object): LocalTime {
  const { usable } = attributes as { usable?: Usable | null };
  const until = typeof usable?.until === "string" ? usable.until : "";
  const [, sign, hours, minutes] = OFFSET.exec(until) ?? [];
  if (hours === undefined) return undefined;
  const offset_min = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return new Date(now_ms + offset_min * 60_000).toISOString();
}

const OFFSET = /([+-])(\d\d):(\d\d)$/;
const LOCAL = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const DAY_MS = 86_400_000;

/** `22:00` of the same day, `Mon 08:00` within a week, else the date. */
function untilWords(until: string, local_time: LocalTime): string | null {
  const [, date = "", clock = ""] = LOCAL.exec(until) ?? [];
  const [, today = ""] = LOCAL.exec(local_time ?? "") ?? [];
  const day_ms = Date.parse(date);
  if (Number.isNaN(day_ms)) return null;
  const days = (day_ms - Date.parse(today)) / DAY_MS;
  if (days === 0) return clock;
  if (days > 0 && days < 7) return `${WEEKDAYS[new Date(day_ms).getUTCDay()]} ${clock}`;
  return oneLine(date);
}
