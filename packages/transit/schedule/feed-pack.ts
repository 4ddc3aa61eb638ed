/**
 * A feed's stations packed: what the importer writes, the store keeps and the world opens. Opening
 * makes views; a station becomes an object when it is asked for.
 */
import { distance_m } from "#kit/geo.ts";
import { filled, letGo } from "#kit/growing.ts";
import { indexTiles, spansIn } from "#kit/tile-index.ts";
import { tileAt } from "#kit/tiles.ts";
import { rankAll, readText, toBlob } from "#kit/bytes.ts";
import { readFeedPack, writeFeedPack, type FeedMeta, type PackColumns } from "./feed-layout.ts";
import { orderModes } from "./schedule-modes.ts";
import { transitId } from "./schedule-results.ts";
import type { TransitOperator, TransitStation, Wheelchair } from "./station.ts";
import type { FeedStation, TransitFeed } from "./schedule-stations.ts";
import { packAccess } from "../access/access-pack.ts";
import { openAccess, type FeedAccess } from "../access/open-access.ts";
import { packTimetable } from "../timetable/timetable-pack.ts";
import { openTimetable, type Timetable } from "../timetable/timetable.ts";

type FeedHit = { row: number; distance_m: number };

export type OpenFeed = {
  meta: FeedMeta;
  count: number;
  /**
   * At most `most` stations, nearest first, then in the order of the rows; of a circle with more than
   * MOST_LOOKED the nearest of those. Absent: all.
   */
  search(lat: number, lon: number, radius_m: number, most?: number): FeedHit[];
  station(row: number): TransitStation;
  nameOf(row: number): string;
  /** Row of a station by its id in the feed; null: it is not there. */
  findStation(id: string): number | null;
  /** The same by the id that answers give it. */
  findPublic(public_id: string): number | null;
  /** null: its departures are not known. */
  timetable: Timetable | null;
  /** Ways within stations; null: none are known. */
  access: FeedAccess | null;
};

export const WHEELCHAIRS: readonly Wheelchair[] = ["unknown", "yes", "no"];
const STEP_ROWS = 1_024;
/** Stations of a circle that a question is answered from: twice those of the densest cities. */
export const MOST_STATIONS = 1_000;
/** Of which the nearest are found. */
const MOST_LOOKED = 100_000;
/** Stations that are kept as objects: those of a large city. */
const MOST_READ = 5_000;

/**
 * The snapshot of a feed, in steps, so that the caller may let others have the thread between them.
 * `create`: memory for it, all zeros; absent: of the thread alone.
 */
export function* packFeedSteps<B extends ArrayBufferLike = ArrayBuffer>(
  feed: TransitFeed & Pick<FeedMeta, "imported_from" | "imported_box">,
  create?: (bytes: number) => Uint8Array<B>,
): Generator<void, Uint8Array<B>> {
  const { stations, timetable: draft, access: ways = null, ...rest } = feed;
  const { length: station_count } = stations;
  const { columns, rows } = yield* toColumns(stations, feed);
  draft?.release?.("stations");
  const timetable = draft && (yield* packTimetable(draft, rows));
  const access = ways && (yield* packAccess(ways, rows));
  const { length: routes } = rest.routes;
  const { length: operators } = rest.operators;
  return yield* writeFeedPack<B>(
    {
      ...rest,
      counts: { stations: station_count, routes, operators },
      timetable: timetable?.meta ?? null,
      ...(access && { access: access.meta }),
    },
    { ...columns, ...timetable?.columns, ...access?.columns },
    // Where it is packed once, what the pack has is freed, so that both are never there as a whole.
    { onCopied: draft?.release ? (column) => letGo([column]) : undefined, create },
  );
}

/** Null for bytes that are not a whole snapshot of this version. */
export function openFeed(bytes: Uint8Array): OpenFeed | null {
  const pack = readFeedPack(bytes);
  if (pack === null) return null;
  const { meta, columns, timetable, access } = pack;
  const index = { tiles: columns.tiles, starts: columns.tile_starts };
  const operators = new Map(meta.operators.map((operator) => [operator.id, operator]));
  /** Stations that were asked for: values, which their readers do not change. */
  const read = new Map<number, TransitStation>();

  function findPublic(public_id: string): number | null {
    let low = 0;
    let high = columns.public_order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const row = columns.public_order[middle]!;
      const match = transitId(stationAt(row, { meta, columns, operators }).source);
      if (match === public_id) return row;
      if (match < public_id) low = middle + 1;
      else high = middle;
    }
    return null;
  }

  return {
    meta,
    count: columns.lats.length,
    search(lat, lon, radius_m, most = Number.POSITIVE_INFINITY) {
      let hits: FeedHit[] = [];
      // Beyond the nearest ones so far, none can be one of them.
      let reach_m = Number.POSITIVE_INFINITY;
      let looked = 0;
      for (const [from, to] of spansIn(index, lat, lon, radius_m))
        for (let row = from; row < to && looked < MOST_LOOKED; row++, looked++) {
          const metres = distance_m(lat, lon, columns.lats[row]!, columns.lons[row]!);
          if (metres > radius_m || metres >= reach_m) continue;
          hits.push({ row, distance_m: metres });
          if (hits.length < 2 * most) continue;
          hits = hits.sort(compareHits).slice(0, most);
          reach_m = hits.at(-1)!.distance_m;
        }
      return hits.sort(compareHits).slice(0, most);
    },
    station(row) {
      const entry = read.get(row);
      if (entry) return entry;
      if (read.size >= MOST_READ) read.clear();
      const station = stationAt(row, { meta, columns, operators });
      read.set(row, station);
      return station;
    },
    nameOf: (row) => nameAt(columns, row),
    findStation: (id) => findPublic(publicId({ ...meta, source_id: id })),
    findPublic,
    timetable: timetable && openTimetable(meta.timetable!, timetable),
    access: access && openAccess(access),
  };
}

