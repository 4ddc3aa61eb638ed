import assert from "node:assert/strict";
import { test } from "node:test";
import { askFor, COUNTRY, geocoderOf, shown } from "../../../../test/support/geocoder.ts";

const geocoder = geocoderOf(COUNTRY);

test("things of a kind are found near a street, a place, a point, by their kind's name in any language", () => {
  const ids = (q: string, change = {}): (string | null)[] =>
    geocoder
      .search(askFor(q, { limit: 2, ...change }))
      .map(({ source_place_id }) => source_place_id);
  assert.deepEqual(ids("toilets near Bahnhofstrasse Unterwil"), ["N182", "N181"]);
  assert.deepEqual(ids("WC Oberwil"), ["N181", "N182"]);
  assert.deepEqual(ids("öffentliche Toilette", { near: { lat: 47.05, lon: 9.05 } }), [
    "N182",
    "N181",
  ]);
  assert.deepEqual(ids("toilets near Nirgendwo"), []);
});

test("a thing without a name is called by its kind in the language", () => {
  const [item] = geocoder.search(askFor("toilets", { language: "de" }));
  assert.equal(item!.name, "Toiletten");
});

test("a name is preferred to the kind that its words are", () => {
  assert.equal(
    shown(geocoder.search(askFor("Oberwil Bahnhof")))[0],
    "Oberwil Bahnhof, Oberwil, Switzerland [rooftop]",
  );
});

test("each keystroke is answered with what begins so", () => {
  for (let length = 3; length <= "bahnhofstrasse".length; length++) {
    const items = geocoder.search(askFor("bahnhofstrasse".slice(0, length), { prefix: true }));
    assert.ok(
      items.some(({ name }) => name === "Bahnhofstrasse"),
      String(length),
    );
  }
  assert.equal(geocoder.search(askFor("unterw", { prefix: true }))[0]!.name, "Unterwil");
});
