/** The part of a base that its map is made of: which features are drawn, and as what. */
import type { BaseSection, OsmTags, RelationFeature } from "../base/base-features.ts";
import type { Area } from "./tile-areas.ts";
import { CoastLines } from "./coast-lines.ts";
import { createCopies, type Copies } from "./copies.ts";
import { toGrid, toRing, toX, toY } from "./grid.ts";
import type { MapPage } from "./map-facts.ts";
import { seaBoxOf } from "./map-scopes.ts";
import { SeaSurvey } from "./sea-survey.ts";
import { Boundaries } from "./tile-boundaries.ts";
import {
  type DrawnKind,
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
import { looksOf } from "./way-looks.ts";
import { zoomOfLine, zoomOfPoint } from "./zooms.ts";

/** Header of the map in a base: kinds by number, so that a base means what its writer meant. */
export type MapMeta = { kinds: readonly DrawnKind[] };

/** Name of the section in a pack. */
export const SECTION = "map";

/** The map of a page of a base, or of a base that has no pages. */
export function createMapSection(page: MapPage | null = null): BaseSection {
  const copies = createCopies(page);
  const boundaries = new Boundaries(page?.facts.borders);
  const survey = page === null ? new SeaSurvey() : null;
  const coasts = new CoastLines();
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
      if (tags.has("place")) survey?.mark(x, y);
      const [zoom, rank] = [zoomOfPoint(kind, tags), markRank(kind.rank, tags)];
      copies.addPoint(kind, { zoom, rank, name }, x, y);
    },
    way(feature) {
      const { id, tags } = feature;
      const line = toGrid(feature.points);
      if (line.length < 4) return;
      const { isCoast, isPlace, border, area, line: kind } = looksOf(feature, boundaries);
      if (isCoast) coasts.add(line);
      if (isCoast) survey?.coast(line);
      if (border !== null) addLine(copies, border, tags, line);
      if (area !== null && outlines.get(id) !== area.number)
        copies.addArea(area, labelOf(area, tags), [{ points: toRing(line), inner: false }]);
      if (kind !== null) addLine(copies, kind, tags, line);
      if (isPlace) survey?.mark(line[0]!, line[1]!);
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
      const sea = survey === null ? page!.facts.sea : survey.finish();
      yield;
      for (const area of sea === null ? [] : coasts.areas(sea, seaBoxOf(page))) {
        copies.addArea(OCEAN, "", area);
        yield;
      }
      const { columns, counts } = yield* copies.finish();
      const meta: MapMeta = { kinds: KINDS.map(toDrawnKind) };
      return { columns, meta, counts };
    },
  };
}

const OCEAN = getKind("water", "ocean");

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
