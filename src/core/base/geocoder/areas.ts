/**
 * Areas with their rings, and which of them hold a point: a tree of boxes, and for each area its
 * edges by bands of latitude, so that a border of ten thousand points costs a few of them.
 */
import Flatbush from "flatbush";
import { columnOf, type Columns } from "#core/pack.ts";

/** An area's rings, outer and inner alike: a point inside is within an odd number of them. */
export type Rings = readonly Int32Array[];

export type AreaIndex = {
  /** Numbers of the areas that hold the point, ascending. */
  at(lat7: number, lon7: number): number[];
};

const MAX_BANDS = 4096;

/** Columns of areas in the order given. */
export function packAreas(areas: readonly Rings[]): Columns {
  const { lat7, lon7, edges } = layPoints(areas);
  const boxes = new Int32Array(areas.length * 4);
  const band_from = new Uint32Array(areas.length + 1);
  const band_edges: number[] = [];
  const band_starts: number[] = [0];
  for (let area = 0; area < areas.length; area++) {
    const own = edges[area]!;
    const box = boxOfEdges(own, lat7, lon7);
    boxes.set(box, area * 4);
    for (const band of bandsOf(own, lat7, box)) {
      for (const edge of band) band_edges.push(edge);
      band_starts.push(band_edges.length);
    }
    band_from[area + 1] = band_starts.length - 1;
  }
  return {
    "areas.lat7": lat7,
    "areas.lon7": lon7,
    "areas.boxes": boxes,
    "areas.band_from": band_from,
    "areas.band_starts": Uint32Array.from(band_starts),
    "areas.band_edges": Uint32Array.from(band_edges),
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

  return {
    at: (lat, lon) =>
      tree
        ? tree.search(lon, lat, lon, lat, (area) => holds(area, lat, lon)).sort((a, b) => a - b)
        : [],
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

type Laid = { lat7: Int32Array; lon7: Int32Array; edges: number[][] };

/** All points one behind the other, and of each area the numbers of points where an edge begins. */
function layPoints(areas: readonly Rings[]): Laid {
  const total = areas.flat().reduce((sum, ring) => sum + ring.length / 2 + 1, 0);
  const lat7 = new Int32Array(total);
  const lon7 = new Int32Array(total);
  let at = 0;
  const edges = areas.map((rings) => {
    const own: number[] = [];
    for (const ring of rings) {
      const points = ring.length / 2;
      // Back to where it began, whether the ring says so or not.
      for (let i = 0; i <= points; i++) {
        lat7[at] = ring[(i % points) * 2]!;
        lon7[at] = ring[(i % points) * 2 + 1]!;
        if (i < points) own.push(at);
        at++;
      }
    }
    return own;
  });
  return { lat7, lon7, edges };
}

type Box = [south: number, west: number, north: number, east: number];

function boxOfEdges(edges: readonly number[], lat7: Int32Array, lon7: Int32Array): Box {
  const box: Box = [900_000_000, 1_800_000_000, -900_000_000, -1_800_000_000];
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

/** Edges by band; a long one is in several. */
function bandsOf(edges: readonly number[], lat7: Int32Array, [south, , north]: Box): number[][] {
  const count = Math.min(MAX_BANDS, Math.max(1, Math.ceil(Math.sqrt(edges.length))));
  const bands: number[][] = Array.from({ length: count }, () => []);
  for (const edge of edges) {
    const a = bandAt(lat7[edge]!, south, north, count);
    const b = bandAt(lat7[edge + 1]!, south, north, count);
    for (let band = Math.min(a, b); band <= Math.max(a, b); band++) bands[band]!.push(edge);
  }
  return bands;
}
