/** The part of a base that its map is made of: which features are drawn, and as what. */
import type { BaseSection, OsmTags, RelationFeature } from "../base/base-features.ts";
import type { Area } from "./tile-areas.ts";
import { createBoundaries } from "./tile-boundaries.ts";
import { createCells } from "./mark-cells.ts";
import { toSea } from "./coast.ts";
import { createCopies, type Copies } from "./copies.ts";
import { FULL_BITS, toGrid, toRing, toX, toY } from "./grid.ts";
import {
  type DrawnKind,
  findArea,
  findKind,
  getKind,
  type Kind,
  KINDS,
  listKeys,
  toDrawnKind,
} from "./tile-kinds.ts";
import { toLabel } from "./tile-labels.ts";
import { markRank, toMarks } from "./marks.ts";
import { createWayNumbers } from "./way-numbers.ts";
import { zoomOfLine, zoomOfPoint } from "./zooms.ts";

/** Header of the map in a base: kinds by number, so that a base means what its writer meant. */
export type MapMeta = { kinds: readonly DrawnKind[] };

/** Name of the section in a pack. */
export const SECTION = "map";

/** Squares of about thirty kilometres; the sea is drawn in those where something is, and next to it. */
const CELL_LEVEL = 10;

export function createMapSection(): BaseSection {
  const copies = createCopies();
  const cells = createCells(CELL_LEVEL, FULL_BITS);
  const boundaries = createBoundaries();
  const coasts: number[][] = [];
  /** Ways that are the outline of a relation of the same kind: drawn with its inner rings. */
  const outlines = createWayNumbers((_, next) => next);
  return {
    name: SECTION,
    keys: {
      node: listKeys("point"),
      way: [...new Set([...listKeys("line", "area"), "boundary"])],
      relation: [...new Set([...listKeys("area"), "boundary"])],
    },
    node({ lat7, lon7, tags }) {
      const kind = findKind("point", tags);
      const name = kind === null ? "" : toLabel(tags);
      if (kind === null || name === "") return;
      const [x, y] = [toX(lon7), toY(lat7)];
      if (tags.has("place")) cells.add(x, y);
      const [zoom, rank] = [zoomOfPoint(kind, tags), markRank(kind.rank, tags)];
      copies.addPoint(kind, { zoom, rank, name }, x, y);
    },
    way({ id, tags, points, closed }) {
      const line = toGrid(points);
      if (line.length < 4) return;
      if (tags.get("natural") === "coastline") coasts.push(line);
      const border = boundaries.findKind(id, tags);
      if (border !== null) addLine(copies, border, tags, line);
      const area = closed ? findArea(tags) : null;
      if (area !== null && outlines.get(id) !== area.number)
        copies.addArea(area, labelOf(area, tags), [{ points: toRing(line), inner: false }]);
      const kind = area === null ? findKind("line", tags) : null;
      if (kind !== null) addLine(copies, kind, tags, line);
      const isHere = area !== null || (kind?.layer === "road" && kind.class !== "ferry");
      if (isHere) cells.add(line[0]!, line[1]!);
    },
    relation(feature) {
      boundaries.add(feature);
      const kind = findKind("area", feature.tags);
      const areas = kind === null ? [] : toAreas(feature);
      if (kind === null || areas.length === 0) return;
      for (const area of areas) copies.addArea(kind, labelOf(kind, feature.tags), area);
      for (const { type, id, role } of feature.members)
        if (type === "way" && role !== "inner") outlines.set(id, kind.number);
    },
    *finish() {
      const box = cells.box();
      const sea = box === null ? [] : yield* toSea(coasts, box, cells);
      for (const area of sea) copies.addArea(getKind("water", "ocean"), "", area);
      const { columns, counts } = yield* copies.finish();
      const meta: MapMeta = { kinds: KINDS.map(toDrawnKind) };
      return { columns, meta, counts };
    },
  };
}

function addLine(copies: Copies, kind: Kind, tags: OsmTags, line: number[]): void {
  const hasStructure = kind.layer === "road" || kind.layer === "rail" || kind.layer === "water";
  const marks = hasStructure ? toMarks(tags) : 0;
  const zoom = zoomOfLine(kind, tags);
  const nameOf = (full: boolean): string => (kind.layer === "boundary" ? "" : toLabel(tags, full));
  copies.addLine(kind, { zoom, marks, nameOf }, line);
}

/** Of an area: most are drawn without a name. */
function labelOf({ label }: Kind, tags: OsmTags): string {
  return label === null ? "" : toLabel(tags);
}

/** Each outer ring with its inner ones; what has no three points has no inside. */
function toAreas({ rings }: RelationFeature): Area[] {
  const areas: { points: number[]; inner: boolean }[][] = [];
  for (const { points, inner } of rings) {
    const ring = { points: toRing(toGrid(points)), inner };
    const isRing = ring.points.length >= 6;
    if (!inner) areas.push(isRing ? [ring] : []);
    else if (isRing && areas.at(-1)?.length) areas.at(-1)!.push(ring);
  }
  return areas.filter(({ length }) => length > 0);
}
