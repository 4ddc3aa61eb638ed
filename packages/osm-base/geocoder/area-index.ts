/**
 * Areas with their rings, and which of them hold a point: a tree of boxes, and for each area its
 * edges by bands of latitude, so that a border of ten thousand points costs a few of them.
 */
import Flatbush from "flatbush";
import { columnOf, type Columns } from "#kit/pack.ts";
import { Growing } from "#kit/growing.ts";

/** An area's rings, outer and inner alike: a point inside is within an odd number of them. */
export type Rings = readonly Int32Array[];

export type AreaIndex = {
  /** Numbers of the areas that hold the point, ascending; `among`: no others are looked at. */
  at(lat7: number, lon7: number, among?: ReadonlySet<number>): readonly number[];
  /** Does an area hold the point? */
  holds(area: number, lat7: number, lon7: number): boolean;
  /** May a border of one of these areas run through a box? Never false where one does. */
  crosses(box: AreaBox, among: ReadonlySet<number>): boolean;
};

const MAX_BANDS = 4096;

/** Columns of areas in the order given. */
export function packAreas(areas: readonly Rings[]): Columns {
  const { lat7, lon7, edges, starts } = layPoints(areas);
  const boxes = new Int32Array(areas.length * 4);
  const band_from = new Uint32Array(areas.length + 1);
  const band_edges = new Growing(Uint32Array);
  const band_starts = new Growing(Uint32Array);
  band_starts.push(0);
  for (let area = 0; area < areas.length; area++) {
    const own = edges.subarray(starts[area], starts[area + 1]);
    const box = boxOfEdges(own, lat7, lon7);
    boxes.set(box, area * 4);
    const bands = bandsOf(own, lat7, box);
    const before = band_edges.length;
    for (const end of bands.starts.subarray(1)) band_starts.push(before + end);
    band_edges.pushAll(bands.edges);
    band_from[area + 1] = band_starts.length - 1;
  }
  return {
    "areas.lat7": lat7,
    "areas.lon7": lon7,
    "areas.boxes": boxes,
    "areas.band_from": band_from,
    "areas.band_starts": band_starts.view(),
    "areas.band_edges": band_edges.view(),
    "areas.tree": treeOf(boxes),
  };
}

export function openAreas(columns: Columns): AreaIndex {
  const lat7 = columnOf(columns, "areas.lat7", Int32Array);
  const lon7 = columnOf(columns, "areas.lon7", Int32Array);
  const boxes = columnOf(columns, "areas.boxes", Int32Array);
  const band_from = columnOf(columns, "areas.band_from", Uint32Array);
  const band_starts = columnOf(columns, "areas.band_starts", Uint32Array);
  const band_edges = columnOf(columns, "areas.band_edges", Uint32Array);
  const tree = openTree(columnOf(columns, "areas.tree", Uint8Array));

  function holds(area: number, lat: number, lon: number): boolean {
    const south = boxes[area * 4]!;
    const first = band_from[area]!;
    const count = band_from[area + 1]! - first;
    const band = first + bandAt(lat, south, boxes[area * 4 + 2]!, count);
    let inside = false;
    for (let i = band_starts[band]!; i < band_starts[band + 1]!; i++) {
      const edge = band_edges[i]!;
      const a = lat7[edge]!;
      const b = lat7[edge + 1]!;
      if (a > lat === b > lat) continue;
      const x = lon7[edge]!;
      if (lon < x + ((lon7[edge + 1]! - x) * (lat - a)) / (b - a)) inside = !inside;
    }
    return inside;
  }

  /** By the boxes of the edges of the bands that a box touches. */
  function borders(area: number, [south, west, north, east]: AreaBox): boolean {
    const [least, most] = [boxes[area * 4]!, boxes[area * 4 + 2]!];
    const first = band_from[area]!;
    const count = band_from[area + 1]! - first;
    const last = first + bandAt(north, least, most, count);
    for (let band = first + bandAt(south, least, most, count); band <= last; band++)
      for (let i = band_starts[band]!; i < band_starts[band + 1]!; i++) {
        const edge = band_edges[i]!;
        const [a, b, x, y] = [lat7[edge]!, lat7[edge + 1]!, lon7[edge]!, lon7[edge + 1]!];
        const isNear = Math.min(a, b) <= north && Math.max(a, b) >= south;
        if (isNear && Math.min(x, y) <= east && Math.max(x, y) >= west) return true;
      }
    return false;
  }

  return {
    at(lat, lon, among) {
      if (!tree) return [];
      const isWanted = (area: number): boolean => among === undefined || among.has(area);
      const isOne = (area: number): boolean => isWanted(area) && holds(area, lat, lon);
      return tree.search(lon, lat, lon, lat, isOne).sort((a, b) => a - b);
    },
    holds,
    crosses(box, among) {
      const [south, west, north, east] = box;
      const isOne = (area: number): boolean => among.has(area) && borders(area, box);
      return tree !== null && tree.search(west, south, east, north, isOne).length > 0;
    },
  };
}

