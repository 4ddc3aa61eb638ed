/**
 * A page knows the addresses of its cell; what those of a whole municipality and of a whole postcode say
 * is the same in all pages, and the same as in one base (docs/lab/pages.md, Facts that pages share).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "#kit/budget.ts";
import { toEnd } from "#kit/steps.ts";
import { readQuestion } from "../../geocoder/fold-words.ts";
import { MAX_WORDS } from "../../geocoder/geocode-query.ts";
import { rankGroups, type SearchedPage } from "../../geocoder/page-search.ts";
import type { GeocodeItem } from "../../geocoder/present-answers.ts";
import { completeStreets } from "../../geocoder/rim-streets.ts";
import { shareFacts } from "../../geocoder/share-facts.ts";
import { boxOfCell, cellAt } from "../../pages/page-cell.ts";
import { toLon } from "../../tiles/grid.ts";
import {
  aHouse,
  anArea,
  aNode,
  askFor,
  aStreet,
  type Feature,
  geocoderOf,
} from "../../../../test/support/geocoder.ts";
import { pagesOf } from "./made-pages.ts";

const LAT = 47.05;
const ZOOM = 12;
/** Where two cells meet, in degrees. */
const EDGE = toLon(boxOfCell(cellAt(ZOOM, LAT * 1e7, 9.05e7)).west);
const KM = 0.0132;

/** Houses of a street, at a number of kilometres east of the edge; further ones follow 50 m after one another. */
function houses(
  id: number,
  {
    street,
    count,
    km,
    up = 0,
    ...tags
  }: {
    street: string;
    count: number;
    km: number;
    up?: number;
    postcode: string;
    city?: string;
    state?: string;
  },
): Feature[] {
  const more = {
    "addr:postcode": tags.postcode,
    "addr:city": tags.city ?? "Langdorf",
    ...(tags.state === undefined ? {} : { "addr:state": tags.state }),
  };
  return Array.from({ length: count }, (_, n) =>
    aHouse(id + n, [LAT + up, EDGE + (km + n * 0.05) * KM], street, String(n + 1), more),
  );
}

/** Two municipalities across an edge: one has a postcode on each side of it, the other has one in all. */
const FEATURES: readonly Feature[] = [
  anArea(1, [LAT - 0.2, EDGE - 0.2, LAT + 0.2, EDGE + 0.2], {
    ...{ boundary: "administrative", admin_level: "2", name: "Wiland" },
    "ISO3166-1:alpha2": "CH",
  }),
  anArea(2, [LAT - 0.02, EDGE - 5 * KM, LAT + 0.02, EDGE + 5 * KM], {
    ...{ boundary: "administrative", admin_level: "8", name: "Langdorf" },
  }),
  anArea(4, [LAT + 0.03, EDGE - 5 * KM, LAT + 0.07, EDGE + 5 * KM], {
    ...{ boundary: "administrative", admin_level: "8", name: "Altlang" },
  }),
  aNode(3, [LAT, EDGE - 3 * KM], { place: "village", name: "Langdorf" }),
  aStreet(10, LAT + 0.002, [EDGE - 3.5 * KM, EDGE - 3 * KM], "Leerweg"),
  ...Array.from({ length: 13 }, (_, n) =>
    aStreet(
      500 + n,
      LAT - 0.004,
      [EDGE + (n / 2 - 4) * KM, EDGE + (n / 2 - 3.5) * KM],
      "Langzeile",
    ),
  ),
  ...houses(600, {
    street: "Langzeile",
    count: 6,
    km: -3.5,
    up: -0.004,
    postcode: "1001",
    state: "BE",
  }),
  ...houses(620, { street: "Langzeile", count: 4, km: 2, up: -0.004, postcode: "2002" }),
  ...houses(100, { street: "Westgasse", count: 6, km: -3, postcode: "1001" }),
  ...houses(200, { street: "Ostgasse", count: 6, km: 3, postcode: "2002" }),
  ...houses(300, {
    street: "Westzeile",
    count: 3,
    km: -2,
    up: 0.05,
    postcode: "3003",
    city: "Altlang",
  }),
  ...houses(400, { street: "Ostzeile", count: 8, km: 2, up: 0.05, postcode: "3003", state: "BE" }),
];

const cells = [-1, 1].map((side) => cellAt(ZOOM, LAT * 1e7, (EDGE + side * KM) * 1e7));
const whole = geocoderOf(FEATURES);
const { pages } = pagesOf(FEATURES, cells);

