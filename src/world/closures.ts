/** Closure alerts (mobility.md 1.9, R7) of a shard, indexed by station row for the hot path. */
import type { SystemAlert } from "#core/entities.ts";
import { readText } from "#core/shard/bytes.ts";
import type { Shard } from "#core/shard/shard.ts";

export type Closures = { system: SystemAlert[]; stations: Map<number, SystemAlert[]> };

/** null when no alert of the shard closes anything, at any time. */
export function closuresOf(shard: Shard): Closures | null {
  const alerts = shard.alerts?.data?.filter(closes) ?? [];
  if (alerts.length === 0) return null;
  const rows = new Map<string, number>();
  for (let row = 0; row < shard.statics.count; row++)
    rows.set(readText(shard.statics.ids, row), row);
  const system = alerts.filter(isSystemWide);
  const stations = new Map<number, SystemAlert[]>();
  for (const alert of alerts) {
    for (const id of alert.station_ids) {
      const row = rows.get(id);
      if (row !== undefined) stations.set(row, [...(stations.get(row) ?? []), alert]);
    }
  }
  return { system, stations };
}

/** In force at an instant: no window at all means as long as it is published. */
export function inForce(alert: SystemAlert, now_s: number): boolean {
  if (alert.times.length === 0) return true;
  return alert.times.some(
    ({ start_s, end_s }) =>
      (start_s === null || start_s <= now_s) && (end_s === null || now_s < end_s),
  );
}

function closes(alert: SystemAlert): boolean {
  return alert.type === "system_closure" || alert.type === "station_closure";
}

function isSystemWide(alert: SystemAlert): boolean {
  return alert.type === "system_closure" && !alert.station_ids.length && !alert.region_ids.length;
}
