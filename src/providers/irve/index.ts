/**
 * IRVE: the register of charging points that France asks every operator to publish, a row a point, and
 * their states. Reference: etalab/schema-irve, schema-irve-statique and schema-irve-dynamique.
 */
import type { PointState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import { toTime_s } from "#kit/coerce.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { COLUMNS, toDay, toPlainId, toPointState, toStated } from "#providers/irve/irve-columns.ts";
import { toPointId, toStation } from "#providers/irve/irve-station.ts";
import { type Cells, type OpenTable, openTable } from "#providers/open-table.ts";
import type { RegisterSettings, RegisterShape } from "#providers/register-shape.ts";
import { NO_GROUP, type RowGroups, rowsOfGroup, toGroups } from "#providers/row-groups.ts";

/** Points of all of Europe are fewer. */
const MAX_ROWS = 2_000_000;
/** Points of one station; more are rows that say nothing of their station. */
const MAX_POINTS = 500;

export const irve: RegisterShape = {
  id: "irve",
  name: "IRVE",
  kind: "charging",
  renew_s: 86_400,
  refresh_s: 300,
  readPlaces(body, { settings, trail }) {
    const table = open(body, [...COLUMNS.coordinates, ...COLUMNS.lat], trail);
    return table && readStations(table, settings, trail);
  },
  readStates(body, { trail }) {
    const table = open(body, [...COLUMNS.state, ...COLUMNS.occupied], trail);
    return table && readStates(table, trail);
  },
};

function open(body: Uint8Array, needed: readonly string[], trail: TrailRecorder): OpenTable | null {
  return openTable(body, {
    ...{ columns: COLUMNS, needed, max_rows: MAX_ROWS },
    onBroken: (line) => trail.drop("row_malformed", `line ${line}`),
  });
}

/** Walks twice over the rows, with a few numbers for each in between. */
function* readStations(
  table: OpenTable,
  settings: RegisterSettings,
  trail: TrailRecorder,
): Generator<Place | null, void> {
  const { ids, groups } = groupRows(table, trail);
  for (const [number, id] of ids.entries()) {
    const indexes = rowsOfGroup(groups, number);
    if (indexes.length === 0) continue;
    const place = indexes.length > MAX_POINTS ? "too_many_points" : read(id, indexes);
    if (typeof place === "string") trail.drop(place, id);
    yield typeof place === "string" ? null : place;
  }
  for (let lost = table.count - groups.order.length; lost > 0; lost--) yield null;

  function read(id: string, indexes: Uint32Array): Place | string {
    const rows = Array.from(indexes, (index) => table.row(index)).filter((cells) => cells !== null);
    return toStation(id, rows, { settings, trail });
  }
}

/** Rows by their stations, which have these ids. */
function groupRows(table: OpenTable, trail: TrailRecorder): { ids: string[]; groups: RowGroups } {
  const stations = new Map<string, number>();
  const stationOf = new Int32Array(table.count).fill(NO_GROUP);
  const days = new Int32Array(table.count);
  const points = new Map<string, number>();
  for (let index = 0; index < table.count; index++) {
    const cells = table.row(index);
    const point = cells && toPointId(cells);
    const station = cells && (toStationId(cells) ?? point);
    if (!cells || station === null) {
      trail.drop(cells ? "id_missing" : "row_malformed", `#${index}`);
      continue;
    }
    days[index] = toDay(cells(COLUMNS.date));
    const other = point === null ? undefined : points.get(point);
    if (other !== undefined) trail.drop("id_duplicate", point!);
    if (other !== undefined && days[other]! > days[index]!) continue;
    if (other !== undefined) stationOf[other] = NO_GROUP;
    if (point !== null) points.set(point, index);
    const number = stations.get(station) ?? stations.size;
    stations.set(station, number);
    stationOf[index] = number;
  }
  return { ids: [...stations.keys()], groups: toGroups(stationOf, stations.size) };
}

/** Stations that are in no register have an id of their operator's, and points alone theirs. */
function toStationId(cells: Cells): string | null {
  return toPlainId(cells(COLUMNS.station)) ?? toStated(cells(COLUMNS.station_local));
}

function* readStates(table: OpenTable, trail: TrailRecorder): Generator<PointState | null, void> {
  for (let index = 0; index < table.count; index++) {
    const cells = table.row(index);
    const state = cells ? toState(cells) : "row_malformed";
    if (typeof state === "string") trail.drop(state, (cells && toPointId(cells)) ?? `#${index}`);
    yield typeof state === "string" ? null : state;
  }
}

/** A state, or why it is dropped; a time without an offset may be hours off. */
function toState(cells: Cells): PointState | string {
  const id = toPointId(cells);
  if (id === null) return "id_missing";
  const time = cells(COLUMNS.observed);
  const observed_s = toTime_s(time);
  if (time !== undefined && observed_s === null) return "time_unusable";
  return { kind: "point", id, observed_s, state: toPointState(cells) };
}
