/** Alerts, resolved to what they concern in a timetable, in columns that are searched. */
import { toBlob } from "#kit/bytes.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { PLACE } from "../access/access-draft.ts";
import type { FeedIndex } from "./feed-index.ts";
import { NO_VALUE, NO_START, NO_TIME, SELECTOR, type LiveColumns } from "./live-layout.ts";
import type { LiveAlert, LiveSelector } from "./live-model.ts";

const MOST_ALERTS = 20_000;
const MOST_SELECTORS = 500_000;
/** About one thing: each is looked at for every call that is listed. */
const MOST_OF_KEY = 500;
/** Of an alert: the first that have not ended. */
const MOST_PERIODS = 20;

/** About places within stations, of all alerts. */
const MOST_ACCESS = 50_000;

type AlertColumns = Pick<
  LiveColumns,
  | "alert_ids"
  | "alert_id_starts"
  | "alerts"
  | "alert_starts"
  | "alert_period_starts"
  | "period_from"
  | "period_to"
  | "selector_kinds"
  | "selector_keys"
  | "selector_alerts"
  | "selector_routes"
  | "selector_stops"
  | "selector_stations"
  | "selector_days"
  | "selector_starts"
>;

type Selector = {
  kind: number;
  key: number;
  route: number;
  stop: number;
  station: number;
  day: number;
  start_s: number;
};
type Row = Selector & { alert: number };

/** `at_s`: when the newest of their messages was made. */
export function packLiveAlerts(
  index: FeedIndex,
  { alerts: input_alerts, at_s }: { alerts: readonly LiveAlert[]; at_s: number },
  trail: TrailRecorder,
): { columns: AlertColumns; is_access_cut: boolean } {
  const alerts = dropRepeated(input_alerts, trail).map((alert) =>
    withFewPeriods(alert, at_s, trail),
  );
  const result: Row[] = [];
  const access: Row[] = [];
  for (const [alert, { id, selectors, effect }] of alerts.entries())
    for (const selector of selectors) {
      const resolved = resolve(index, selector, MOST_SELECTORS - result.length);
      const inside = resolveAccess(index, selector, effect);
      if (inside !== null) access.push({ ...inside, alert });
      if (resolved === null) trail.drop("too_many_selectors", id);
      else if (resolved.length > 0) for (const each of resolved) result.push({ ...each, alert });
      else if (inside === null) trail.drop("alert_of_unknown_entity", id);
    }
  const is_access_cut = access.length > MOST_ACCESS;
  // One alert is as good as another there, so that these rows are few and none is left out.
  if (!is_access_cut) result.push(...access);
  result.sort((a, b) => a.kind - b.kind || a.key - b.key || a.alert - b.alert);
  const rows = result.filter((row, i) => {
    if (row.kind === SELECTOR.place || row.kind === SELECTOR.access) return true;
    const before = result[i - MOST_OF_KEY];
    const isTooMuch = before?.kind === row.kind && before.key === row.key;
    if (isTooMuch) trail.drop("too_many_selectors", alerts[row.alert]!.id);
    return !isTooMuch;
  });
  const ids = toBlob(alerts.map(({ id }) => id));
  // Whom it concerns lies in the columns, and may be long.
  const bodies = toBlob(alerts.map((alert) => JSON.stringify({ ...alert, selectors: undefined })));
  const periods = alerts.flatMap((alert) => alert.periods);
  const alert_period_starts = new Uint32Array(alerts.length + 1);
  for (const [i, alert] of alerts.entries())
    alert_period_starts[i + 1] = alert_period_starts[i]! + alert.periods.length;
  const columns: AlertColumns = {
    alert_ids: ids.bytes,
    alert_id_starts: ids.offsets,
    alerts: bodies.bytes,
    alert_starts: bodies.offsets,
    alert_period_starts,
    period_from: Uint32Array.from(periods, ({ from_s }) => from_s ?? NO_TIME),
    period_to: Uint32Array.from(periods, ({ to_s }) => to_s ?? NO_TIME),
    selector_kinds: Uint8Array.from(rows, ({ kind }) => kind),
    selector_keys: Uint32Array.from(rows, ({ key }) => key),
    selector_alerts: Uint32Array.from(rows, ({ alert }) => alert),
    selector_routes: Uint32Array.from(rows, ({ route }) => route),
    selector_stops: Uint32Array.from(rows, ({ stop }) => stop),
    selector_stations: Uint32Array.from(rows, ({ station }) => station),
    selector_days: Int32Array.from(rows, ({ day }) => day),
    selector_starts: Int32Array.from(rows, ({ start_s }) => start_s),
  };
  return { columns, is_access_cut };
}

