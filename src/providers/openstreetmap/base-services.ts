/**
 * Urban services of a base: the open map's rules (rules.ts) applied to a whole extract when it is
 * imported, and the result searched where it lies. What a base answers is what an Overpass server
 * would answer from the same data.
 */
import type {
  BaseSection,
  NodeFeature,
  RelationFeature,
  WayFeature,
} from "#osm/base/base-features.ts";
import { isInCell, type PageCell, WHOLE } from "#osm/pages/page-cell.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { type Columns, columnOf } from "#kit/pack.ts";
import { countedFactsOf, FACTS_VERSION } from "#core/places/place-facts.ts";
import { type PlaceHits, noHits } from "#core/places/place-hits.ts";
import { PLACE_KINDS, type Place, type PlaceKind } from "#core/places/place.ts";
import {
  type PlaceCircle,
  type PlaceRows,
  searchRows,
  type SearchOptions,
} from "#core/places/place-columns.ts";
import { indexTiles } from "#kit/tile-index.ts";
import { cellAt, tileAt } from "#kit/tiles.ts";
import { readBytes, toBlob } from "#kit/bytes.ts";
import { createTrail, droppedCount, type Trail } from "#kit/trail.ts";
import { type Element, elementId, placed, toTags } from "./element.ts";
import { isKind } from "./osm-rules.ts";
import { placesOf } from "./tags.ts";

const NAME = "services";
/** Keys of which one is in every rule. */
const KEYS: readonly string[] = [
  ...["amenity", "emergency", "medical", "man_made", "natural"],
  ...["drinking_water:refill", "fountain", "internet_access", "wifi"],
];
const STEP_ROWS = 2_000;
/** Places that are kept as objects between questions: at most twice as many. */
const MAX_MADE = 10_000;

type Counts = Readonly<Partial<Record<PlaceKind, number>>>;
/** `facts`, `cells`: absent in bases that were imported before these were written. */
type Meta = { counts: Counts; trail: Trail; facts?: number; cells?: boolean };

/** The services of one base. */
export type BaseServices = {
  counts: Counts;
  /** Of all services; null: it was made without them. */
  rows: PlaceRows | null;
  /** Services of these kinds within the circle, in no particular order; as values. */
  search(kinds: readonly PlaceKind[], circle: PlaceCircle, options: SearchOptions): PlaceHits;
};

/** Collects the services of an extract; `cell`: those alone whose point lies in it. */
export function createServicesSection({ cell = WHOLE }: { cell?: PageCell } = {}): BaseSection {
  const elements: Element[] = [];
  const trail = createTrail();
  const take = (
    { type, id, tags }: NodeFeature | WayFeature | RelationFeature,
    centre: readonly [lat7: number, lon7: number] | null,
  ): void => {
    const ours = PLACE_KINDS.some((kind) => isKind(tags, kind));
    const name = elementId(type, id);
    if (!ours || name === null) return;
    if (centre !== null && !isInCell(cell, centre[0], centre[1])) return;
    const at = centre === null ? {} : { lat: centre[0] / 1e7, lon: centre[1] / 1e7 };
    const element = placed(name, at, { tags: toTags(Object.fromEntries(tags)), trail });
    if (element) elements.push(element);
  };
  return {
    name: NAME,
    keys: { node: KEYS, way: KEYS, relation: KEYS },
    node: (node) => take(node, [node.lat7, node.lon7]),
    way: (way) => take(way, centreOf(boxOf(way.points))),
    relation: (relation) => take(relation, centreOf(relation.box)),
    *finish() {
      const places: Place[] = [];
      for (const kind of PLACE_KINDS) {
        const fitting = elements.filter(({ tags }) => isKind(tags, kind));
        places.push(...placesOf(fitting, [kind], trail));
        yield;
      }
      const counts: Partial<Record<PlaceKind, number>> = {};
      for (const { kind } of places) counts[kind] = (counts[kind] ?? 0) + 1;
      const meta: Meta = { counts, trail: trail.toTrail(), facts: FACTS_VERSION, cells: true };
      const columns = yield* toColumns(places);
      return { columns, meta, counts: { ...counts, left_out: droppedCount(meta.trail) } };
    },
  };
}

