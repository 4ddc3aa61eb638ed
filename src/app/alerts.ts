/** The `alerts` family of §4.9: alerts in force of the systems and stations in the circle. */
import { LIMITS } from "#contract/limits.ts";
import type { SystemAlert } from "#core/entities.ts";
import { compareBytes } from "#core/geojson.ts";
import { stationId } from "#core/ids.ts";
import { readText } from "#core/shard/bytes.ts";
import { aimAt } from "#core/geo.ts";
import { createHitSink, searchBands } from "#core/shard/band-index.ts";
import type { Shard } from "#core/shard/shard.ts";
import { toRfc3339 } from "#core/time.ts";
import { inForce } from "#world/closures.ts";
import type { Circle, SystemEntry } from "#world/world.ts";

export type AlertItem = {
  id: string;
  type: string | null;
  network_id: string;
  station_ids: string[];
  summary: string | null;
  description: string | null;
  url: string | null;
  starts_at: string | null;
  ends_at: string | null;
};

/** By id, at most 200, the same on every page (decisions, Global nearby). */
export function listAlerts(
  systems: readonly SystemEntry[],
  circle: Circle,
  now_ms: number,
): AlertItem[] {
  const items = systems.flatMap(({ shard }) => (shard ? alertsOf(shard, circle, now_ms) : []));
  items.sort((a, b) => compareBytes(a.id, b.id));
  return items.slice(0, LIMITS.nearby.alerts_max);
}

function alertsOf(shard: Shard, circle: Circle, now_ms: number): AlertItem[] {
  const alerts = shard.alerts?.data?.filter((alert) => inForce(alert, now_ms / 1000)) ?? [];
  if (alerts.length === 0) return [];
  const near = stationsNear(shard, circle);
  return alerts
    .filter((alert) => concerns(alert, near))
    .map((alert) => toItem(alert, shard, now_ms));
}

/** An alert that names stations concerns the circle through them; one that names none, always. */
function concerns(alert: SystemAlert, near: ReadonlySet<string>): boolean {
  return alert.station_ids.length === 0 || alert.station_ids.some((id) => near.has(id));
}

function stationsNear(shard: Shard, circle: Circle): ReadonlySet<string> {
  const sink = createHitSink(64);
  searchBands(shard.statics.index, aimAt(circle, circle.radius_m), sink);
  const ids = new Set<string>();
  for (let i = 0; i < sink.count; i++) ids.add(readText(shard.statics.ids, sink.rows[i]!));
  return ids;
}

function toItem(alert: SystemAlert, shard: Shard, now_ms: number): AlertItem {
  const { meta } = shard.statics;
  const window = alert.times.find((time) => inForce({ ...alert, times: [time] }, now_ms / 1000));
  return {
    id: `${meta.system_id}:${alert.id}`,
    type: alert.type,
    network_id: meta.network.id,
    station_ids: alert.station_ids.map((id) => stationId(meta.source, meta.system_id, id)),
    summary: alert.summary,
    description: alert.description,
    url: alert.url,
    starts_at: timeText(window?.start_s),
    ends_at: timeText(window?.end_s),
  };
}

function timeText(epoch_s: number | null | undefined): string | null {
  return epoch_s === null || epoch_s === undefined ? null : toRfc3339(epoch_s);
}
