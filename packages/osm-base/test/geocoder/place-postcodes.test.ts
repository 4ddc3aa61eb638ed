/**
 * Postcodes of places of which a page has a part. Schaan was 9497 in a page that had its last houses
 * next to the postcode of another town; the whole extract has several, and says none.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createGeocoderSection } from "../../geocoder/geocoder-section.ts";
import { openGeocoder } from "../../geocoder/geocoder.ts";
import { cellAt, type PageCell, WHOLE } from "../../pages/page-cell.ts";
import { aHouse, anArea, aWay, feed, packOf } from "../../../../test/support/geocoder.ts";

const CELL = cellAt(11, 471_400_000, 95_600_000);
/** In the cell of the point. */
const [LAT, LON] = [47.14, 9.56];
const TOWN = { boundary: "administrative", admin_level: "8", name: "Schaan" };

function ask(q: string, reach: number, cell: PageCell): (string | null)[] {
  const section = createGeocoderSection({ cell });
  const street = (id: number, north: number, name: string) =>
    aWay(
      id,
      [
        [LAT + north, LON],
        [LAT + north, LON + 0.002],
      ],
      { highway: "residential", name },
    );
  feed(section, [
    anArea(1, [LAT - 0.01, LON - 0.01, LAT + reach, LON + 0.01], TOWN),
    street(2, 0, "Landstrasse"),
    street(3, 0.002, "Feldweg"),
    aHouse(4, [LAT, LON + 0.001], "Landstrasse", "1", { "addr:postcode": "9497" }),
  ]);
  const { columns, meta } = packOf(section);
  const found = openGeocoder(columns, meta).geocode({
    q,
    language: null,
    country: null,
    near: null,
    limit: 1,
  });
  return found.map(({ address }) => address.postal_code);
}

for (const q of ["Schaan", "Feldweg"])
  test(`the postcode of ${q} is that of all addresses of the town, where they are known`, () => {
    assert.deepEqual(ask(q, 0.01, CELL), ["9497"], "the cell holds the town");
    assert.deepEqual(ask(q, 0.5, CELL), [null], "others may have more");
    assert.deepEqual(ask(q, 0.5, WHOLE), ["9497"], "no other page has any");
  });

test("a street's own addresses say its postcode, wherever the town goes on", () => {
  assert.deepEqual(ask("Landstrasse", 0.5, CELL), ["9497"]);
});