/** Centre of the box around it, as Overpass gives it (`out center`); null: nowhere. */
function centreOf(box: RelationFeature["box"]): readonly [lat7: number, lon7: number] | null {
  if (box === null) return null;
  const [south, west, north, east] = box;
  return [Math.round((south + north) / 2), Math.round((west + east) / 2)];
}

function boxOf(points: Int32Array): RelationFeature["box"] {
  if (points.length === 0) return null;
  const box: [number, number, number, number] = [points[0]!, points[1]!, points[0]!, points[1]!];
  for (let i = 2; i < points.length; i += 2) {
    box[0] = Math.min(box[0], points[i]!);
    box[1] = Math.min(box[1], points[i + 1]!);
    box[2] = Math.max(box[2], points[i]!);
    box[3] = Math.max(box[3], points[i + 1]!);
  }
  return box;
}

/** Rows in the order of their tiles, and of their cells; a row's text is the place as JSON. */
function* toColumns(places: readonly Place[]): Generator<void, Columns> {
  const rows = places
    .map((place) => ({
      place,
      tile: tileAt(place.lat, place.lon),
      cell: cellAt(place.lat, place.lon),
    }))
    .sort(
      (a, b) =>
        a.tile - b.tile || a.cell - b.cell || (a.place.external_id < b.place.external_id ? -1 : 1),
    );
  const texts: string[] = [];
  for (const [row, { place }] of rows.entries()) {
    texts.push(JSON.stringify(place));
    if (row % STEP_ROWS === 0) yield;
  }
  const { bytes, offsets } = toBlob(texts);
  const { tiles, starts } = indexTiles(rows.map(({ tile }) => tile));
  return {
    lats: Float64Array.from(rows, ({ place }) => place.lat),
    lons: Float64Array.from(rows, ({ place }) => place.lon),
    kinds: Uint8Array.from(rows, ({ place }) => PLACE_KINDS.indexOf(place.kind)),
    facts: Uint8Array.from(rows, ({ place }) => countedFactsOf(place)),
    texts: bytes,
    text_starts: offsets,
    tiles,
    tile_starts: starts,
  };
}

/** The services of an open base; one that was made without them has none. */
export function openServices(columns: Columns, meta: unknown): BaseServices {
  if (meta === undefined) return { counts: {}, rows: null, search: noHits };
  const { counts, facts, cells = false } = meta as Meta;
  const texts = {
    bytes: columnOf(columns, `${NAME}.texts`, Uint8Array),
    offsets: columnOf(columns, `${NAME}.text_starts`, Uint32Array),
  };
  /** Of those that were read last, and of those before. */
  let [made, before] = [new Map<number, Place>(), new Map<number, Place>()];
  const rows: PlaceRows = {
    lats: columnOf(columns, `${NAME}.lats`, Float64Array),
    lons: columnOf(columns, `${NAME}.lons`, Float64Array),
    kinds: columnOf(columns, `${NAME}.kinds`, Uint8Array),
    facts: facts === FACTS_VERSION ? columnOf(columns, `${NAME}.facts`, Uint8Array) : null,
    index: {
      tiles: columnOf(columns, `${NAME}.tiles`, Uint32Array),
      starts: columnOf(columns, `${NAME}.tile_starts`, Uint32Array),
    },
    cells,
    placeAt(row) {
      const entry = made.get(row);
      if (entry) return entry;
      if (made.size >= MAX_MADE) [made, before] = [new Map(), made];
      const place = before.get(row) ?? (parseJsonBytes(readBytes(texts, row).slice()) as Place);
      made.set(row, place);
      return place;
    },
  };
  return {
    counts,
    rows,
    search: (wanted, circle, options) => searchRows(rows, wanted, circle, options),
  };
}
