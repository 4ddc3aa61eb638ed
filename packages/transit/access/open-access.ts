/** The ways within the stations of a packed feed where they lie: a network becomes an object when it is asked for. */
import { readText, readTexts } from "#kit/bytes.ts";
import { lowerBound } from "#kit/sorted.ts";
import { NO_PART } from "./access-draft.ts";
import type { AccessColumns } from "./access-layout.ts";
import type { Network } from "./station-network.ts";

export type FeedAccess = {
  /** The network of a station, by its row; null: no way within it is known. */
  network(row: number): Network | null;
  /** Places of a station among those of all, from (inclusive) to (exclusive); null: it has no network. */
  placesOf(row: number): readonly [from: number, to: number] | null;
  /** A place among those of all, by its stop id; null: it is in no network. */
  findPlace(id: string): { place: number; kind: number } | null;
  /** Stations that have a network. */
  count: number;
};

/** Networks that are kept as objects: those of a large city. */
const MOST_READ = 500;

export function openAccess(columns: AccessColumns): FeedAccess {
  const { access_stations, place_starts } = columns;
  const read = new Map<number, Network>();
  /** By their ids, made when one is first looked for. */
  let places: ReadonlyMap<string, number> | undefined;
  const indexOf = (row: number): number => {
    const at = lowerBound(access_stations, row);
    return access_stations[at] === row ? at : -1;
  };
  return {
    count: access_stations.length,
    placesOf(row) {
      const at = indexOf(row);
      return at < 0 ? null : [place_starts[at]!, place_starts[at + 1]!];
    },
    findPlace(id) {
      const ids = { bytes: columns.place_ids, offsets: columns.place_id_starts };
      places ??= new Map(readTexts(ids).map((each, place) => [each, place]));
      const place = places.get(id);
      return place === undefined ? null : { place, kind: columns.place_kinds[place]! };
    },
    network(row) {
      const entry = read.get(row);
      if (entry) return entry;
      const at = indexOf(row);
      if (at < 0) return null;
      if (read.size >= MOST_READ) read.clear();
      const network = networkAt(columns, at);
      read.set(row, network);
      return network;
    },
  };
}

function networkAt(columns: AccessColumns, at: number): Network {
  const { place_starts, way_starts } = columns;
  const first = place_starts[at]!;
  const places = Array.from({ length: place_starts[at + 1]! - first }, (_, i) => {
    const place = first + i;
    const part = columns.place_parts[place]!;
    return {
      id: readText({ bytes: columns.place_ids, offsets: columns.place_id_starts }, place),
      kind: columns.place_kinds[place]!,
      wheelchair: columns.place_wheelchairs[place]!,
      part: part === NO_PART ? NO_PART : part - first,
      code:
        readText({ bytes: columns.place_codes, offsets: columns.place_code_starts }, place) || null,
      level:
        readText({ bytes: columns.place_levels, offsets: columns.place_level_starts }, place) ||
        null,
    };
  });
  const from_way = way_starts[at]!;
  const ways = Array.from({ length: way_starts[at + 1]! - from_way }, (_, i) => {
    const way = from_way + i;
    return {
      id: readText({ bytes: columns.way_ids, offsets: columns.way_id_starts }, way),
      from: columns.way_from[way]! - first,
      to: columns.way_to[way]! - first,
      mode: columns.way_modes[way]!,
      flags: columns.way_flags[way]!,
      length_dm: columns.way_lengths[way]!,
    };
  });
  return { places, ways, is_partial: columns.access_partial[at] === 1 };
}
