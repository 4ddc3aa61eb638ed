/** The `alerts` family of §4.9: alerts in force of the systems and stations in the circle. */
import { LIMITS } from "#api/limits.ts";
import { aimAt } from "#kit/geo.ts";
import { type Alerts, findWindow } from "#stations/shard/shard-alerts.ts";
import type { ListedNotice } from "#core/notices.ts";
import { createHitSink, searchBands } from "#stations/shard/band-index.ts";
import { readBytes, readText } from "#kit/bytes.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { toRfc3339 } from "#kit/time.ts";
import { readId } from "#world/head-id.ts";
import type { Circle, SystemEntry } from "#world/system-entry.ts";

/** An alert that is shown: its place in the pack, and the window it is in force in (-1: it has none). */
type AlertMatch = { alerts: Alerts; alert: number; window: number; id: Uint8Array; near: Near };

/** Stations of one system inside the circle. */
type Near = {
  statics: Shard["statics"];
  /** By row: its place in the order of distances, from 1 on; 0: it lies outside. */
  places: Uint32Array;
  /** The rows in that order: that of place 1 is the first. */
  rows: Uint32Array;
  /** Their ids as JSON, once one has been read: many alerts name the same stations. */
  ids: string[];
};

const { alerts_max: MOST, named_stations_max: MOST_NAMED } = LIMITS.nearby;

/** Rendered, by id, at most 200, the same on every page (decisions, Global nearby). */
export function listAlerts(
  systems: readonly SystemEntry[],
  circle: Circle,
  now_ms: number,
): ListedNotice<string> {
  const now_s = now_ms / 1000;
  const lists = systems.flatMap(({ shard }) => (shard ? findAlerts(shard, circle, now_s) : []));
  const result = lists.flatMap(({ items }) => items);
  result.sort((a, b) => Buffer.compare(a.id, b.id));
  const total = lists.reduce((sum, list) => sum + list.total, 0);
  return { items: result.slice(0, MOST).map(render), total };
}

/** The first of one system, which lie in the order of their ids. */
function findAlerts(shard: Shard, circle: Circle, now_s: number): ListedNotice<AlertMatch> {
  const alerts = shard.alerts?.data;
  const matches: AlertMatch[] = [];
  let total = 0;
  if (!alerts || alerts.count === 0) return { items: matches, total };
  const near = alerts.rows.length > 0 ? rowsNear(shard, circle) : noneNear(shard);
  for (let alert = 0; alert < alerts.count; alert++) {
    const window = findWindow(alerts, alert, now_s);
    if (window === null || !concerns(alerts, alert, near)) continue;
    total++;
    if (matches.length < MOST)
      matches.push({ alerts, alert, window, id: readBytes(alerts.ids, alert), near });
  }
  return { items: matches, total };
}

/** An alert that names stations concerns the circle through them; one that names none, always. */
function concerns({ rows, rows_at }: Alerts, alert: number, { places }: Near): boolean {
  const [from, to] = [rows_at[alert]!, rows_at[alert + 1]!];
  for (let at = from; at < to; at++) if ((places[rows[at]!] ?? 0) > 0) return true;
  return from === to;
}

function noneNear({ statics }: Shard): Near {
  return { statics, places: new Uint32Array(0), rows: new Uint32Array(0), ids: [] };
}

function rowsNear({ statics }: Shard, circle: Circle): Near {
  const places = new Uint32Array(statics.count);
  const sink = createHitSink(64);
  searchBands(statics.index, aimAt(circle, circle.radius_m), sink);
  const { count, metres, rows } = sink;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => metres[a]! - metres[b]! || a - b);
  order.forEach((hit, place) => (places[rows[hit]!] = place + 1));
  return { statics, places, rows: order.map((hit) => rows[hit]!), ids: [] };
}

function render({ alerts, alert, window, near }: AlertMatch): string {
  const starts_at = timeText(alerts.starts_s[window]);
  const ends_at = timeText(alerts.ends_s[window]);
  const item = `${readText(alerts.items, alert)}${listStations(alerts, alert, near)}`;
  return `${item},"starts_at":${starts_at},"ends_at":${ends_at}}`;
}

/** Of an alert that names many stations, those that are nearest; all of them are counted. */
function listStations({ rows, rows_at }: Alerts, alert: number, near: Near): string {
  const [from, to] = [rows_at[alert]!, rows_at[alert + 1]!];
  if (to - from <= MOST_NAMED) return "";
  const { places } = near;
  const names = new Uint32Array(to - from);
  for (let at = from; at < to; at++) names[at - from] = places[rows[at]!] ?? 0;
  names.sort();
  const ids: string[] = [];
  for (let i = 0; i < names.length && ids.length < MOST_NAMED; i++) {
    const place = names[i]!;
    // Place 0 is outside; one that is named twice is listed once.
    if (place > 0 && place !== names[i - 1]) ids.push((near.ids[place - 1] ??= idAt(near, place)));
  }
  return `,"station_ids":[${ids.join()}],"station_count":${to - from}`;
}

function idAt({ statics, rows }: Near, place: number): string {
  return JSON.stringify(readId(statics.head, rows[place - 1]!).toString());
}

function timeText(epoch_s = Infinity): string {
  return Number.isFinite(epoch_s) ? `"${toRfc3339(epoch_s)}"` : "null";
}