function ask(of: readonly SearchedPage[], q: string): GeocodeItem[] {
  const budget = new Budget({ looks: 1_000_000, keeps: 1_000 });
  const question = { ...askFor(q), interest: false, budget };
  const [ranked] = toEnd(rankGroups([{ pages: of }], readQuestion(q, MAX_WORDS), question));
  return ranked!.items(5);
}

const shown = (items: readonly GeocodeItem[]): string[] =>
  items.map(({ label, location, address, source_place_id, box7 }) =>
    [
      ...[label, source_place_id, location.lat, location.lon, address.postal_code, address.region],
      ...(box7 ?? []),
    ].join(" | "),
  );

test("a street without addresses and a town have no postcode where the town has several", () => {
  assert.notEqual(cells[0]!.x, cells[1]!.x);
  for (const q of ["Leerweg", "Langdorf"]) {
    const one = whole.geocode(askFor(q));
    assert.equal(one[0]!.address.postal_code, null, q);
    assert.deepEqual(shown(ask(pages, q)), shown(one), q);
    // The page alone knows one postcode of the town, and says none either.
    assert.deepEqual(shown(ask([pages[0]!], q)), shown(one), q);
  }
});

test("a postcode of several pages is one, in the middle of all of its addresses", () => {
  for (const q of ["3003", "1001", "2002", "3003 Altlang"])
    assert.deepEqual(shown(ask(pages, q)), shown(whole.geocode(askFor(q))), q);
  const [only, ...others] = ask(pages, "3003");
  assert.deepEqual(others, []);
  assert.ok(only!.location.lon > EDGE, "most of its addresses are in the east");
  assert.equal(only!.address.region, "BE");
});

test("a street across an edge is whole: its object, its point, its extent, its postcode, its houses", () => {
  for (const q of ["Langzeile", "Langzeile, Langdorf", "Langzeile 3", "Langzeile, 2002"])
    assert.deepEqual(shown(ask(pages, q)), shown(whole.geocode(askFor(q))), q);
  const [street] = ask(pages, "Langzeile");
  assert.equal(street!.address.postal_code, "1001");
  assert.ok(street!.box7![1] < (EDGE - 3 * KM) * 1e7 && street!.box7![3] > (EDGE + 2 * KM) * 1e7);
});

test("what one page alone knows is not shared", () => {
  const line = (page: number, ...entries: unknown[]) => ({
    page,
    lines: entries.map((entry) => JSON.stringify(entry)),
  });
  const lists = [
    line(
      0,
      { municipality: 7, postcodes: [["1001", 2]] },
      { municipality: 9, postcodes: [] },
      { postcode: "1001", facts: [["CH", 1, 2, 3, [], [], [1, 2, 3]]] },
    ),
    line(
      1,
      {
        municipality: 7,
        postcodes: [
          ["1001", 1],
          ["2002", 4],
        ],
      },
      { municipality: 8, postcodes: [["5", 1]] },
      { municipality: 9, postcodes: [] },
    ),
  ];
  const sum = '{"municipality":7,"postcodes":[["1001",3],["2002",4]]}';
  assert.deepEqual([...shareFacts(lists)], [{ pages: [0, 1], line: sum }]);
});

test("a street is completed up to the bounds of a street, and beyond them left as pages have it", () => {
  const way = (osm: number, at: number) => ({
    ...{ osm, names: [{ kind: "", text: "Lang" }], kind: "highway=residential" },
    points: [470_000_000, 90_000_000 + at * 10_000, 470_000_000, 90_000_000 + (at + 1) * 10_000],
  });
  const partsOf = (count: number, of_page = 2) =>
    Array.from({ length: count }, (_, page) => ({
      page,
      part: {
        home: 7,
        // Each page has the first way of the next one, too.
        ways: Array.from({ length: of_page + 1 }, (__, n) =>
          way(page * of_page + n, page * of_page + n),
        ),
        addresses: [{ osm: page, lat7: 470_000_000, lon7: 90_000_000, texts: { street: "Lang" } }],
      },
    }));
  const completed = completeStreets(partsOf(3));
  assert.deepEqual(
    completed.map(({ page, part }) => [
      page,
      part.ways.map(({ osm }) => osm),
      part.addresses.map(({ osm }) => osm),
    ]),
    [
      [0, [3, 4, 5, 6], [1, 2]],
      [1, [0, 1, 5, 6], [0, 2]],
      [2, [0, 1, 2, 3], [0, 1]],
    ],
  );
  assert.equal(completeStreets(partsOf(16)).length, 16);
  assert.deepEqual(completeStreets(partsOf(17)), []);
  assert.deepEqual(completeStreets(partsOf(5, 450)), []);
  assert.deepEqual(completeStreets(partsOf(1)), []);
});
