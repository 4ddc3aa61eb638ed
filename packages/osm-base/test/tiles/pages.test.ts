/** The map of a base in pages: each tile is that of the same extract in one page, byte for byte. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRng } from "../../../../bench/world.ts";
import {
  type PageCell,
  PAGE_LEVELS,
  type PageLevel,
  quartersOf,
  WHOLE,
} from "../../pages/page-cell.ts";
import type { BaseMap } from "../../tiles/open-tiles.ts";
import { MAX_ZOOM } from "../../tiles/grid.ts";
import { hasSea } from "../../tiles/map-scopes.ts";
import { MapSurvey } from "../../tiles/map-survey.ts";
import { TILE_BOUNDS } from "../../tiles/tile.ts";
import { makeCountry } from "../../../../test/support/made-country.ts";
import {
  type Feature,
  isWanted,
  mapOf,
  multipolygon,
  node,
  type Place,
  square,
  tileAt,
  way,
} from "../../../../test/support/map-features.ts";
import { type PagedMap, pagedMapOf } from "./map-pages.ts";
import { readMvt } from "../../../../test/support/mvt.ts";

/** Four cells of every zoom from 5 on meet here. */
const CORNER: Place = [48.922_499_263_758_24, 11.25];
const [X, Y] = [17 / 32, 11 / 32];
const DEGREES = 0.7;

type Cells = Record<PageLevel, PageCell[]>;

/** Cells that make up the world near the corner: of different sizes, down to the smallest. */
function cutCells(seed: number): Cells {
  const random = createRng(seed);
  const cut = (cell: PageCell, most: number): PageCell[] => {
    const size = 2 ** -cell.z;
    const [west, north] = [cell.x * size, cell.y * size];
    const isNear = Math.abs(west - X + size / 2) < size && Math.abs(north - Y + size / 2) < size;
    const isDone = cell.z === most || (cell.z >= most - 3 && random() < 0.2) || !isNear;
    return isDone ? [cell] : quartersOf(cell).flatMap((each) => cut(each, most));
  };
  const [world, region, ground] = (["world", "region", "ground"] as const).map((level) =>
    cut(WHOLE, PAGE_LEVELS[level].zoom),
  );
  return { globe: [WHOLE], world: world!, region: region!, ground: ground! };
}

type Outcome = { drawn: number; fullest: number; differing: string[] };

