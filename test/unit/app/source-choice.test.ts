/** Which sources of places are asked, by what the operator has chosen, and in which order they lead. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareRank, isChosen, isUnused } from "#app/places/source-choice.ts";
import { listSources } from "#providers/registry.ts";

const all = listSources().map(([id, source]) => ({ id: id as string, source }));
const withRole = (role: string) => all.filter(({ source }) => source.role === role);
const choose = (adapter: string, geocoder = "nominatim") => ({ maps: { adapter, geocoder } });

test("a maps provider is asked where it is the chosen one, and nowhere else", () => {
  const maps = withRole("maps");
  assert.ok(maps.length >= 1);
  for (const each of maps) {
    assert.equal(isChosen(each, choose(each.id)), true);
    assert.equal(isChosen(each, choose("openstreetmap")), false);
  }
});

test("a geocoder is asked where the adapter is the open map and it is the chosen one", () => {
  const geocoders = withRole("geocoder");
  assert.ok(geocoders.length >= 2);
  for (const each of geocoders) {
    assert.equal(isChosen(each, choose("openstreetmap", each.id)), true);
    assert.equal(isChosen(each, choose("openstreetmap", "another")), false);
    assert.equal(isChosen(each, choose("google_maps", each.id)), false);
  }
});

test("a supplement is asked next to the open map alone, and is said to be unused otherwise", () => {
  const supplements = withRole("supplement");
  assert.ok(supplements.length >= 1);
  for (const each of supplements) {
    assert.equal(isChosen(each, choose("openstreetmap")), true);
    assert.equal(isUnused(each, choose("openstreetmap")), false);
    assert.equal(isUnused(each, choose("google_maps")), true);
  }
});

test("sources of the weather are never asked for places", () => {
  for (const each of withRole("weather")) assert.equal(isChosen(each, choose(each.id)), false);
});

test("the register of defibrillators that is named goes before the others of its rank", () => {
  const registers = withRole("aed");
  assert.ok(registers.length >= 2);
  for (const { id } of registers) {
    const [first] = registers.toSorted((a, b) => compareRank(a, b, { aed: { registry: id } }));
    const ranks = new Set(registers.map(({ source }) => source.precedence));
    if (ranks.size === 1) assert.equal(first!.id, id);
  }
});
