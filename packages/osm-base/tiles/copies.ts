/** What is drawn, on the grid of each group of zooms that shows it: the columns of a map. */
import type { PackColumn, Columns } from "#kit/pack.ts";
import { toBlob } from "#kit/bytes.ts";
import { type Area, doubleAreaOf, simplifyArea, splitArea } from "./tile-areas.ts";
import { createBlocks } from "./blocks.ts";
import { createDraft, type LayerDraft, type LayerEntry } from "./layer-draft.ts";
import { coarsen, FULL_BITS, GROUPS, MAX_ZOOM, type TilePoints, TOLERANCE } from "./grid.ts";
import { joinLines } from "./join-ways.ts";
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

export function createCopies(): Copies {
  const drafts = GROUPS.map(createDraft);
  const waiting = GROUPS.map(createWaiting);
  const labels = createLabels();
  const blocks = createBlocks();

  const addPoint: Copies["addPoint"] = (kind, { zoom, rank, name }, x, y) => {
    const entry = {
      kind: kind.number,
      keep: kind.keep,
      zoom,
      rank,
      marks: 0,
      label: labels.add(name),
    };
    GROUPS.forEach(({ max, bits }, group) => {
      if (zoom > max) return;
      drafts[group]!.add(entry, [{ points: coarsen([x, y], bits), inner: false }]);
    });
  };
  return {
    addPoint,
    addLine(kind, { zoom, marks, nameOf }, line) {
      const { number, keep } = kind;
      const full = nameOf(true);
      GROUPS.forEach(({ max, bits }, group) => {
        if (zoom > max) return;
        const isFar = max < NAMES_FROM;
        const label = labels.add(isFar ? nameOf(false) : full);
        const look = { kind: number, keep, zoom, label, marks: isFar ? 0 : marks };
        if (max < MAX_ZOOM) waiting[group]!.add(look, coarsen(line, bits));
        else drafts[group]!.add({ ...look, rank: null }, [{ points: line, inner: false }]);
      });
    },
    addArea(kind, name, area) {
      const double = doubleAreaOf(area);
      if (double <= 0) return;
      if (kind.layer === "building") {
        for (const piece of splitArea(area, AREA_MAX, OVERLAP)) blocks.add(piece);
        return;
      }
      const zoom = zoomOfArea(kind, double);
      const entry = { kind: kind.number, keep: kind.keep, zoom, marks: 0, rank: null, label: 0 };
      GROUPS.forEach(({ max, bits }, group) => {
        if (zoom > max) return;
        for (const piece of toPieces(area, bits)) drafts[group]!.add(entry, piece);
      });
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
      yield* blocks.finish((parts, size) => drafts.at(-1)!.add(toBuildings(size), parts));
      for (const [group, draft] of drafts.entries()) {
        for (const { entry, lines } of waiting[group]!.take()) {
          addJoined(draft, entry, lines);
          yield;
        }
        features = draft.count();
        Object.assign(columns, yield* draft.finish(String(group)));
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
function toPieces(area: Area, bits: number): Area[] {
  if (bits === FULL_BITS) return splitArea(area, AREA_MAX, OVERLAP);
  const rings = area.map(({ points, inner }) => ({ points: coarsen(points, bits), inner }));
  const simple = simplifyArea(rings, TOLERANCE, 64);
  return simple === null ? [] : splitArea(simple, AREA_MAX, OVERLAP);
}

/** Equal texts once; number 0 is the empty one. */
function createLabels(): { add(text: string): number; list(): string[] } {
  const numbers = new Map<string, number>([["", 0]]);
  return {
    add(text) {
      const known_number = numbers.get(text);
      if (known_number !== undefined) return known_number;
      numbers.set(text, numbers.size);
      return numbers.size - 1;
    },
    list: () => [...numbers.keys()],
  };
}