/** Ids are unique within a feed: the last one counts. In order of the ids. */
function dropRepeated(alerts: readonly LiveAlert[], trail: TrailRecorder): LiveAlert[] {
  const byId = new Map<string, LiveAlert>();
  for (const alert of alerts) {
    if (byId.has(alert.id)) trail.drop("alert_stated_twice", alert.id);
    else if (byId.size === MOST_ALERTS) {
      trail.drop("too_many_alerts", alert.id);
      continue;
    }
    byId.set(alert.id, alert);
  }
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function withFewPeriods(alert: LiveAlert, at_s: number, trail: TrailRecorder): LiveAlert {
  if (alert.periods.length <= MOST_PERIODS) return alert;
  trail.repair("too_many_periods", alert.id);
  const left = alert.periods.filter(({ to_s }) => to_s === null || to_s > at_s);
  // One that has ended keeps a period: without any it would be shown for ever.
  const listed = left.length > 0 ? left : alert.periods;
  const periods = listed.toSorted((a, b) => (a.from_s ?? 0) - (b.from_s ?? 0));
  return { ...alert, periods: periods.slice(0, MOST_PERIODS) };
}

/** The rows by which a selector is found; none where a part of it is not known here. null: more than `most`. */
function resolve(index: FeedIndex, selector: LiveSelector, most: number): Selector[] | null {
  const place = placeOf(index, selector.stop_id);
  const trip = tripOf(index, selector);
  const route_id = selector.route_id ?? selector.trip?.route_id ?? null;
  const route = route_id === null ? NO_VALUE : index.routeOf(route_id);
  if (place === null || trip === null || route === null) return [];
  if (most === 0) return null;
  const { start_day, start_s } = selector.trip ?? {};
  const rest = { route, ...place, day: start_day ?? NO_START, start_s: start_s ?? NO_START };
  if (trip !== NO_VALUE) return [{ kind: SELECTOR.trip, key: trip, ...rest }];
  if (place.stop !== NO_VALUE) return [{ kind: SELECTOR.stop, key: place.stop, ...rest }];
  if (place.station !== NO_VALUE) return [{ kind: SELECTOR.station, key: place.station, ...rest }];
  if (route !== NO_VALUE) return [{ kind: SELECTOR.route, key: route, ...rest }];
  if (selector.agency_id === null) return [];
  // Looked at before they become objects: an alert of an agency may have 10,000 routes, and so each of 10,000.
  const routes = index.routesOf(selector.agency_id);
  if (routes.length > most) return null;
  return routes.map((each) => ({ kind: SELECTOR.route, key: each, ...rest, route: each }));
}

const NO_CONDITION = {
  route: NO_VALUE,
  stop: NO_VALUE,
  station: NO_VALUE,
  day: NO_START,
  start_s: NO_START,
} as const;

/**
 * The place or the station within which something is wrong; null: the alert says nothing of ways.
 * An entrance or a node without service is closed; what else is without service has its ways.
 */
function resolveAccess(
  index: FeedIndex,
  { stop_id }: LiveSelector,
  effect: string | null,
): Selector | null {
  const isAccess = effect === "accessibility_issue";
  if (stop_id === null || !(isAccess || effect === "no_service")) return null;
  const place = index.placeOf(stop_id);
  if (place !== null) {
    const isWay = place.kind === PLACE.entrance || place.kind === PLACE.node;
    if (!isAccess && !isWay) return null;
    return { kind: SELECTOR.place, key: place.place, ...NO_CONDITION };
  }
  const station = isAccess ? index.stationOf(stop_id) : null;
  return station === null ? null : { kind: SELECTOR.access, key: station, ...NO_CONDITION };
}

/** Row of the trip; NO: none is stated. null: it is not known. */
function tripOf({ timetable }: FeedIndex, { trip }: LiveSelector): number | null {
  if (trip === null) return NO_VALUE;
  if (trip.trip_id !== null) return timetable.findTrip(trip.trip_id);
  return trip.route_id === null ? null : NO_VALUE;
}

/** The id of a stop may be that of a platform or of a station. null: it is neither. */
function placeOf(
  index: FeedIndex,
  stop_id: string | null,
): Pick<Selector, "stop" | "station"> | null {
  if (stop_id === null) return { stop: NO_VALUE, station: NO_VALUE };
  const stop = index.stopOf(stop_id);
  if (stop !== null) return { stop, station: NO_VALUE };
  const station = index.stationOf(stop_id);
  return station === null ? null : { stop: NO_VALUE, station };
}
