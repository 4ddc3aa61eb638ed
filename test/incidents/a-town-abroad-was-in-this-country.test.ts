/**
 * `Feldkirch`, asked of a base of Liechtenstein, was "Stadt Feldkirch, Schellenberg, Liechtenstein": the
 * edge of the extract had left pieces of its boundary, and the middle of those lies in Schellenberg. What
 * lay over the border was in the town that reaches so far, and in the country that a coarse map says.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { aBase, aGazetteer, toQuery } from "../support/geocoding-bases.ts";
import { anArea, aNode, type Feature } from "../support/geocoder.ts";

const admin = (admin_level: string, name: string) => ({
  ...{ boundary: "administrative", admin_level, name },
});
const FEATURES: readonly Feature[] = [
  anArea(1155955, [47.1, 9.4, 47.3, 9.57], {
    ...{ ...admin("2", "Liechtenstein"), "ISO3166-1": "LI" },
  }),
  anArea(1155951, [47.22, 9.53, 47.26, 9.57], admin("8", "Schellenberg")),
  aNode(1, [47.24, 9.568], { place: "village", name: "Schellenberg" }),
  { ...anArea(75155, [47.22, 9.545, 47.26, 9.571], admin("8", "Stadt Feldkirch")), rings: [] },
  aNode(2, [47.24, 9.575], { tourism: "hotel", name: "Gasthof Löwen" }),
].map((each): Feature => (each.id === 75155 ? { ...each, whole: false } : each) as Feature);

const base = aBase("liechtenstein", [47, 9.4, 47.3, 9.7], FEATURES, {
  // The map of countries is coarse by kilometres.
  countryAt: (_, lon) => (lon < 9.6 ? "LI" : "AT"),
});
const world = aGazetteer([["Feldkirch", "AT", 47.233, 9.6, 33_000, "08"]]);

test("what lies over the border is in its own country, and in no town of this one", async () => {
  const ask = toQuery([base], world);
  for (const [q, label, country] of [
    ["Feldkirch", "Feldkirch, Vorarlberg, Austria", "AT"],
    ["Rheinstrasse 10, Feldkirch", "Feldkirch, Vorarlberg, Austria", "AT"],
    ["Gasthof Löwen", "Gasthof Löwen, Austria", "AT"],
    ["Schellenberg", "Schellenberg, Liechtenstein", "LI"],
  ] as const) {
    const { hits } = await ask(q);
    assert.deepEqual([hits[0]?.item.label, hits[0]?.item.country_code], [label, country], q);
  }
});
