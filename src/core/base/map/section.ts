/** The part of a base that its map is made of: what is drawn, at which zooms, on which grid. */
import type {
  BaseSection,
  NodeFeature,
  OsmTags,
  RelationFeature,
  WayFeature,
} from "#core/base/features.ts";
import type { Column } from "#core/pack.ts";
import { toBlob } from "#core/shard/bytes.ts";
import { type Area, doubleAreaOf, simplifyArea, splitArea } from "./areas.ts";
import { createBoundaries } from "./boundaries.ts";
import { createCells } from "./cells.ts";
import { toSea } from "./coast.ts";
import { createDraft, type Entry } from "./draft.ts";
import {
  coarsen,
  FULL_BITS,
  GROUPS,
  MAX_ZOOM,
  toGrid,
  TOLERANCE,
  toRing,
  toX,
  toY,
} from "./grid.ts";
import { joinLines } from "./join.ts";
import {
  type DrawnKind,
  findKind,
  getKind,
  type Kind,
  KINDS,
  listKeys,
  toDrawnKind,
} from "./kinds.ts";
import { toLabel } from "./labels.ts";
import { fameOf, rankOf, toMarks } from "./marks.ts";
import { labelPoint } from "./rings.ts";
import { simplifyLine } from "./simplify.ts";

/** Header of the map in a base: kinds by number, so that a base means what its writer meant. */
export type MapMeta = { kinds: readonly DrawnKind[] };

/** Name of the section in a pack. */
export const SECTION = "map";

/** Numbers of an area that is kept in one piece. */
const AREA_MAX = 2000;
/** Pixels of an area that is worth drawing, and of one that has room for its name. */
const AREA_PX = 12;
const NAMED_PX = 2500;
/** Squares of about thirty kilometres; the sea is drawn in those where something is, and next to it. */
const CELL_LEVEL = 10;
/** A line that is not joined to others until all are known. */
type Waiting = { entry: Entry; line: number[] };

export function createMapSection(): BaseSection {
  const maker = createMaker();
  return {
    name: SECTION,
    keys: {
      node: listKeys("point"),
      way: [...new Set([...listKeys("line", "area"), "boundary"])],
      relation: [...new Set([...listKeys("area"), "boundary"])],
    },
    node: maker.node,
    way: maker.way,
    relation: maker.relation,
    finish: maker.finish,
  };
}

function createMaker(): Pick<BaseSection, "node" | "way" | "relation" | "finish"> {
  const drafts = GROUPS.map(createDraft);
  const waiting = GROUPS.map(() => new Map<string, Waiting[]>());
  const labels = createLabels();
  const cells = createCells(CELL_LEVEL, FULL_BITS);
  const coasts: number[][] = [];
  const boundaries = createBoundaries();
  /** Ways that are the outline of a relation of the same kind: drawn with its inner rings. */
  const outlines = new Map<number, number>();

  const addPoint = (
    kind: Kind,
    given: Omit<Entry, "kind" | "keep">,
    x: number,
    y: number,
  ): void => {
    const entry = { ...given, kind: kind.number, keep: kind.keep };
    GROUPS.forEach(({ max, bits }, group) => {
      if (entry.zoom > max) return;
      drafts[group]!.add(entry, [{ points: coarsen([x, y], bits), inner: false }]);
    });
  };
  const addLine = (kind: Kind, tags: OsmTags, line: number[]): void => {
    const marks = kind.layer === "road" || kind.layer === "rail" ? toMarks(tags) : 0;
    const zoom = isSiding(kind, tags) ? 13 : kind.zoom;
    const entry = { kind: kind.number, keep: kind.keep, zoom, marks, rank: null };
    const name = labels.add(toLabel(tags));
    const ref = labels.add(toLabel(tags, false));
    GROUPS.forEach(({ max, bits }, group) => {
      if (zoom > max) return;
      if (max === MAX_ZOOM) {
        drafts[group]!.add({ ...entry, label: name }, [{ points: line, inner: false }]);
        return;
      }
      // From far no street is named, and one with many names is one line; nor are bridges seen.
      const label = max <= 10 ? ref : name;
      const seen = max <= 10 ? 0 : marks;
      const key = `${kind.number} ${zoom} ${label} ${seen}`;
      const list = waiting[group]!.get(key) ?? [];
      waiting[group]!.set(key, list);
      list.push({ entry: { ...entry, label, marks: seen }, line: coarsen(line, bits) });
    });
  };
  const addArea = (kind: Kind, tags: OsmTags, area: Area): void => {
    const double = doubleAreaOf(area);
    if (double <= 0) return;
    const zoom = Math.max(kind.zoom, zoomOfArea(double, AREA_PX));
    const entry = { kind: kind.number, keep: kind.keep, zoom, marks: 0, rank: null, label: 0 };
    GROUPS.forEach(({ max, bits }, group) => {
      if (zoom > max) return;
      for (const piece of toCopies(area, bits)) drafts[group]!.add(entry, piece);
    });
    if (kind.label !== null) nameArea(kind.label, tags, area, double);
  };
  const nameArea = (label: string, tags: OsmTags, area: Area, double: number): void => {
    const text = labels.add(toLabel(tags));
    const at = text === 0 ? null : labelPoint(area.map(({ points }) => points));
    if (at === null) return;
    const zoom = Math.max(9, zoomOfArea(double, NAMED_PX));
    const rank = Math.min(63, 20 + 3 * zoom);
    addPoint(getKind("place", label), { zoom, label: text, marks: 0, rank }, at.x, at.y);
  };
  return {
    node({ lat7, lon7, tags }: NodeFeature) {
      const kind = findKind("point", tags);
      const label = kind === null ? 0 : labels.add(toLabel(tags));
      if (kind === null || label === 0) return;
      const [x, y] = [toX(lon7), toY(lat7)];
      if (tags.has("place")) cells.add(x, y);
      const zoom = kind.zoom - Math.max(0, fameOf(tags) - 1);
      addPoint(kind, { zoom, label, marks: 0, rank: rankOf(kind.rank, tags) }, x, y);
    },
    way({ id, tags, points, closed }: WayFeature) {
      if (points.length < 4) return;
      const line = toGrid(points);
      const border = boundaries.findKind(id, tags);
      if (tags.get("natural") === "coastline") coasts.push(line);
      if (line.length < 4) return;
      if (border !== null) addLine(border, tags, line);
      const area = closed ? findArea(tags) : null;
      if (area !== null) {
        if (outlines.get(id) !== area.number)
          addArea(area, tags, [{ points: toRing(line), inner: false }]);
      } else {
        const kind = findKind("line", tags);
        if (kind !== null) addLine(kind, tags, line);
        if (kind?.layer !== "road" || kind.class === "ferry") return;
      }
      cells.add(line[0]!, line[1]!);
    },
    relation(feature: RelationFeature) {
      boundaries.add(feature);
      const kind = findKind("area", feature.tags);
      if (kind === null) return;
      const areas = toAreas(feature);
      for (const area of areas) addArea(kind, feature.tags, area);
      if (areas.length === 0) return;
      for (const { type, id, role } of feature.members)
        if (type === "way" && role !== "inner") outlines.set(id, kind.number);
    },
    *finish() {
      const box = cells.box();
      const sea = box === null ? [] : yield* toSea(coasts, box, cells);
      const ocean = getKind("water", "ocean");
      for (const area of sea) addArea(ocean, new Map(), area);
      const columns: Record<string, Column> = {};
      for (const [group, draft] of drafts.entries()) {
        for (const list of waiting[group]!.values()) addJoined(draft, list);
        waiting[group]!.clear();
        yield;
        Object.assign(columns, yield* draft.finish(String(group)));
      }
      const { bytes, offsets } = toBlob(labels.list());
      const meta: MapMeta = { kinds: KINDS.map(toDrawnKind) };
      return {
        columns: { ...columns, labels: bytes, labels_at: offsets },
        meta,
        counts: { features: drafts.at(-1)!.count(), labels: labels.list().length - 1 },
      };
    },
  };
}

