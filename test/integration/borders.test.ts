/**
 * A base that is imported decides the country of a point, and with it clocks and holidays; its regions
 * decide regional holidays (decisions, Clocks and holidays). The map of countries knows nothing of the
 * two countries that this extract invents.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenStates } from "#app/places/open-states.ts";
import type { OpenItem } from "#core/places/place-results.ts";
import type { PbfObject } from "../../sandbox/pbf/objects.ts";
import { createBorders } from "#upstream/bases/base-shelf-borders.ts";
import { openBase } from "#upstream/bases/open-bases.ts";
import type { HeldBase } from "#upstream/bases/held-base.ts";
import { createWhereabouts } from "#app/whereabouts.ts";
import { aBasePack } from "../support/bases.ts";

/** The order of a file. */
const KINDS = ["node", "way", "relation"];
const BORDER = { type: "boundary", boundary: "administrative" };

/** Nodes, a way and a relation around a box in the Gulf of Guinea, where the map has no country. */
function area(
  id: number,
  [south, west, north, east]: readonly [number, number, number, number],
  tags: Readonly<Record<string, string>>,
): PbfObject[] {
  const corners = [
    [south, west],
    [south, east],
    [north, east],
    [north, west],
  ].map(([lat, lon], i): PbfObject => ({
    type: "node",
    id: id * 10 + i,
    lat7: Math.round(lat! * 1e7),
    lon7: Math.round(lon! * 1e7),
    tags: {},
  }));
  const refs = [0, 1, 2, 3, 0].map((i) => id * 10 + i);
  return [
    ...corners,
    { type: "way", id, refs, tags: {} },
    {
      ...{ type: "relation", id, tags: { ...BORDER, ...tags } },
      members: [{ type: "way", id, role: "outer" }],
    },
  ];
}

const OBJECTS = [
  ...area(1, [0, 0, 1, 1], { admin_level: "2", "ISO3166-1": "DE", name: "West" }),
  ...area(2, [0, 1, 1, 2], { admin_level: "2", "ISO3166-1:alpha2": "US", name: "East" }),
  ...area(3, [0, 0, 0.5, 1], { admin_level: "4", "ISO3166-2": "DE-BY", name: "South" }),
  ...area(4, [0.5, 0, 1, 1], { admin_level: "4", "ISO3166-2": "DE-HH", name: "North" }),
].toSorted((a, b) => KINDS.indexOf(a.type) - KINDS.indexOf(b.type) || a.id - b.id);

const noFault = (error: unknown): void => assert.fail(String(error));

async function aShelf() {
  const pack = await aBasePack("gulf", OBJECTS);
  const base = openBase(pack) ?? assert.fail("no base");
  let stored: readonly HeldBase[] = [];
  const bases = { list: () => stored };
  return { bases, hold: () => (stored = [base as unknown as HeldBase]) };
}

test("a base that is imported decides country, clock and holidays of its border", async () => {
  const { bases, hold } = await aShelf();
  const where = createWhereabouts(bases, noFault);
  const [zoneAt, territoryAt] = await Promise.all([where.timezones(), where.territories()]);
  const statesAt = createOpenStates({
    countries: where.countries.load,
    timezones: where.timezones,
    territories: where.territories,
  });
  const stateOf = async (at: string, lat: number, lon: number): Promise<string> => {
    const states = await statesAt({ at_ms: Date.parse(at), is_now: false });
    const opening = { text: "Mo-Su 00:00-24:00; PH off" };
    return states.of({ location: { lat, lon }, attributes: {}, opening } as unknown as OpenItem)
      .state;
  };
  const all = async (lat: number, lon: number) => [
    territoryAt(lat, lon),
    zoneAt(lat, lon).startsWith("America/") ? "America" : zoneAt(lat, lon),
    await stateOf("2026-01-06T12:00:00Z", lat, lon),
    await stateOf("2026-07-04T18:00:00Z", lat, lon),
  ];
  const sea = [{ country: null, region: null }, "Etc/GMT", "unknown", "unknown"];
  assert.deepEqual(await all(0.25, 0.999), sea, "before it is imported");
  hold();
  const [bavaria, hamburg] = ["DE-BY", "DE-HH"].map((region) => ({ country: "DE", region }));
  const america = { country: "US", region: null };
  assert.deepEqual(await all(0.25, 0.999), [bavaria, "Europe/Berlin", "closed", "open"]);
  assert.deepEqual(await all(0.75, 0.999), [hamburg, "Europe/Berlin", "open", "open"]);
  assert.deepEqual(await all(0.25, 1.001), [america, "America", "open", "closed"]);
  assert.deepEqual(await all(0.25, 2.5), sea, "beyond it");
});

test("what several bases say is taken of the first that says it", async () => {
  const [base, other] = await Promise.all([
    aBasePack("new", area(1, [0, 0, 1, 1], { admin_level: "2", "ISO3166-1": "FR" })),
    aBasePack("old", OBJECTS),
  ]);
  const stored = [base, other].map((pack) => openBase(pack) as unknown as HeldBase);
  const borders = createBorders({ list: () => stored });
  assert.deepEqual(borders.at(0.25, 0.5), { countries: ["FR"], region: "DE-BY" });
  assert.deepEqual(borders.at(0.25, 1.5), { countries: ["US"], region: null });
  assert.equal(borders.excludes("US", 0.25, 0.5), true);
  assert.equal(borders.excludes("FR", 0.25, 0.5), false);
  assert.equal(createBorders({ list: () => [] }).crosses([0, 0, 90, 90]), false);
});
