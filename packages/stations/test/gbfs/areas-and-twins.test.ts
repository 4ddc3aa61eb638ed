/** Virtual stations with an area alone, and docks that one file lists under two ids (decisions, Vehicles and docks). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { StationInfo } from "../../entities.ts";
import { pointInArea } from "../../gbfs/gbfs-area.ts";
import { read } from "./readers.ts";

const place = { lat: 59.9, lon: 10.7 };

function stations(...rows: object[]): StationInfo[] {
  return read("station_information", { data: { stations: rows } }).result as StationInfo[];
}

type Corner = readonly [lon: number, lat: number];

/** Even-odd rule over all rings. */
function isInside(rings: readonly (readonly Corner[])[], lat: number, lon: number): boolean {
  let inside = false;
  for (const ring of rings)
    for (const [i, [x, y]] of ring.entries()) {
      const [next_x, next_y] = ring[(i + 1) % ring.length]!;
      if (y > lat !== next_y > lat && lon < x + ((lat - y) / (next_y - y)) * (next_x - x))
        inside = !inside;
    }
  return inside;
}

const square = (x: number, y: number, d: number): Corner[] => [
  ...([
    [x - d, y - d],
    [x + d, y - d],
    [x + d, y + d],
    [x - d, y + d],
    [x - d, y - d],
  ] as const),
];

const AREAS: readonly [name: string, area: object, rings: readonly (readonly Corner[])[]][] = [
  ["a square", { coordinates: [[square(20, 21, 0.001)]] }, [square(20, 21, 0.001)]],
  [
    "a polygon by its own name",
    { type: "Polygon", coordinates: [square(20, 21, 1)] },
    [square(20, 21, 1)],
  ],
  [
    "a square with a hole in its middle",
    { coordinates: [[square(20, 21, 1), square(20, 21, 0.5)]] },
    [square(20, 21, 1), square(20, 21, 0.5)],
  ],
  [
    "the larger of two",
    { coordinates: [[square(0, 0, 0.1)], [square(5, 5, 1)]] },
    [square(5, 5, 1)],
  ],
  [
    "a horseshoe",
    {
      coordinates: [
        [
          [
            [0, 0],
            [9, 0],
            [9, 9],
            [8, 9],
            [8, 1],
            [1, 1],
            [1, 9],
            [0, 9],
            [0, 0],
          ],
        ],
      ],
    },
    [
      [
        [0, 0],
        [9, 0],
        [9, 9],
        [8, 9],
        [8, 1],
        [1, 1],
        [1, 9],
        [0, 9],
      ],
    ],
  ],
];

for (const [name, station_area, rings] of AREAS)
  test(`the point of ${name} lies in it`, () => {
    const at = pointInArea({ station_area })!;
    assert.ok(isInside(rings, at.lat, at.lon), JSON.stringify(at));
  });

test("the point of any triangle lies in it", () => {
  const corner = fc.tuple(fc.integer({ min: -179, max: 179 }), fc.integer({ min: -89, max: 89 }));
  fc.assert(
    fc.property(corner, corner, corner, (a, b, c) => {
      const size = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
      fc.pre(Math.abs(size) > 1);
      const ring = [a, b, c, a];
      const at = pointInArea({ station_area: { coordinates: [[ring]] } })!;
      assert.ok(isInside([ring.slice(0, 3)], at.lat, at.lon));
    }),
  );
});

test("an area that cannot be read gives no point, and one that is too large is not walked through", () => {
  for (const coordinates of [
    [],
    [[]],
    [[[]]],
    [[[[1, 2]]]],
    [
      [
        [
          ["x", 1],
          [1, 1],
          [2, 1],
          [1, 1],
        ],
      ],
    ],
    7,
  ])
    assert.equal(pointInArea({ station_area: { coordinates } }), null);
  const huge = Array.from({ length: 100_000 }, (_, i) => [i / 1e6, (i % 7) / 1e6]);
  assert.equal(pointInArea({ station_area: { coordinates: [[huge]] } }), null);
  assert.equal(
    stations({ station_id: "s", name: "N", station_area: { coordinates: [] } }).length,
    0,
  );
});

test("coordinates go before the area, and wrong ones are not replaced by it", () => {
  const station_area = { coordinates: [[square(20, 21, 1)]] };
  const [own] = stations({ station_id: "a", ...place, station_area });
  assert.deepEqual([own!.lat, own!.lon], [59.9, 10.7]);
  assert.equal(stations({ station_id: "a", lat: 0, lon: 0, station_area }).length, 0);
});

const OLD = { station_id: "412", name: "Elm St & 3 Ave", ...place, capacity: 20 };
const NEW = { ...OLD, station_id: "a1b2", legacy_id: "412" };
const TWINS: readonly [name: string, rows: readonly object[], ids: readonly string[]][] = [
  ["a row and its successor", [OLD, NEW], ["a1b2"]],
  ["in the other order", [NEW, OLD], ["a1b2"]],
  ["another name", [OLD, { ...NEW, name: "Oak St" }], ["412", "a1b2"]],
  ["another place", [OLD, { ...NEW, lat: 59.901 }], ["412", "a1b2"]],
  ["another size", [OLD, { ...NEW, capacity: 12 }], ["412", "a1b2"]],
  ["a size that one does not say", [OLD, { ...NEW, capacity: undefined }], ["a1b2"]],
  ["a row that names itself", [{ ...OLD, legacy_id: "412" }], ["412"]],
  ["rows that name each other", [{ ...OLD, legacy_id: "a1b2" }, NEW], ["412"]],
  ["an old id that is not listed", [NEW], ["a1b2"]],
];

for (const [name, rows, ids] of TWINS)
  test(`one dock under two ids: ${name}`, () => {
    assert.deepEqual(
      stations(...rows).map(({ id }) => id),
      ids,
    );
  });
