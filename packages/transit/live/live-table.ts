/** Opens what `buildLive` made: views of its bytes, wherever they lie. */
import { parseJson } from "#kit/json.ts";
import { type PackColumn, columnOf, readPack } from "#kit/pack.ts";
import { readText, readTexts } from "#kit/bytes.ts";
import {
  LIVE_COLUMNS,
  LIVE_FORMAT,
  NO_VALUE,
  NO_START,
  NO_TIME,
  SELECTOR,
  type LiveColumns,
  type LiveMeta,
} from "./live-layout.ts";
import type { ShownAlert } from "./live-model.ts";

export type LiveTable = {
  meta: LiveMeta;
  columns: LiveColumns;
  /** Headsign or id; null for NO. */
  text(text: number): string | null;
  alertId(row: number): string;
  alert(alert: number): ShownAlert;
  /** null: there is none of this id. */
  findAlert(id: string): ShownAlert | null;
  /** Adds the alerts about a call that are to be shown at a moment, each once. */
  addAlerts(call: AlertCall, at_s: number, into: Set<number>): void;
  /** What alerts say at a moment of the ways within a station; null: they are too many to know. */
  accessIssues(station: AccessStation, at_s: number): AccessIssues | null;
};

/** Row of a station, and its places (`FeedAccess.placesOf`). */
type AccessStation = { row: number; places: readonly [from: number, to: number] };

/** Places at which something is wrong, among those of the station; `anywhere`: or elsewhere in it. */
export type AccessIssues = { places: readonly number[]; anywhere: boolean };

/** What an alert may concern. Trip and route: NO where there is none. */
type AlertCall = {
  trip: number;
  day: number;
  start_s: number;
  route: number;
  stop: number;
  station: number;
};

/** null for anything that is not whole and ours. */
export function openLive(bytes: Uint8Array): LiveTable | null {
  const pack = readPack<LiveMeta>(LIVE_FORMAT, bytes);
  if (pack === null) return null;
  const columns = Object.fromEntries(
    Object.entries(LIVE_COLUMNS).map(([name, type]) => [
      name,
      columnOf<PackColumn>(pack.columns, name, type),
    ]),
  ) as LiveColumns;
  const texts = { bytes: columns.texts, offsets: columns.text_starts };
  const ids = { bytes: columns.alert_ids, offsets: columns.alert_id_starts };
  const bodies = { bytes: columns.alerts, offsets: columns.alert_starts };
  const alert = (row: number): ShownAlert => parseJson(readText(bodies, row)) as ShownAlert;
  /** Rows of alerts by id, made when one is first looked for. */
  let rows: ReadonlyMap<string, number> | undefined;
  return {
    meta: pack.meta,
    columns,
    text: (text) => (text === NO_VALUE ? null : readText(texts, text)),
    alertId: (row) => readText(ids, row),
    alert,
    findAlert(id) {
      rows ??= new Map(readTexts(ids).map((each, row) => [each, row]));
      const row = rows.get(id);
      return row === undefined ? null : alert(row);
    },
    addAlerts(call, at_s, into) {
      if (columns.selector_kinds.length === 0) return;
      addOf(columns, { kind: SELECTOR.trip, key: call.trip, call, at_s }, into);
      addOf(columns, { kind: SELECTOR.stop, key: call.stop, call, at_s }, into);
      addOf(columns, { kind: SELECTOR.station, key: call.station, call, at_s }, into);
      addOf(columns, { kind: SELECTOR.route, key: call.route, call, at_s }, into);
    },
    accessIssues({ row, places: [from, to] }, at_s) {
      if (pack.meta.is_access_cut) return null;
      const anywhere = keysOf(columns, { kind: SELECTOR.access, from: row, to: row + 1, at_s });
      const keys = keysOf(columns, { kind: SELECTOR.place, from, to, at_s });
      return { places: keys.map((key) => key - from), anywhere: anywhere.length > 0 };
    },
  };
}

type KeyRange = { kind: number; from: number; to: number; at_s: number };

/** Keys of a kind that active alerts name, each once. */
function keysOf(columns: LiveColumns, { kind, from, to, at_s }: KeyRange): number[] {
  const { selector_kinds, selector_keys, selector_alerts } = columns;
  const keys = new Set<number>();
  for (
    let row = firstRow(columns, kind, from);
    selector_kinds[row] === kind && selector_keys[row]! < to;
    row++
  )
    if (isActive(columns, selector_alerts[row]!, at_s)) keys.add(selector_keys[row]!);
  return [...keys];
}

/** First selector of a kind whose key is not less. */
function firstRow(columns: LiveColumns, kind: number, key: number): number {
  const { selector_kinds, selector_keys } = columns;
  let low = 0;
  let high = selector_kinds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((selector_kinds[middle]! - kind || selector_keys[middle]! - key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Search = { kind: number; key: number; call: AlertCall; at_s: number };

function addOf(columns: LiveColumns, search: Search, into: Set<number>): void {
  const { selector_kinds, selector_keys, selector_alerts } = columns;
  const { kind, key } = search;
  if (key === NO_VALUE) return;
  let low = firstRow(columns, kind, key);
  for (; selector_kinds[low] === kind && selector_keys[low] === key; low++) {
    const alert = selector_alerts[low]!;
    if (into.has(alert) || !holds(columns, low, search.call)) continue;
    if (isActive(columns, alert, search.at_s)) into.add(alert);
  }
}

function holds(columns: LiveColumns, row: number, call: AlertCall): boolean {
  return (
    isMet(columns.selector_routes[row]!, NO_VALUE, call.route) &&
    isMet(columns.selector_stops[row]!, NO_VALUE, call.stop) &&
    isMet(columns.selector_stations[row]!, NO_VALUE, call.station) &&
    isMet(columns.selector_days[row]!, NO_START, call.day) &&
    isMet(columns.selector_starts[row]!, NO_START, call.start_s)
  );
}

function isMet(wanted: number, none: number, value: number): boolean {
  return wanted === none || wanted === value;
}

/** Without periods it is shown as long as the feed has it. */
function isActive(columns: LiveColumns, alert: number, at_s: number): boolean {
  const { alert_period_starts, period_from, period_to } = columns;
  const from = alert_period_starts[alert]!;
  const to = alert_period_starts[alert + 1]!;
  for (let period = from; period < to; period++) {
    const end = period_to[period]!;
    if (at_s >= period_from[period]! && (end === NO_TIME || at_s < end)) return true;
  }
  return from === to;
}
