/** What places are called (decisions, Names). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { displayNameOf } from "#core/places/place-naming.ts";
import { PLACE_KINDS, type Place } from "#core/places/place.ts";
import { aPlace } from "../../../support/places.ts";

const LANGUAGES = ["ar", "en", "de", "es", "fr", "it", "ja", "nl", "pl", "pt"];
const at = (change: Partial<Place>): Place => aPlace("1", change);
const STREET = { address: { street: "Rue X", number: "5", area: "Town" } };

test("a place without a name is called by its kind, in the language of the question, and its street", () => {
  const place = at({ kind: "parking", ...STREET });
  for (const [language, name] of [
    [null, "Car park, Rue X"],
    ["de", "Parkplatz, Rue X"],
    ["de-AT", "Parkplatz, Rue X"],
    ["JA", "駐車場, Rue X"],
    ["ar", "موقف سيارات, Rue X"],
    ["constructor", "Car park, Rue X"],
    ["sw", "Car park, Rue X"],
  ] as const)
    assert.equal(displayNameOf(place, language), name);
  assert.equal(
    displayNameOf(at({ kind: "parking", address: { area: "Town" } }), null),
    "Car park, Town",
  );
});

test("every kind has a word in every language, and water that may not be drinkable one of its own", () => {
  for (const language of LANGUAGES) {
    for (const kind of PLACE_KINDS) assert.ok(displayNameOf(at({ kind }), language).length > 1);
    const words = ["yes", "unknown", "no"].map((drinking_water) =>
      displayNameOf(at({ kind: "water", attributes: { drinking_water } }), language),
    );
    assert.notEqual(words[0], words[1], language);
    assert.equal(words[1], words[2]);
  }
});

test("its name by language goes before its own, which goes before the kind", () => {
  const names = { fr: "Toilettes du parc", "zh-Hant": "公園廁所" };
  const place = at({ name: "Park toilets", names, ...STREET });
  for (const [language, name] of [
    [null, "Park toilets"],
    ["fr-CA", "Toilettes du parc"],
    ["zh-Hant", "公園廁所"],
    ["es", "Park toilets"],
  ] as const)
    assert.equal(displayNameOf(place, language), name);
});

test("what is only the operator's name or the address, in any spelling, is no name", () => {
  const attributes = { operator: "City Hall", brand: "Sani", address: "5 Rue X, 75001 Town" };
  for (const name of ["City Hall", "CITY HALL", "Sani", "5 Rue X, 75001 Town", "Rue X, 5", "rue x"])
    assert.equal(displayNameOf(at({ name, attributes, ...STREET }), null), "Public toilets, Rue X");
  assert.equal(displayNameOf(at({ name: "City Hall Annex", attributes }), null), "City Hall Annex");
  const cafe = at({ kind: "wifi", name: "Moka", attributes: { operator: "Moka" } });
  assert.equal(displayNameOf(cafe, null), "Moka");
});

test("a car park whose name does not say what it is has its street added, unless its operator is known", () => {
  for (const [kind, name, listed] of [
    ["parking", "Stallo", "Stallo, Rue X"],
    ["parking", "Parking des Bateliers", "Parking des Bateliers"],
    ["parking", "Tiefgarage Oper", "Tiefgarage Oper"],
    ["charging", "Voltaro", "Voltaro, Rue X"],
    ["charging", "Voltaro Rue X", "Voltaro Rue X"],
    ["charging", "Ladestation Oper", "Ladestation Oper"],
    ["toilets", "Oper", "Oper"],
  ] as const)
    assert.equal(displayNameOf(at({ kind, name, ...STREET }), null), listed);
  const operated = at({ kind: "parking", name: "Oper", attributes: { operator: "O" }, ...STREET });
  assert.equal(displayNameOf(operated, null), "Oper");
});

test("a locker is called by its operator and its code", () => {
  const locker = (attributes: object, change: Partial<Place> = {}) =>
    displayNameOf(at({ kind: "locker", attributes: { ...attributes }, ...change }), null);
  assert.equal(locker({ operator: "InPost", code: "FR1010" }, STREET), "InPost FR1010");
  assert.equal(
    locker({ operator: "InPost", brand: "Mondial Relay", code: "7" }),
    "Mondial Relay 7",
  );
  assert.equal(locker({ operator: "InPost" }, STREET), "Parcel locker, Rue X");
  assert.equal(locker({ code: "7" }), "Parcel locker 7");
  assert.equal(locker({}, { name: "Packstation" }), "Packstation");
});