/** A tree of boxes (south, west, north, east) as bytes; none: no bytes. */
export function treeOf(boxes: Int32Array): Uint8Array {
  if (boxes.length === 0) return new Uint8Array(0);
  const tree = new Flatbush(boxes.length / 4, 16, Int32Array);
  for (let i = 0; i < boxes.length; i += 4)
    tree.add(boxes[i + 1]!, boxes[i]!, boxes[i + 3], boxes[i + 2]);
  tree.finish();
  return new Uint8Array(tree.data as ArrayBuffer);
}

/** x is the longitude, y the latitude; null: the tree is of nothing. */
export function openTree(bytes: Uint8Array): Flatbush | null {
  return bytes.length === 0 ? null : Flatbush.from(bytes.buffer, bytes.byteOffset);
}

/** Of area i, points where an edge begins are edges[starts[i]] .. edges[starts[i + 1]]. */
type Laid = { lat7: Int32Array; lon7: Int32Array; edges: Uint32Array; starts: Uint32Array };

/** All points one behind the other. */
function layPoints(areas: readonly Rings[]): Laid {
  const rings = areas.flat();
  const points = rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  const lat7 = new Int32Array(points + rings.length);
  const lon7 = new Int32Array(points + rings.length);
  const edges = new Uint32Array(points);
  const starts = new Uint32Array(areas.length + 1);
  let at = 0;
  let edge = 0;
  for (const [area, own] of areas.entries()) {
    for (const ring of own) {
      const length = ring.length / 2;
      // Back to where it began, whether the ring says so or not.
      for (let i = 0; i <= length; i++) {
        lat7[at] = ring[(i % length) * 2]!;
        lon7[at] = ring[(i % length) * 2 + 1]!;
        if (i < length) edges[edge++] = at;
        at++;
      }
    }
    starts[area + 1] = edge;
  }
  return { lat7, lon7, edges, starts };
}

export type AreaBox = readonly [south: number, west: number, north: number, east: number];

function boxOfEdges(edges: Uint32Array, lat7: Int32Array, lon7: Int32Array): AreaBox {
  const box: [number, number, number, number] = [
    900_000_000, 1_800_000_000, -900_000_000, -1_800_000_000,
  ];
  for (const edge of edges) {
    box[0] = Math.min(box[0], lat7[edge]!);
    box[1] = Math.min(box[1], lon7[edge]!);
    box[2] = Math.max(box[2], lat7[edge]!);
    box[3] = Math.max(box[3], lon7[edge]!);
  }
  return box;
}

function bandAt(lat7: number, south: number, north: number, count: number): number {
  const band = Math.floor(((lat7 - south) / (north - south + 1)) * count);
  return Math.min(count - 1, Math.max(0, band));
}

/** Edges by band, those of band i at starts[i] .. starts[i + 1]; a long one is in several. */
function bandsOf(
  edges: Uint32Array,
  lat7: Int32Array,
  [south, , north]: AreaBox,
): { starts: Uint32Array; edges: Uint32Array } {
  const count = Math.min(MAX_BANDS, Math.max(1, Math.ceil(Math.sqrt(edges.length))));
  const each = (visit: (edge: number, band: number) => void): void => {
    for (const edge of edges) {
      const a = bandAt(lat7[edge]!, south, north, count);
      const b = bandAt(lat7[edge + 1]!, south, north, count);
      for (let band = Math.min(a, b); band <= Math.max(a, b); band++) visit(edge, band);
    }
  };
  const starts = new Uint32Array(count + 1);
  each((_, band) => starts[band + 1]!++);
  for (let band = 0; band < count; band++) starts[band + 1]! += starts[band]!;
  const banded = new Uint32Array(starts[count]!);
  const next = starts.slice();
  each((edge, band) => (banded[next[band]!++] = edge));
  return { starts, edges: banded };
}