function compareHits(a: FeedHit, b: FeedHit): number {
  return a.distance_m - b.distance_m || a.row - b.row;
}

type StationColumns = {
  columns: PackColumns;
  /** Row of each station. */
  rows: Uint32Array;
};

function* toColumns(
  stations: readonly FeedStation[],
  feed: Pick<TransitFeed, "feed_id" | "region">,
): Generator<void, StationColumns> {
  const { length: count } = stations;
  const tileOf = filled(new Float64Array(count), (i) => tileAt(stations[i]!.lat, stations[i]!.lon));
  yield;
  const order = filled(new Uint32Array(count), (i) => i).sort(
    (a, b) => tileOf[a]! - tileOf[b]! || a - b,
  );
  yield;
  const rows = Array.from(order, (i) => stations[i]!);
  const rowOf = new Uint32Array(order.length);
  order.forEach((station, row) => (rowOf[station] = row));
  const ids = toBlob(rows.map(({ id }) => id));
  yield;
  const names = toBlob(rows.map(({ name }) => name));
  const { tiles, starts: tile_starts } = indexTiles(Array.from(order, (i) => tileOf[i]!));
  yield;
  const { feed_id, region } = feed;
  const publicIds = rows.map(({ id }) => publicId({ feed_id, region, source_id: id }));
  const ranks = rankAll(publicIds);
  yield;
  const public_order = new Uint32Array(rows.length);
  ranks.forEach((rank, row) => (public_order[rank] = row));
  const columns: PackColumns = {
    public_order,
    lats: filled(new Float64Array(count), (row) => rows[row]!.lat),
    lons: filled(new Float64Array(count), (row) => rows[row]!.lon),
    ids: ids.bytes,
    id_starts: ids.offsets,
    names: names.bytes,
    name_starts: names.offsets,
    wheelchair: filled(new Uint8Array(count), (row) => WHEELCHAIRS.indexOf(rows[row]!.wheelchair)),
    ...(yield* routeLists(rows)),
    tiles,
    tile_starts,
  };
  return { columns, rows: rowOf };
}

function publicId(source: { feed_id: string; region: string | null; source_id: string }): string {
  return transitId({ ...source, provider: "gtfs", operator_id: null });
}

function* routeLists(
  rows: readonly FeedStation[],
): Generator<void, Pick<PackColumns, "routes" | "route_starts">> {
  const route_starts = new Uint32Array(rows.length + 1);
  for (const [row, { routes }] of rows.entries())
    route_starts[row + 1] = route_starts[row]! + routes.length;
  const lists = new Uint32Array(route_starts[rows.length]!);
  for (const [row, { routes }] of rows.entries()) {
    lists.set(routes, route_starts[row]);
    if (row % STEP_ROWS === 0) yield;
  }
  return { routes: lists, route_starts };
}

function nameAt({ names, name_starts }: PackColumns, row: number): string {
  return readText({ bytes: names, offsets: name_starts }, row);
}

type Feed = {
  meta: FeedMeta;
  columns: PackColumns;
  operators: ReadonlyMap<string, TransitOperator>;
};

function stationAt(row: number, { meta, columns, operators }: Feed): TransitStation {
  const list = columns.routes.subarray(columns.route_starts[row], columns.route_starts[row + 1]);
  const routes = Array.from(list, (route) => meta.routes[route]!);
  const ids = new Set(routes.map((route) => route.operator_id).filter((id) => id !== null));
  const mine = [...ids].map((id) => operators.get(id)).filter((one) => one !== undefined);
  return {
    lat: columns.lats[row]!,
    lon: columns.lons[row]!,
    name: nameAt(columns, row),
    modes: orderModes(routes.map((route) => route.mode)),
    operators: mine,
    routes,
    realtime: meta.realtime,
    alerts: meta.alerts,
    wheelchair: WHEELCHAIRS[columns.wheelchair[row]!]!,
    fetched_at_ms: meta.fetched_at_ms,
    source: {
      provider: "gtfs",
      region: meta.region,
      source_id: readText({ bytes: columns.ids, offsets: columns.id_starts }, row),
      operator_id: mine[0]?.id ?? null,
      feed_id: meta.feed_id,
    },
  };
}
