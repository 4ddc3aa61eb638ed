/** system_alerts of a system in GBFS 3.0 and 2.3. */
import type { SystemAlert } from "../entities.ts";
import {
  FIRST_TIME_S,
  type OutRow,
  type OutVersion,
  timeValue,
  type ToText,
} from "./out-envelope.ts";

const TYPES: ReadonlySet<string | null> = new Set([
  ...["system_closure", "station_closure", "station_move", "other"],
]);

/**
 * An alert with the published stations that it names; null: it says nothing of this file. One that names
 * stations of which none is published must not become one of the whole system.
 */
export function alertRow(
  alert: SystemAlert,
  station_ids: readonly string[],
  { version, toText }: { version: OutVersion; toText: ToText },
): OutRow | null {
  const { summary, description, url } = alert;
  const title = summary ?? description;
  const times = alert.times.flatMap((time) => toTime(time, version));
  if (title === null || (alert.station_ids.length > 0 && station_ids.length === 0)) return null;
  if (times.length === 0 && alert.times.length > 0) return null;
  return {
    alert_id: alert.id,
    type: TYPES.has(alert.type) ? alert.type : "other",
    ...(times.length === 0 ? {} : { times }),
    ...(station_ids.length === 0 ? {} : { station_ids }),
    ...(alert.region_ids.length === 0 ? {} : { region_ids: alert.region_ids }),
    ...(url === null ? {} : { url: toText(url) }),
    summary: toText(title),
    ...(description === null ? {} : { description: toText(description) }),
    ...lastUpdated(alert, version),
  };
}

/** None where it ended before any time that the format has. */
function toTime({ start_s, end_s }: SystemAlert["times"][number], version: OutVersion): OutRow[] {
  if (end_s !== null && end_s < FIRST_TIME_S) return [];
  const isOpen = start_s === null || start_s < FIRST_TIME_S;
  const start = isOpen ? {} : { start: timeValue(start_s, version) };
  return [{ ...start, ...(end_s === null ? {} : { end: timeValue(end_s, version) }) }];
}

function lastUpdated({ last_updated_s }: SystemAlert, version: OutVersion): OutRow {
  if (last_updated_s === null || last_updated_s < FIRST_TIME_S) return {};
  return { last_updated: timeValue(last_updated_s, version) };
}