/** All tiles of a zoom near the corner, once from each map. */
function compare(whole: BaseMap, paged: PagedMap, zooms: readonly number[]): Outcome {
  const outcome: Outcome = { drawn: 0, fullest: 0, differing: [] };
  for (const z of zooms) {
    const first = tileAt([CORNER[0] + DEGREES, CORNER[1] - DEGREES], z);
    const last = tileAt([CORNER[0] - DEGREES, CORNER[1] + DEGREES], z);
    for (let x = first.x; x <= last.x; x++)
      for (let y = first.y; y <= last.y; y++) {
        const [one, other] = [whole.tile(z, x, y), paged.tile(z, x, y)];
        if (!isSame(one, other)) outcome.differing.push(`${z}/${x}/${y}`);
        if (one !== null) outcome.drawn += 1;
        outcome.fullest = Math.max(outcome.fullest, one?.length ?? 0);
      }
  }
  return outcome;
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

const ZOOMS = Array.from({ length: MAX_ZOOM + 1 }, (_, z) => z);

test("tiles of a country in pages are those of the country in one page", () => {
  const features = makeCountry(CORNER, 7);
  const paged = pagedMapOf(features, cutCells(7));
  const { drawn, fullest, differing } = compare(mapOf(features), paged, ZOOMS);
  assert.deepEqual(differing, []);
  assert.ok(drawn > 3_000, `${drawn} tiles`);
  // One is full, by what is guessed of buildings: what it leaves out is the same, too.
  assert.ok(fullest > 0.85 * TILE_BOUNDS.bytes, `${fullest} bytes`);
  const filled = paged.pages.filter(
    ({ level, features: count }) => level === "ground" && count > 0,
  );
  assert.ok(filled.length > 30, `${filled.length} pages`);
});

test("a base of one page has all zooms, whether it was split or not", () => {
  const features = makeCountry(CORNER, 8).filter(({ tags }) => !tags.has("building"));
  const cells = { globe: [], world: [], region: [], ground: [WHOLE] };
  const [page] = pagedMapOf(features, cells).pages;
  const whole = mapOf(features);
  const near = { ...page!, tile: page!.map.tile, pages: [] };
  const zooms = ZOOMS.filter((z) => z < 13);
  assert.deepEqual(compare(whole, near, zooms).differing, []);
});

test("a page has the sea that the whole extract says, where no coast is near", () => {
  const coast = { natural: "coastline" };
  const far = 1.5;
  const shore = way(
    [
      [CORNER[0] + 0.3, CORNER[1] - far],
      [CORNER[0] + 0.3, CORNER[1] + far],
    ],
    coast,
  );
  // At sea in the south, and none of its cell has a coastline.
  const lightship = node([CORNER[0] - 0.5, CORNER[1] + 0.5], { place: "locality", name: "Ship" });
  const town = node([CORNER[0] + 0.6, CORNER[1]], { place: "town", name: "Town" });
  const features = [shore, lightship, town];
  const [whole, paged] = [mapOf(features), pagedMapOf(features, cutCells(9))];
  assert.deepEqual(compare(whole, paged, ZOOMS).differing, []);
  const seaOf = (place: Place): number => {
    const { z, x, y } = tileAt(place, 14);
    const bytes = paged.tile(z, x, y);
    return (bytes && readMvt(bytes).get("water")?.features.length) ?? 0;
  };
  assert.equal(seaOf([CORNER[0] - 0.5, CORNER[1] + 0.5]), 1);
  assert.equal(seaOf([CORNER[0] - 0.3, CORNER[1] + 0.3]), 1);
  assert.equal(seaOf([CORNER[0] + 0.6, CORNER[1]]), 0);
});

test("the zoom of a feature is no greater than that of the first tile that shows it", () => {
  const features = makeCountry(CORNER, 9).filter(({ tags }) => !tags.has("building"));
  for (const feature of features.slice(0, 400)) {
    if (!isWanted(feature) || feature.tags.get("natural") === "coastline") continue;
    const lowest = new MapSurvey().look(feature);
    const map = mapOf([feature]);
    const [lat, lon] = placeOf(feature);
    const first = ZOOMS.find((z) => {
      const at = tileAt([lat, lon], z);
      return map.tile(at.z, at.x, at.y) !== null;
    });
    if (first === undefined) continue;
    assert.ok(
      lowest !== null && lowest <= first,
      `${[...feature.tags].join(" ")}: ${lowest}, ${first}`,
    );
  }
});

test("a page within the hole of a lake has land, though the way around the lake is one, too", () => {
  const lake = { natural: "water" };
  const outline = way(square(CORNER, 1.6), lake);
  const rings = [square(CORNER, 1.6), square(CORNER, 1.2)];
  const members = [{ type: "way" as const, id: outline.id, role: "outer" }];
  const relation = { ...multipolygon(rings, lake), members };
  const survey = new MapSurvey();
  assert.equal(survey.look(relation), 4);
  // No page needs it: one in the hole would not have the relation.
  assert.equal(survey.look(outline), null);
  const street = way([CORNER, [CORNER[0] + 0.001, CORNER[1]]], { highway: "service" });
  const features = [relation, outline, street];
  const [whole, paged] = [mapOf(features), pagedMapOf(features, cutCells(3))];
  assert.deepEqual(compare(whole, paged, ZOOMS).differing, []);
});

test("pages of nothing but sea are known by what is known of the extract", () => {
  const shore: Place[] = [
    [CORNER[0] + 0.001, CORNER[1] - 0.02],
    [CORNER[0] + 0.001, CORNER[1] + 0.02],
  ];
  const survey = new MapSurvey();
  survey.look(way(shore, { natural: "coastline" }));
  survey.look(way(shore, { highway: "residential" }));
  const facts = survey.finish();
  const at = ([lat, lon]: Place, level: PageLevel): boolean => {
    const { z, x, y } = tileAt([lat, lon], 11);
    return hasSea({ level, cell: { z, x, y }, facts });
  };
  // Squares of the sea are twice as wide as these cells: those next to the street are drawn, and no others.
  assert.equal(at([CORNER[0] - 0.2, CORNER[1] + 0.01], "ground"), true);
  assert.equal(at([CORNER[0] - 0.2, CORNER[1] + 0.01], "region"), true);
  assert.equal(at([CORNER[0] + 0.42, CORNER[1] + 0.01], "ground"), false);
  assert.equal(at([CORNER[0] - 0.5, CORNER[1] + 0.01], "ground"), false);
  // From farther no sea is drawn.
  assert.equal(at([CORNER[0] - 0.2, CORNER[1] + 0.01], "world"), false);
});

/** A point of it; of an area the first of its outline. */
function placeOf(feature: Feature): Place {
  if (feature.type === "node") return [feature.lat7 / 1e7, feature.lon7 / 1e7];
  const points = feature.type === "way" ? feature.points : feature.rings[0]!.points;
  return [points[0]! / 1e7, points[1]! / 1e7];
}
