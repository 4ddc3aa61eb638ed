/** Where live mode begins: the middle of a base, by what the service says of its sources. */
import assert from "node:assert/strict";
import { test } from "node:test";

type Base = { lat: number; lon: number; name: string };

const { listBases } = (await import(
  new URL("../../../explorer/data/bases.js", import.meta.url).href
)) as { listBases(sources: readonly object[]): Base[] };

const toSource = (id: string, bbox: object | null, base: object | null = {}): object => ({
  ...{ id, bbox, base },
});

test("a base is its middle, also over the date line; what is no area to begin in is none", () => {
  const li = { south: 47.048, west: 9.471, north: 47.271, east: 9.636 };
  const fiji = { south: -19, west: 177, north: -16, east: -178 };
  assert.deepEqual(
    listBases([
      toSource("openbase:li", li),
      toSource("openbase:fj", fiji),
      toSource("velib", li, null),
      toSource("openbase:damaged", null),
      toSource("openbase:planet", { south: -90, west: -180, north: 90, east: 180 }),
    ]),
    [
      { lat: 47.1595, lon: 9.5535, name: "li" },
      { lat: -17.5, lon: 179.5, name: "fj" },
    ],
  );
});
