/** What is drawn, on the grid of each group of zooms that shows it: the columns of a map. */
import type { PackColumn, Columns } from "#kit/pack.ts";
import { toBlob } from "#kit/bytes.ts";
import { type Area, doubleAreaOf, simplifyArea, splitArea } from "./tile-areas.ts";
import { createBlocks } from "./blocks.ts";
import { createLabels } from "./label-numbers.ts";
import { createDraft, type LayerDraft, type LayerEntry } from "./layer-draft.ts";
import {
  coarsen,
  FULL_BITS,
  GROUPS,
  MAX_ZOOM,
  type TileBox,
  type TilePoints,
  TOLERANCE,
} from "./grid.ts";
import { joinSquareOf } from "./join-squares.ts";
import { joinLines } from "./join-ways.ts";
import type { MapPage } from "./map-facts.ts";
import { toScopes } from "./map-scopes.ts";
import { getKind, type Kind } from "./tile-kinds.ts";
import { labelPoint } from "./tile-rings.ts";
import { simplifyLine } from "./simplify.ts";
import { createWaiting } from "./waiting.ts";
import { zoomOfArea, zoomOfAreaLabel } from "./zooms.ts";

/** Geometry is on the full grid; rings are without their last point. */
export type Copies = {
  addPoint(
    kind: Kind,
    at: { zoom: number; rank: number; name: string },
    x: number,
    y: number,
  ): void;
  /** `nameOf`: text of its label, with the name or without it; empty: there is none. */
  addLine(kind: Kind, at: LineLook, line: number[]): void;
  addArea(kind: Kind, name: string, area: Area): void;
  finish(): Generator<void, { columns: Columns; counts: Readonly<Record<string, number>> }>;
};

type LineLook = { zoom: number; marks: number; nameOf: (full: boolean) => string };

/** Numbers of an area that is kept in one piece, and the units by which two pieces overlap. */
const AREA_MAX = 2000;
const OVERLAP = 4;
/** From farther, no street is named, and bridges are not seen. */
const NAMES_FROM = 11;

/** `page`: of which the copies are; null: of all. */
export function createCopies(page: MapPage | null = null): Copies {
  const scopes = toScopes(page).map((scope) => ({
    ...scope,
    draft: createDraft(scope.box),
    waiting: createWaiting(),
  }));
  const finest = scopes.find(({ max }) => max === MAX_ZOOM);
  const labels = createLabels();
  const blocks = createBlocks();

  const addPoint: Copies["addPoint"] = (kind, { zoom, rank, name }, x, y) => {
    const label = labels.add(name);
    const entry = { kind: kind.number, keep: kind.keep, zoom, rank, marks: 0, label };
    for (const { max, bits, draft } of scopes)
      if (zoom <= max) draft.add(entry, [{ points: coarsen([x, y], bits), inner: false }]);
  };
  const addBuilding = (area: Area): void => {
    if (finest === undefined) return;
    for (const piece of splitArea(area, AREA_MAX, OVERLAP, finest.box)) blocks.add(piece);
  };
  return {
    addPoint,
    addLine(kind, { zoom, marks, nameOf }, line) {
      const { number, keep } = kind;
      const full = nameOf(true);
      for (const { group, max, bits, draft, waiting } of scopes) {
        if (zoom > max) continue;
        const isFar = max < NAMES_FROM;
        const label = labels.add(isFar ? nameOf(false) : full);
        const look = { kind: number, keep, zoom, label, marks: isFar ? 0 : marks };
        const square = group === GROUPS.length - 1 ? null : joinSquareOf(line, group);
        if (square !== null) waiting.add(look, square, coarsen(line, bits));
        else if (max === MAX_ZOOM)
          draft.add({ ...look, rank: null }, [{ points: line, inner: false }]);
        else addJoined(draft, { ...look, rank: null }, [coarsen(line, bits)]);
      }
    },
    addArea(kind, name, area) {
      const double = doubleAreaOf(area);
      if (double <= 0) return;
      if (kind.layer === "building") return addBuilding(area);
      const zoom = zoomOfArea(kind, double);
      const entry = { kind: kind.number, keep: kind.keep, zoom, marks: 0, rank: null, label: 0 };
      for (const { max, bits, box, draft } of scopes)
        if (zoom <= max) for (const piece of toPieces(area, bits, box)) draft.add(entry, piece);
      if (kind.label === null || name === "") return;
      const at = labelPoint(area.map(({ points }) => points));
      const named_count = zoomOfAreaLabel(double);
      const rank = Math.min(63, 20 + 3 * named_count);
      if (at !== null)
        addPoint(getKind("place", kind.label), { zoom: named_count, rank, name }, at.x, at.y);
    },
    *finish() {
      const columns: Record<string, PackColumn> = {};
      let features = 0;
      if (finest !== undefined)
        yield* blocks.finish((parts, size) => finest.draft.add(toBuildings(size), parts));
      for (const { group, draft, waiting } of scopes) {
        for (const { entry, lines } of waiting.take()) {
          addJoined(draft, entry, lines);
          yield;
        }
        features = draft.count();
        Object.assign(columns, yield* draft.finish(String(group), labels.toFinal));
      }
      const texts = labels.list();
      const { bytes, offsets } = toBlob(texts);
      return {
        columns: { ...columns, labels: bytes, labels_at: offsets },
        counts: { features, labels: texts.length - 1 },
      };
    },
  };
}

/** The large ones are kept longest. */
function toBuildings(rank: number): LayerEntry {
  const { number: kind, keep } = getKind("building", "building");
  return { kind, keep, zoom: MAX_ZOOM, marks: 0, label: 0, rank };
}

function addJoined(draft: LayerDraft, entry: LayerEntry, lines: readonly TilePoints[]): void {
  for (const line of joinLines(lines)) {
    const points = simplifyLine(line, TOLERANCE);
    if (points.length > 2) draft.add(entry, [{ points, inner: false }]);
  }
}

/** The pieces of an area on the grid of a group. */
function toPieces(area: Area, bits: number, within: TileBox): Area[] {
  if (bits === FULL_BITS) return splitArea(area, AREA_MAX, OVERLAP, within);
  const rings = area.map(({ points, inner }) => ({ points: coarsen(points, bits), inner }));
  const simple = simplifyArea(rings, TOLERANCE, 64);
  return simple === null ? [] : splitArea(simple, AREA_MAX, OVERLAP, within);
}
