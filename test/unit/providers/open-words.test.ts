/**
 * Words of open vocabularies (fee, access, state of operation) mean the same whichever source says
 * them, and a word that is not known is unknown (decisions, Words of open vocabularies).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PLACE_KINDS } from "#core/places/place.ts";
import { feeOf } from "#providers/google_maps/google-parking.ts";
import { readFacts } from "#providers/stated-facts.ts";
import { placeOf } from "./openstreetmap/support.ts";

/** undefined: unknown. */
const FEES: readonly [said: unknown, fee: boolean | undefined][] = [
  ...["no", "No", "free", "none", "gratis", "0", "0.00 EUR", "false", false, 0].map(
    (reported) => [reported, false] as const,
  ),
  ...["yes", "paid", "true", "1 EUR", "Mo-Sa 08:00-19:00", true, 1, 2.5].map(
    (reported) => [reported, true] as const,
  ),
  ...[
    "donation",
    "disc",
    "nein",
    "members",
    "unknown",
    "-",
    "",
    "  ",
    "yes;no",
    null,
    -1,
    {},
    [],
  ].map((reported) => [reported, undefined] as const),
] as [unknown, boolean | undefined][];

for (const [reported, fee] of FEES)
  test(`a fee of ${JSON.stringify(reported)} is ${fee} for every kind of thing`, () => {
    for (const kind of PLACE_KINDS)
      assert.equal(readFacts(kind, { fee: reported })["fee"], fee, kind);
  });

const ACCESS: readonly [said: unknown, access: string | undefined][] = [
  ["yes", "yes"],
  ["public", "yes"],
  [true, "yes"],
  ["PERMISSIVE", "permissive"],
  ["customers", "customers"],
  ["destination", "restricted"],
  ["unknown", "unknown"],
  ["agricultural", undefined],
  ["military", undefined],
  ["oui", undefined],
  ["", undefined],
  [7, undefined],
];

for (const [reported, access] of ACCESS)
  test(`access of ${JSON.stringify(reported)} is ${access} for every kind of thing`, () => {
    for (const kind of PLACE_KINDS)
      assert.equal(readFacts(kind, { access: reported })["access"], access, kind);
  });

test("an unknown word of access hides nothing on the open map", () => {
  for (const access of ["agricultural", "military", "oui", "see sign", "members"]) {
    const place = placeOf("toilets", { amenity: "toilets", access });
    assert.ok(place, access);
    assert.equal(place.attributes["access"], undefined);
  }
});

const FEATURES: readonly [features: string[], fee: boolean | null][] = [
  [[], null],
  [["free_parking"], false],
  [["paid_parking"], true],
  [["paid_street_parking", "paid_garage_parking"], true],
  [["free_garage_parking", "valet_parking"], false],
  [["free_street_parking", "paid_parking"], null],
  [["valet_parking"], null],
];

for (const [features, fee] of FEATURES)
  test(`a car park of the maps provider with ${features.join(", ") || "nothing"}: fee ${fee}`, () => {
    assert.equal(feeOf({ kind: "parking", features }), fee);
  });
