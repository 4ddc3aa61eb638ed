/**
 * A place of many inhabitants is shown from farther. Of a country with more than a million of them the
 * first zoom became less than 0, which is 253 in the byte that has it: no tile of any zoom had the name
 * of Germany, and those of small countries were there. Found while pages of the smallest zooms were made.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mapOf, node, tileAt } from "../support/map-features.ts";
import { readMvt } from "../support/mvt.ts";

test("a country is on the map of each zoom, however many live there", () => {
  for (const population of ["900", "90000", "9000000", "900000000"]) {
    const at = [51.2, 10.4] as const;
    const map = mapOf([node(at, { place: "country", name: "Land", population })]);
    for (const zoom of [2, 7, 14]) {
      const { z, x, y } = tileAt(at, zoom);
      const places = readMvt(map.tile(z, x, y)!).get("place")!.features;
      assert.equal(places[0]?.properties["name"], "Land", `${population} at ${zoom}`);
    }
  }
});
