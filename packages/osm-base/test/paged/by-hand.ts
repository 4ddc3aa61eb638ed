/**
 * Paged bases made by hand: the sections of each page look at the whole extract, by the plain rules of
 * docs/lab/pages.md. It is slow, holds all in memory, and is what the split is compared with.
 */
import { toEnd } from "#kit/steps.ts";
import assert from "node:assert/strict";
import type {
  BaseSection,
  NodeFeature,
  RelationFeature,
  WayFeature,
} from "../../base/base-features.ts";
import { CELLS_COLUMN } from "../../base/base-layout.ts";
import { CELL_ZOOM } from "../../base/cover-cells.ts";
import { mergeNames, type PageNames } from "../../geocoder/merge-names.ts";
import { units, unitsEast } from "../../geocoder/metres.ts";
import { rankOf } from "../../geocoder/settlements.ts";
import { createBordersSection } from "../../pages/borders-section.ts";
import { factsOfPage, mergeFacts, type PartFacts } from "../../pages/head-facts.ts";
import { boxOfCell, type PageCell, type PageLevel, PAGE_LEVELS } from "../../pages/page-cell.ts";
import type { PageRow } from "../../pages/paged-layout.ts";
import { PagedWriter } from "../../pages/paged-writer.ts";
import { namesOf, packPage } from "../../reader/build-page.ts";
import { finishSections, readExtract, toFacts, toMeta } from "../../reader/import-extract.ts";
import { OPEN_MAP_TERMS } from "../../terms.ts";
import { toLat, toLon } from "../../tiles/grid.ts";
import type { MapPage } from "../../tiles/map-facts.ts";
import { MapSurvey } from "../../tiles/map-survey.ts";

type Feature = NodeFeature | WayFeature | RelationFeature;
type SectionsOf = (page: MapPage) => BaseSection[];
type HandOptions = {
  id: string;
  region: string | null;
  now_ms: number;
  sectionsOf: SectionsOf;
  /** Of the cells of pages of level `ground`; or which pages there are. */
  zoom?: number;
  pages?: readonly Pick<PageRow, "level" | "cell">[];
};

const NEAR_M = 1_000;
const never = (): Promise<void> => Promise.resolve();

/** The bytes of the file. */
export async function pageByHand(path: string, options: HandOptions): Promise<Uint8Array> {
  const file = new Bytes();
  const writer = new PagedWriter(file);
  const survey = new MapSurvey();
  const borders = createBordersSection();
  const looking = { sections: [borders, surveying(survey, options)] };
  const { summary } = await readExtract(path, looking, { at: { byte: null }, turn: never });
  const map = survey.finish();
  const parts: PartFacts[] = [];
  const names: PageNames[] = [];
  for (const { level, cell } of options.pages ?? listPages(summary.cells, options.zoom!)) {
    const sections = options.sectionsOf({ level, cell, facts: map });
    const near = sections.map((each) => (each.name === "geocoder" ? nearTo(cell, each) : each));
    await readExtract(path, { sections: near }, { at: { byte: null }, turn: never });
    const { id, region, now_ms } = options;
    const settings = { id, region, now_ms, without: [], data_at_s: summary.data_at_s };
    const { pack, opened } = await packPage(sections, settings, never);
    const page = parts.push(factsOfPage(opened, level)) - 1;
    await writer.add(page, { level, cell, pack });
    const entries = level === "ground" ? namesOf(opened, cell) : null;
    if (entries) names.push({ page, entries });
  }
  const head = await finishSections([borders], never);
  const merged = names.length === 0 ? {} : toEnd(mergeNames(names));
  const facts = mergeFacts(parts);
  const meta = toMeta(
    toFacts(summary),
    { ...options, terms: OPEN_MAP_TERMS },
    { ...facts, sections: { ...facts.sections, ...head.sections } },
  );
  const columns = { [CELLS_COLUMN]: summary.cells, ...head.columns, ...merged };
  assert.equal(await writer.finish(meta, columns), file.bytes.length);
  return file.bytes;
}

