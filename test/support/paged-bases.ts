/**
 * Paged bases made by hand, for tests: every page has its sections look at the whole extract, one by
 * one, and by the plain rules of docs/lab/pages.md. It is slow, and what the split is compared with.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createBordersSection,
  factsOfPage,
  finishSections,
  GEOCODER_NEAR_M,
  MapSurvey,
  mergeFacts,
  mergeNames,
  namesOf,
  packPage,
  readExtract,
  settlementReach_m,
  toFacts,
  toMeta,
} from "#osm/imports.ts";
import { type BaseSection, PagedWriter } from "#osm/index.ts";
import type { NodeFeature, RelationFeature, WayFeature } from "#osm/sections.ts";
import {
  boxOfCell,
  cellAt,
  type GridBox,
  type MapFacts,
  type PageCell,
  type PageLevel,
  PAGE_LEVELS,
  toX,
  toY,
} from "#osm/pages.ts";
import { type PbfObject, toPbf } from "../../sandbox/pbf/encode.ts";
import { createSections } from "../../src/main/bases/sections.ts";