/** Sidings and yards are many, and no one looks for them. */
function isSiding(kind: Kind, tags: OsmTags): boolean {
  return kind.layer === "rail" && tags.has("service");
}

/** What a closed way encloses; a street that ends where it begins encloses nothing. */
function findArea(tags: OsmTags): Kind | null {
  const kind = findKind("area", tags);
  if (kind === null || tags.get("area") === "no") return null;
  const isWay = tags.has("highway") || tags.get("leisure") === "track";
  const isSquare = tags.get("area") === "yes" || kind.class === "square";
  return isWay && !isSquare && kind.class !== "building" ? null : kind;
}

function toAreas({ rings }: RelationFeature): Area[] {
  const areas: { points: number[]; inner: boolean }[][] = [];
  for (const { points, inner } of rings) {
    const ring = { points: toRing(toGrid(points)), inner };
    if (ring.points.length < 6) {
      if (!inner) areas.push([]);
    } else if (!inner) areas.push([ring]);
    else if (areas.at(-1)?.length) areas.at(-1)!.push(ring);
  }
  return areas.filter((area) => area.length > 0);
}

/** The zoom at which an area has a number of pixels, at most the last. */
function zoomOfArea(doubleArea: number, pixels: number): number {
  const side = Math.sqrt(doubleArea / 2 / pixels);
  return Math.min(MAX_ZOOM, Math.max(0, Math.ceil(Math.log2(2 ** (FULL_BITS - 9) / side))));
}

/** The pieces of an area on the grid of a group. */
function toCopies(area: Area, bits: number): Area[] {
  if (bits === FULL_BITS) return splitArea(area, AREA_MAX, 4);
  const rings = area.map(({ points, inner }) => ({ points: coarsen(points, bits), inner }));
  const simple = simplifyArea(rings, TOLERANCE, 64);
  return simple === null ? [] : splitArea(simple, AREA_MAX, 4);
}

function addJoined(draft: ReturnType<typeof createDraft>, list: readonly Waiting[]): void {
  const { entry } = list[0]!;
  for (const line of joinLines(list.map((each) => each.line).filter((each) => each.length > 2))) {
    const points = simplifyLine(line, TOLERANCE);
    if (points.length > 2) draft.add(entry, [{ points, inner: false }]);
  }
}

/** Equal texts once; number 0 is the empty one. */
function createLabels(): { add(text: string): number; list(): string[] } {
  const numbers = new Map<string, number>([["", 0]]);
  return {
    add(text) {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, numbers.size);
      return numbers.size - 1;
    },
    list: () => [...numbers.keys()],
  };
}
