/**
 * The alerts pack: what a system publishes alongside its counts, by the bytes of the alerts' ids,
 * with the rows of the stations they name. It belongs to one static pack, as the status does: when
 * the static part changes, it is rebuilt (`readAlerts` returns what it was made of).
 */
import { LIMITS } from "#api/limits.ts";
import type { SystemAlert } from "../entities.ts";
import { compareBytes } from "#kit/bytes.ts";
import { stationId } from "#kit/ids.ts";
import { type Blob, readText, toBlob } from "#kit/bytes.ts";
import { openFlat, writeFlat } from "./flat.ts";
import type { Statics } from "./shard-statics.ts";

const KIND = "alerts/2";

/** Stations that the item of an alert lists by itself; of one that names more, a question lists some. */
const { named_stations_max: MOST_NAMED } = LIMITS.nearby;
/** Stations that an alert closes (R7). */
export const CLOSES = { nothing: 0, stations: 1, system: 2 } as const;

export type Alerts = {
  count: number;
  /** An alert closes something, at some time. */
  has_closures: boolean;
  /** `<system>:<alert>`, in the order of their bytes. */
  ids: Blob;
  /** Rendered start of each item, up to its window. */
  items: Blob;
  closes: Uint8Array;
  /** Windows of alert i: windows_at[i] to windows_at[i + 1]; open ends are infinite. */
  windows_at: Uint32Array;
  starts_s: Float64Array;
  ends_s: Float64Array;
  /** Stations that alert i names: rows_at[i] to rows_at[i + 1]; -1: none of the static pack. */
  rows_at: Uint32Array;
  rows: Int32Array;
  /** JSON of the alerts the pack was made of. */
  source: Blob;
  bytes: number;
  buffer: SharedArrayBuffer;
};

export function packAlerts(alerts: readonly SystemAlert[], statics: Statics): SharedArrayBuffer {
  const { system_id } = statics.meta;
  const listed = alerts
    .map((alert) => ({ alert, id: `${system_id}:${alert.id}` }))
    .sort((a, b) => compareBytes(a.id, b.id));
  const ordered = listed.map(({ alert }) => alert);
  const ids = toBlob(listed.map(({ id }) => id));
  const items = toBlob(itemTexts(ordered, statics));
  const source = toBlob(ordered.map((alert) => JSON.stringify(alert)));
  const windows = ordered.flatMap((alert) => alert.times);
  const rowOf = rowFinder(ordered, statics);
  const closes = Uint8Array.from(ordered, closesOf);
  const meta = { has_closures: closes.some((what) => what !== CLOSES.nothing) };
  return writeFlat(KIND, meta, {
    starts_s: Float64Array.from(windows, ({ start_s }) => start_s ?? -Infinity),
    ends_s: Float64Array.from(windows, ({ end_s }) => end_s ?? Infinity),
    windows_at: startsOf(ordered, (alert) => alert.times.length),
    rows_at: startsOf(ordered, (alert) => alert.station_ids.length),
    rows: Int32Array.from(
      ordered.flatMap((alert) => alert.station_ids),
      rowOf,
    ),
    closes,
    ids: ids.bytes,
    ids_at: ids.offsets,
    items: items.bytes,
    items_at: items.offsets,
    source: source.bytes,
    source_at: source.offsets,
  });
}

export function openAlerts(buffer: SharedArrayBuffer): Alerts {
  const { meta, columns, bytes } = openFlat<{ has_closures: boolean }>(KIND, buffer);
  const column = <T>(name: string): T => columns[name] as T;
  const blob = (name: string): Blob => ({ bytes: column(name), offsets: column(`${name}_at`) });
  const closes = column<Uint8Array>("closes");
  return {
    count: closes.length,
    has_closures: meta.has_closures,
    closes,
    bytes,
    buffer,
    ids: blob("ids"),
    items: blob("items"),
    source: blob("source"),
    windows_at: column("windows_at"),
    starts_s: column("starts_s"),
    ends_s: column("ends_s"),
    rows_at: column("rows_at"),
    rows: column("rows"),
  };
}

/** Returns the alerts that the pack was made of, in its order. */
export function readAlerts({ count, source }: Alerts): SystemAlert[] {
  return Array.from({ length: count }, (_, i) => JSON.parse(readText(source, i)) as SystemAlert);
}

/** The window an alert is in force in: its place among the windows; -1: it has none, null: in none. */
export function findWindow(alerts: Alerts, alert: number, now_s: number): number | null {
  const { windows_at, starts_s, ends_s } = alerts;
  const [from, to] = [windows_at[alert]!, windows_at[alert + 1]!];
  if (from === to) return -1;
  for (let i = from; i < to; i++) if (starts_s[i]! <= now_s && now_s < ends_s[i]!) return i;
  return null;
}

function itemTexts(alerts: readonly SystemAlert[], { meta }: Statics): string[] {
  const cache = new Map<string, string>();
  const idOf = (station_id: string): string => {
    const id = cache.get(station_id) ?? stationId(meta.source, meta.system_id, station_id);
    cache.set(station_id, id);
    return id;
  };
  return alerts.map((alert) => {
    const isLong = alert.station_ids.length > MOST_NAMED;
    const item = {
      id: `${meta.system_id}:${alert.id}`,
      type: alert.type,
      network_id: meta.network.id,
      ...(isLong ? {} : { station_ids: alert.station_ids.map(idOf) }),
      summary: alert.summary,
      description: alert.description,
      url: alert.url,
    };
    return JSON.stringify(item).slice(0, -1);
  });
}

function closesOf({ type, station_ids, region_ids }: SystemAlert): number {
  if (type !== "system_closure" && type !== "station_closure") return CLOSES.nothing;
  if (station_ids.length > 0) return CLOSES.stations;
  return type === "system_closure" && region_ids.length === 0 ? CLOSES.system : CLOSES.nothing;
}

function startsOf<T>(things: readonly T[], countOf: (thing: T) => number): Uint32Array {
  const starts = new Uint32Array(things.length + 1);
  things.forEach((thing, i) => (starts[i + 1] = starts[i]! + countOf(thing)));
  return starts;
}

function rowFinder(
  alerts: readonly SystemAlert[],
  statics: Statics,
): (station_id: string) => number {
  const rows = new Map<string, number>();
  if (alerts.some((alert) => alert.station_ids.length > 0))
    for (let row = 0; row < statics.count; row++) rows.set(readText(statics.ids, row), row);
  return (station_id) => rows.get(station_id) ?? -1;
}