/** Cells of each level that have something in them, by the coverage of the extract. */
function listPages(cells: Uint32Array, zoom: number): { level: PageLevel; cell: PageCell }[] {
  const levels = Object.keys(PAGE_LEVELS) as PageLevel[];
  return levels.flatMap((level) => {
    const z = level === "ground" ? zoom : PAGE_LEVELS[level].zoom;
    const size = 2 ** (CELL_ZOOM - z);
    const keys = new Set(
      Array.from(cells, (key) => {
        const [x, y] = [Math.floor(key / 2 ** CELL_ZOOM), key % 2 ** CELL_ZOOM];
        return Math.floor(x / size) * 2 ** z + Math.floor(y / size);
      }),
    );
    return [...keys]
      .sort((a, b) => a - b)
      .map((key) => {
        const cell = { z, x: Math.floor(key / 2 ** z), y: key % 2 ** z };
        return { level, cell };
      });
  });
}

/** Takes what a map takes, and makes nothing of it. */
function surveying(survey: MapSurvey, { sectionsOf }: HandOptions): BaseSection {
  const whole: MapPage = {
    level: "ground",
    cell: { z: 0, x: 0, y: 0 },
    facts: { sea: null, borders: { ways: new Float64Array(0), levels: new Uint8Array(0) } },
  };
  const keys = sectionsOf(whole).find(({ name }) => name === "map")?.keys;
  return {
    name: "survey",
    keys: keys ?? { node: [], way: [], relation: [] },
    node: (feature) => void survey.look(feature),
    way: (feature) => void survey.look(feature),
    relation: (feature) => void survey.look(feature),
    *finish() {
      yield;
      return { columns: {}, meta: {}, counts: {} };
    },
  };
}

/** A geocoder that is handed what lies in the cell or near to it, and places as far as they reach. */
function nearTo(cell: PageCell, section: BaseSection): BaseSection {
  const { west, north, east, south } = boxOfCell(cell);
  const box = [toLat(south), toLon(west), toLat(north), toLon(east)].map((deg) => deg * 1e7);
  const isNear = (feature: Feature): boolean => {
    const own = boxOf(feature);
    if (own === null) return false;
    const within_m = Math.max(NEAR_M, rankOf(feature.tags.get("place") ?? "")?.radius_m ?? 0);
    const [dlat, dlon] = [
      units(within_m),
      unitsEast(within_m, Math.max(...[own[0], own[2]].map(Math.abs))),
    ];
    return (
      own[0] - dlat <= box[2]! &&
      own[2] + dlat >= box[0]! &&
      own[1] - dlon <= box[3]! &&
      own[3] + dlon >= box[1]!
    );
  };
  return {
    ...section,
    node: (feature) => void (isNear(feature) && section.node(feature)),
    way: (feature) => void (isNear(feature) && section.way(feature)),
    relation: (feature) => void (isNear(feature) && section.relation(feature)),
  };
}

/** South, west, north, east in ten-millionths. */
function boxOf(feature: Feature): readonly [number, number, number, number] | null {
  if (feature.type === "relation") return feature.box;
  if (feature.type === "node") {
    const { lat7, lon7 } = feature;
    return [lat7, lon7, lat7, lon7];
  }
  const lats = feature.points.filter((_, i) => i % 2 === 0);
  const lons = feature.points.filter((_, i) => i % 2 === 1);
  return [Math.min(...lats), Math.min(...lons), Math.max(...lats), Math.max(...lons)];
}

/** A file in memory. */
export class Bytes {
  bytes: Uint8Array = new Uint8Array(0);

  write(at: number, piece: Uint8Array): Promise<void> {
    const larger = new Uint8Array(Math.max(this.bytes.length, at + piece.length));
    larger.set(this.bytes);
    larger.set(piece, at);
    this.bytes = larger;
    return Promise.resolve();
  }
}
