/** Brands, battery levels and attributes of the legacy routes (§4.11, §4.12; mobility 7.3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { brandOf, slugsOf, toBrandSlug } from "#stations/identity/brand-names.ts";
import { toAttributes, toBattery, toNumberId } from "#core/legacy/vehicle.ts";
import { aType } from "../../../support/domain.ts";

const BRANDS: readonly [id: string, name: string, slug: string | null, shown?: string][] = [
  ["lime_paris", "Lime Paris", "lime", "Lime"],
  ["dott-lyon", "dott Lyon", "dott", "Dott"],
  ["tier_berlin", "TIER Berlin", "dott", "Dott"],
  ["nextbike_bg", "WienMobil Rad", "nextbike", "nextbike"],
  ["bird-antwerp", "Bird Antwerp", "bird", "Bird"],
  ["x7", "Vélo Seine", "velo-seine", "Vélo Seine"],
  // Within another word it is another word.
  ["sublime", "Sublimé", "sublime", "Sublimé"],
  ["spinoza", "Spinoza Bikes", "spinoza-bikes", "Spinoza Bikes"],
  ["kyoto", "さくらサイクル", "さくらサイクル", "さくらサイクル"],
  ["s1", "Freefloat", "freefloat-s1", "Freefloat"],
  ["---", "!!", null],
];

test("§4.11: a system's brand is a known name in its id or name, else its own", () => {
  for (const [id, name, slug, listed] of BRANDS) {
    const brand = brandOf({ id, name });
    assert.equal(brand?.slug ?? null, slug, id);
    if (listed !== undefined) assert.equal(brand?.name, listed, id);
  }
});

test("a path finds a brand in any case and under its other names", () => {
  for (const text of ["Lime", "LIME", "lime"]) assert.equal(toBrandSlug(text), "lime");
  for (const text of ["tier", "Tier", "dott"]) assert.equal(toBrandSlug(text), "dott");
  assert.equal(toBrandSlug("VÉLO-SEINE"), "velo-seine");
  assert.notEqual(toBrandSlug("freefloat"), brandOf({ id: "s1", name: "Freefloat" })?.slug);
});

test("whatever a system is called, its brand is found again under its slug", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (name, id) => {
      const brand = brandOf({ id, name });
      if (brand) assert.equal(toBrandSlug(brand.slug), brand.slug);
    }),
  );
});

test("other names never hide a route or a brand that is known everywhere", () => {
  const brand = { slug: "moonscoot", name: "MoonScoot" };
  assert.deepEqual(slugsOf(brand, ["Freefloat", "Lime", "!!", "Lune", "Lune GmbH"]), [
    "moonscoot",
    "lune",
    "lune-gmbh",
  ]);
});

const BATTERIES: readonly [
  charge: number,
  range: number,
  max: number | null,
  percent: number | null,
][] = [
  [0.71, NaN, null, 71],
  [0, NaN, null, 0],
  [1, 5000, 10_000, 100],
  [NaN, 5000, 20_000, 25],
  [NaN, 30_000, 20_000, 100],
  [NaN, 5000, null, null],
  [NaN, 5000, 0, null],
  [NaN, NaN, 20_000, null],
  [0.005, NaN, null, 1],
];

test("a battery is whole percent, of the charge or of the range, and unknown is null", () => {
  for (const [charge, range_m, max_m, percent] of BATTERIES)
    assert.equal(toBattery(charge, range_m, max_m), percent, `${charge} ${range_m} ${max_m}`);
});

test("attributes are what type and equipment say", () => {
  const bicycle = { form_factor: "bicycle", propulsion: "human", electric: false } as const;
  assert.deepEqual(toAttributes(null, []), []);
  assert.deepEqual(toAttributes(aType("a", bicycle), []), ["GEARS"]);
  const cargo = { form_factor: "cargo_bicycle", propulsion: "electric_assist", electric: true };
  assert.deepEqual(toAttributes(aType("b", cargo), ["child_seat_a"]), [
    ...["ELECTRIC", "CARGO", "CHILD_SEAT"],
  ]);
  const scooter = { form_factor: "scooter_standing", propulsion: "electric", electric: true };
  assert.deepEqual(toAttributes(aType("c", scooter), ["winter_tires"]), ["ELECTRIC"]);
  assert.deepEqual(toAttributes(aType("d", { electric: null, accessories: ["gears"] }), []), [
    "GEARS",
  ]);
});

test("a number of a vehicle is positive, of 31 bits, and its own", () => {
  const ids = new Set(Array.from({ length: 5000 }, (_, i) => toNumberId(`sys:v${i}`)));
  assert.ok(ids.size >= 4990);
  for (const id of ids) assert.ok(Number.isInteger(id) && id >= 0 && id < 2 ** 31);
  assert.equal(toNumberId("sys:v1"), toNumberId("sys:v1"));
});
