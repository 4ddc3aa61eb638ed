/** The `alerts` family of §4.9: alerts in force of the systems and stations in the circle. */
import { LIMITS } from "#contract/limits.ts";
import { aimAt } from "#core/geo.ts";
import { type Alerts, findWindow } from "#core/shard/alerts.ts";
import type { Listed } from "#core/notices.ts";
import { createHitSink, searchBands } from "#core/shard/band-index.ts";
import { readBytes, readText } from "#core/shard/bytes.ts";
import type { Shard } from "#core/shard/shard.ts";
import { toRfc3339 } from "#core/time.ts";
import type { Circle, SystemEntry } from "#world/system-entry.ts";

/** An alert that is shown: its place in the pack, and the window it is in force in (-1: it has none). */
type Found = {
  alerts: Alerts;
  alert: number;
  window: number;
  id: Uint8Array;
  /** Rows of the stations inside the circle, with their distances, metres. */
  near: Near;
};
type Near = ReadonlyMap<number, number>;

const { alerts_max: MOST, named_stations_max: MOST_NAMED } = LIMITS.nearby;
const NONE: Near = new Map();

/** Rendered, by id, at most 200, the same on every page (decisions, Global nearby). */
export function listAlerts(
  systems: readonly SystemEntry[],
  circle: Circle,
  now_ms: number,
): Listed<string> {
  const now_s = now_ms / 1000;
  const lists = systems.flatMap(({ shard }) => (shard ? findAlerts(shard, circle, now_s) : []));
  const found = lists.flatMap(({ items }) => items);
  found.sort((a, b) => Buffer.compare(a.id, b.id));
  const total = lists.reduce((sum, list) => sum + list.total, 0);
  return { items: found.slice(0, MOST).map(render), total };
}

/** The first of one system, which lie in the order of their ids. */
function findAlerts(shard: Shard, circle: Circle, now_s: number): Listed<Found> {
  const alerts = shard.alerts?.data;
  const found: Found[] = [];
  let total = 0;
  if (!alerts || alerts.count === 0) return { items: found, total };
  const near = alerts.rows.length > 0 ? rowsNear(shard, circle) : NONE;
  for (let alert = 0; alert < alerts.count; alert++) {
    const window = findWindow(alerts, alert, now_s);
    if (window === null || !concerns(alerts, alert, near)) continue;
    total++;
    if (found.length < MOST)
      found.push({ alerts, alert, window, near, id: readBytes(alerts.ids, alert) });
  }
  return { items: found, total };
}

/** An alert that names stations concerns the circle through them; one that names none, always. */
function concerns({ rows, rows_at }: Alerts, alert: number, near: Near): boolean {
  const [from, to] = [rows_at[alert]!, rows_at[alert + 1]!];
  for (let at = from; at < to; at++) if (near.has(rows[at]!)) return true;
  return from === to;
}

/** The stations inside the circle. */
function rowsNear({ statics }: Shard, circle: Circle): Near {
  const near = new Map<number, number>();
  const sink = createHitSink(64);
  searchBands(statics.index, aimAt(circle, circle.radius_m), sink);
  for (let i = 0; i < sink.count; i++) near.set(sink.rows[i]!, sink.metres[i]!);
  return near;
}

function render(found: Found): string {
  const { alerts, window } = found;
  const starts_at = timeText(alerts.starts_s[window]);
  const ends_at = timeText(alerts.ends_s[window]);
  return `${nameStations(found)},"starts_at":${starts_at},"ends_at":${ends_at}}`;
}

const LIST = `"station_ids":[`;

/**
 * The item as it is packed; of a long list of stations the ids of the nearest ones, and their count.
 * No text of a publisher looks like the list: within one, its quotes are escaped.
 */
function nameStations({ alerts, alert, near }: Found): string {
  const item = readText(alerts.items, alert);
  const { rows, rows_at } = alerts;
  const [first, end] = [rows_at[alert]!, rows_at[alert + 1]!];
  const count = end - first;
  if (count <= MOST_NAMED) return item;
  const from = item.indexOf(LIST) + LIST.length;
  const to = item.indexOf("]", from);
  const ids = item.slice(from, to).split(",");
  const away = (place: number): number => near.get(rows[first + place]!) ?? Infinity;
  const shown = Array.from(ids.keys())
    .sort((a, b) => (away(a) === away(b) ? a - b : away(a) - away(b)))
    .slice(0, MOST_NAMED)
    .map((place) => ids[place]);
  const rest = `],"station_count":${count}${item.slice(to + 1)}`;
  return `${item.slice(0, from)}${shown.join(",")}${rest}`;
}

function timeText(epoch_s = Infinity): string {
  return Number.isFinite(epoch_s) ? `"${toRfc3339(epoch_s)}"` : "null";
}
