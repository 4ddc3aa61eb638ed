/** Ways on foot of a deployment: which base answers, and that one without them serves on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "#kit/budget.ts";
import { columnName } from "#osm/sections.ts";
import { openPack } from "#osm/imports.ts";
import { openWalk, type WalkMeta } from "#osm/walking.ts";
import { openBase } from "#upstream/bases/open-bases.ts";
import { type HeldBase, toHeld } from "#upstream/bases/held-base.ts";
import type { UnreadBase } from "#upstream/bases/shelf.ts";
import { createWalks } from "#upstream/bases/walks.ts";
import type { PbfObject } from "../../../../sandbox/pbf/encode.ts";
import { aBasePack, DATA_AT_S } from "../../../support/bases.ts";

const node = (id: number, north: number, tags = {}): PbfObject => ({
  ...{ type: "node", id, tags },
  ...{ lat7: 488_500_000 + north * 1_000, lon7: 23_500_000 },
});
/** A street of 60 nodes, and toilets next to it. */
const TOWN: readonly PbfObject[] = [
  ...Array.from({ length: 60 }, (_, i) => node(i + 1, i)),
  node(100, 20, { amenity: "toilets" }),
  {
    ...{ type: "way", id: 1, tags: { highway: "residential" } },
    refs: Array.from({ length: 60 }, (_, i) => i + 1),
  },
];
const AT = { lat: 48.853, lon: 2.35 };

async function hold(id: string, without: readonly "walk"[]): Promise<HeldBase> {
  const pack = await aBasePack(id, TOWN, DATA_AT_S, without);
  const statement = { id, data_at: null, licence: null, attribution: null };
  return { ...toHeld({ id, version: id, bytes: pack.length }, openBase(pack)!), statement };
}

test("a base without ways on foot answers everything else, and says of ways that it lacks them", async () => {
  const [old, whole] = [await hold("old", ["walk"]), await hold("whole", [])];
  const circle = { ...AT, radius_m: 1_000 };
  for (const base of [old, whole]) {
    const budget = new Budget({ looks: 1e6, keeps: 100 });
    using pinned = await base.pages.pin([0]);
    const { page } = pinned.pages[0]!;
    assert.equal([...page.search(["toilets"], circle, { budget })].length, 1, base.id);
    assert.ok(page.geocoder !== null && page.map !== null);
  }
  const at = async (list: readonly HeldBase[], point = AT) => {
    const walks = createWalks({ list: () => list, listUnread: () => [] });
    return (await walks.pin({ ...point, radius_m: 500 })).base;
  };
  assert.equal(await at([old]), "base_without_walking");
  assert.equal(await at([]), "outside_bases");
  assert.equal(await at([old, whole], { lat: 0, lon: 0 }), "outside_bases");
  // Of two that cover a point, the one with streets answers, whichever is newer.
  const found = await at([old, whole]);
  assert.ok(typeof found === "object");
  assert.equal(found.statement.id, "whole");
  const [way] = found.walker.walkTo(AT, [{ lat: 48.854, lon: 2.35 }], {
    ...{ most_m: 500, profile: "foot" as const },
  });
  assert.ok(typeof way === "object" && Math.round(way.meters) === 111, JSON.stringify(way));
});

test("a base of another version needs a new import for ways on foot, where it covers a point", async () => {
  const earlier: UnreadBase = {
    ...{ id: "old", version: "1", bytes: 8, reason: "earlier_version", box: null, sections: [] },
    covers: (lat) => lat > 40,
  };
  const walks = createWalks({ list: () => [], listUnread: () => [earlier] });
  assert.equal((await walks.pin({ ...AT, radius_m: 500 })).base, "base_without_walking");
  assert.equal((await walks.pin({ lat: 0, lon: 0, radius_m: 500 })).base, "outside_bases");
  const between = await walks.pinBetween(AT, { lat: 0, lon: 0 }, { most_m: 500 });
  assert.equal(between.base, "outside_bases");
});

test("a section that lacks a column, as one of another layout does, is none", async () => {
  const { columns, meta } = openPack(await aBasePack("a", TOWN))!;
  const walk = meta.sections["walk"] as WalkMeta;
  assert.ok(openWalk(columns, walk) !== null);
  const names = Object.keys(columns).filter((name) => name.startsWith(columnName("walk", "")));
  assert.ok(names.length >= 10);
  for (const name of names) {
    const { [name]: _, ...others } = columns;
    // Bases of earlier imports lack the last one.
    assert.equal(openWalk(others, walk) === null, !name.endsWith(".phases"), name);
    assert.equal(openWalk({ ...others, [name]: new Int32Array(4) }, walk), null, name);
  }
});
