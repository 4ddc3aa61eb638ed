/** Countries of many points: the same as those of the map, which is asked once where no border is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { borders, iso1A2Codes } from "@rapideditor/country-coder";
import { countryOfBorderTown } from "#app/border-towns.ts";
import { loadCountries } from "#app/country.ts";
import { findByCell } from "#app/country-cells.ts";

test("where nothing changes one point of a cell is looked up, next to a line each", () => {
  const points: string[] = [];
  const find = findByCell(
    (lat, lon) => {
      points.push(`${lat} ${lon}`);
      return lon < 10.1 ? ["SE"] : ["FI"];
    },
    {
      rings: [
        [
          [10.1, -5],
          [10.1, 5],
        ],
      ],
      boxes: [[20, 30, 20.1, 30.1]],
    },
  );
  assert.deepEqual(find(0, 5), ["SE"]);
  assert.deepEqual(find(0.01, 5.01), ["SE"]);
  assert.deepEqual(points, ["0 5"]);
  assert.deepEqual([find(0, 10.05), find(0, 10.15)], [["SE"], ["FI"]]);
  assert.equal(points.length, 3);
  for (const lon of [30.05, 30.06]) find(20.05, lon);
  assert.equal(points.length, 5);
});

test("every country of the map has the same points as before, on its borders, near to them and elsewhere", async () => {
  const find = await loadCountries();
  const ofMap = (lat: number, lon: number): string[] => {
    const codes = iso1A2Codes([lon, lat]);
    const town = countryOfBorderTown(lat, lon);
    return town === null || codes.includes(town) ? codes : [town];
  };
  const corners = borders.features.flatMap(({ geometry }) =>
    geometry?.type === "MultiPolygon"
      ? geometry.coordinates.flat(2).filter((_, i) => i % 11 === 0)
      : [],
  );
  const near = corners.flatMap(([lon, lat], i) => [
    [lat!, lon!] as const,
    [lat! + ((i % 7) - 3) * 0.09, lon! + ((i % 5) - 2) * 0.11] as const,
  ]);
  const towns = [
    [65.85, 24.14],
    [50.75, 3.13],
    [90, 180],
    [-90, -180],
    [0, 0],
  ] as const;
  const different = [...near, ...towns].filter(
    ([lat, lon]) => find(lat, lon).join() !== ofMap(lat, lon).join(),
  );
  assert.deepEqual(different, []);
  assert.ok(near.length > 4_000, `${near.length}`);
});
