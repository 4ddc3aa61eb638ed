/**
 * Things of an extract as columns of a section: where each is, its kind by number, and the thing itself
 * as JSON, in the order of tiles and of cells, so that what lies near a point lies together.
 */
import type { RelationFeature } from "#osm/base/base-features.ts";
import { readBytes, toBlob } from "#kit/bytes.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { type Columns, columnOf } from "#kit/pack.ts";
import { indexTiles } from "#kit/tile-index.ts";
import { cellAt, tileAt } from "#kit/tiles.ts";
import type { ThingRows } from "#core/places/place-columns.ts";

const STEP_ROWS = 2_000;
/** Things that are kept as objects between questions: at most twice as many. */
const MAX_MADE = 10_000;

type Thing = { lat: number; lon: number; external_id: string };

/** Sorts the things, in place of those that were given, and packs them; `kindOf`: their number. */
export function* packThings<T extends Thing>(
  things: readonly T[],
  kindOf: (thing: T) => number,
): Generator<void, { columns: Columns; sorted: readonly T[] }> {
  const rows = things
    .map((thing) => ({
      thing,
      tile: tileAt(thing.lat, thing.lon),
      cell: cellAt(thing.lat, thing.lon),
    }))
    .sort(
      (a, b) =>
        a.tile - b.tile || a.cell - b.cell || (a.thing.external_id < b.thing.external_id ? -1 : 1),
    );
  const texts: string[] = [];
  for (const [row, { thing }] of rows.entries()) {
    texts.push(JSON.stringify(thing));
    if (row % STEP_ROWS === 0) yield;
  }
  const { bytes, offsets } = toBlob(texts);
  const { tiles, starts } = indexTiles(rows.map(({ tile }) => tile));
  const columns = {
    lats: Float64Array.from(rows, ({ thing }) => thing.lat),
    lons: Float64Array.from(rows, ({ thing }) => thing.lon),
    kinds: Uint8Array.from(rows, ({ thing }) => kindOf(thing)),
    texts: bytes,
    text_starts: offsets,
    tiles,
    tile_starts: starts,
  };
  return { columns, sorted: rows.map(({ thing }) => thing) };
}

/** The things of a section where they lie. `facts`: whether it has that column. */
export function openThings<T extends Thing>(
  columns: Columns,
  section: string,
  { facts, cells }: { facts: boolean; cells: boolean },
): ThingRows<T> {
  const texts = {
    bytes: columnOf(columns, `${section}.texts`, Uint8Array),
    offsets: columnOf(columns, `${section}.text_starts`, Uint32Array),
  };
  /** Of those that were read last, and of those before. */
  let [made, before] = [new Map<number, T>(), new Map<number, T>()];
  return {
    lats: columnOf(columns, `${section}.lats`, Float64Array),
    lons: columnOf(columns, `${section}.lons`, Float64Array),
    kinds: columnOf(columns, `${section}.kinds`, Uint8Array),
    facts: facts ? columnOf(columns, `${section}.facts`, Uint8Array) : null,
    index: {
      tiles: columnOf(columns, `${section}.tiles`, Uint32Array),
      starts: columnOf(columns, `${section}.tile_starts`, Uint32Array),
    },
    cells,
    placeAt(row) {
      const entry = made.get(row);
      if (entry) return entry;
      if (made.size >= MAX_MADE) [made, before] = [new Map(), made];
      const thing = before.get(row) ?? (parseJsonBytes(readBytes(texts, row).slice()) as T);
      made.set(row, thing);
      return thing;
    },
  };
}

/** Centre of the box around it, as Overpass gives it (`out center`); null: nowhere. */
export function centreOf(
  box: RelationFeature["box"],
): readonly [lat7: number, lon7: number] | null {
  if (box === null) return null;
  const [south, west, north, east] = box;
  return [Math.round((south + north) / 2), Math.round((west + east) / 2)];
}

export function boxOf(points: Int32Array): RelationFeature["box"] {
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
