/** Countries and regions by the boundaries of a base (decisions, Clocks and holidays). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RelationFeature } from "../base/base-features.ts";
import { anArea, bordersOf, type Feature } from "../../../test/support/geocoder.ts";

const BORDER = { boundary: "administrative" };
const FINLAND = { ...BORDER, admin_level: "2", "ISO3166-1": "FI", name: "Suomi" };
const SWEDEN = { ...BORDER, admin_level: "2", "ISO3166-1:alpha2": "SE", name: "Sverige" };
const CHINA = { ...BORDER, admin_level: "2", "ISO3166-1": "CN", name: "中国" };
const HONG_KONG = {
  ...{ ...BORDER, admin_level: "3", name: "Hong Kong" },
  ...{ "ISO3166-1": "HK", "ISO3166-2": "CN-HK" },
};
const BAVARIA = { ...BORDER, admin_level: "4", "ISO3166-2": "DE-BY", name: "Bayern" };
const DISTRICT = { ...BORDER, admin_level: "6", "ISO3166-2": "FR-67", name: "Bas-Rhin" };

/** South, west, north, east: everything, its west, its east, and a hole in the middle of the west. */
const ALL = [0, 0, 10, 10] as const;
const WEST = [0, 0, 10, 5] as const;
const EAST = [0, 5, 10, 10] as const;
const MIDDLE = [4, 2, 6, 4] as const;

/** A part of what the whole would be: the extract's edge has cut it. */
const cut = (area: RelationFeature): RelationFeature => ({ ...area, whole: false });

function withHole(area: RelationFeature, hole: RelationFeature): RelationFeature {
  return { ...area, rings: [...area.rings, { ...hole.rings[0]!, inner: true }] };
}

type Row = [
  what: string,
  areas: readonly Feature[],
  at: readonly [lat: number, lon: number],
  countries: string[],
  region: string | null,
  outside: string[],
];

const CASES: readonly Row[] = [
  ["inside", [anArea(1, WEST, FINLAND)], [5, 1], ["FI"], null, []],
  ["outside a whole boundary", [anArea(1, WEST, FINLAND)], [5, 7], [], null, ["FI"]],
  [
    "on either side of a border",
    [anArea(1, WEST, FINLAND), anArea(2, EAST, SWEDEN)],
    [5, 5.000_1],
    ["SE"],
    null,
    ["FI"],
  ],
  [
    "inside a ring of a boundary that is cut",
    [cut(anArea(1, WEST, FINLAND))],
    [5, 1],
    ["FI"],
    null,
    [],
  ],
  ["outside a boundary that is cut", [cut(anArea(1, WEST, FINLAND))], [5, 7], [], null, []],
  [
    "in a hole",
    [withHole(anArea(1, WEST, FINLAND), anArea(9, MIDDLE, {}))],
    [5, 3],
    [],
    null,
    ["FI"],
  ],
  [
    "in an enclave",
    [withHole(anArea(1, WEST, FINLAND), anArea(9, MIDDLE, {})), anArea(2, MIDDLE, SWEDEN)],
    [5, 3],
    ["SE"],
    null,
    ["FI"],
  ],
  ["where two claim it", [anArea(1, WEST, FINLAND), anArea(2, ALL, SWEDEN)], [5, 1], [], null, []],
  [
    "a territory before its country",
    [anArea(1, ALL, CHINA), anArea(2, WEST, HONG_KONG)],
    [5, 1],
    ["HK", "CN"],
    null,
    [],
  ],
  ["a territory whose country is cut away", [anArea(2, WEST, HONG_KONG)], [5, 1], ["HK"], null, []],
  ["next to a territory", [anArea(2, WEST, HONG_KONG)], [5, 7], [], null, ["HK"]],
  ["a region", [anArea(3, WEST, BAVARIA)], [5, 1], [], "DE-BY", []],
  ["a region that is cut", [cut(anArea(3, WEST, BAVARIA))], [5, 1], [], "DE-BY", []],
  ["in no region", [anArea(3, WEST, BAVARIA), anArea(1, ALL, FINLAND)], [5, 7], ["FI"], null, []],
];

for (const [what, areas, [lat, lon], countries, region, outside] of CASES)
  test(`boundaries of a base: ${what}`, () => {
    const borders = bordersOf(areas)!;
    assert.deepEqual(borders.at(lat, lon), { countries, region });
    const excluded = ["FI", "SE", "CN", "HK", "DE"].filter((code) =>
      borders.excludes(code, lat, lon),
    );
    assert.deepEqual(excluded, outside);
  });

test("what is no country and no region of level 4 is no boundary", () => {
  const towns = anArea(4, WEST, { ...BORDER, admin_level: "8", name: "Tornio" });
  assert.equal(bordersOf([towns]), null);
  assert.equal(bordersOf([anArea(5, WEST, DISTRICT)]), null);
  assert.equal(bordersOf([anArea(6, WEST, { ...FINLAND, "ISO3166-1": "Suomi" })]), null);
  assert.equal(bordersOf([]), null);
});

test("a base of an earlier version has its countries, and excludes nothing", () => {
  const earlier = bordersOf([anArea(1, WEST, FINLAND), anArea(3, WEST, BAVARIA)], (areas) =>
    areas.map(({ doc, level, code, postcode, town }) => ({ doc, level, code, postcode, town })),
  )!;
  assert.deepEqual(earlier.at(5, 1), { countries: ["FI"], region: null });
  assert.equal(earlier.excludes("FI", 5, 7), false);
});

test("a box that a country's border runs through is named, and one of a region's is not", () => {
  const borders = bordersOf([anArea(1, WEST, FINLAND), anArea(3, MIDDLE, BAVARIA)])!;
  const boxes: readonly [box: [number, number, number, number], crosses: boolean][] = [
    [[5, 4.9, 5.1, 5.1], true],
    [[5, 1, 5.1, 1.1], false],
    [[9.95, 1, 10.05, 1.1], true],
    [[-1, -1, 11, 11], true],
    [[20, 20, 21, 21], false],
    [[4.95, 1.95, 5.05, 2.05], false],
  ];
  for (const [box, crosses] of boxes) assert.equal(borders.crosses(box), crosses, box.join());
});
