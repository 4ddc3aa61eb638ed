/** The table of classes is data that anyone may extend: what the code relies on in it. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fold, nameWords } from "#kit/names/fold.ts";
import { PLACE_CLASSES, THING_KINDS } from "../place-classes.ts";
import { SERVICE_TYPES } from "../tokens.ts";
import { DOCUMENTED_TYPES } from "./google-types.ts";

const TEXTS = new URL("../../../explorer/texts/", import.meta.url);
const LANGUAGES = readdirSync(TEXTS)
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -".json".length))
  .toSorted();

test("every kind has words in every language of the explorer, each once", () => {
  assert.equal(LANGUAGES.length, 10);
  for (const { words, tags } of THING_KINDS) {
    assert.deepEqual(Object.keys(words).toSorted(), LANGUAGES, tags.join());
    for (const [language, own] of Object.entries(words)) {
      const what = `${tags.join()} in ${language}`;
      assert.ok(own.length > 0, what);
      assert.equal(new Set(own).size, own.length, what);
      for (const word of own) {
        assert.ok(word === word.trim() && word === word.toLowerCase(), `${what}: ${word}`);
        assert.ok(word.split(" ").length <= 4, `${what}: ${word}`);
      }
    }
  }
});

test("a tag is of one kind, and a class of one row", () => {
  const tags = THING_KINDS.flatMap((kind) => kind.tags);
  assert.equal(new Set(tags).size, tags.length);
  for (const tag of tags) assert.match(tag, /^[a-z_]+=[a-z_]+$/);
  assert.equal(new Set(PLACE_CLASSES).size, PLACE_CLASSES.length);
  for (const name of PLACE_CLASSES) assert.match(name, /^[a-z]+(?:_[a-z]+)*$/);
});

test("the services are classes under their own names, and the maps provider is asked for no service", () => {
  const services = THING_KINDS.flatMap(({ service, place_class }) =>
    service ? [[service, place_class]] : [],
  );
  const found: ReadonlySet<unknown> = new Set(services.map(([service]) => service));
  assert.deepEqual(found, new Set(SERVICE_TYPES));
  for (const [service, place_class] of services) assert.equal(place_class, service);
  for (const { service, google, place_class } of THING_KINDS) {
    for (const type of google) assert.match(type, /^[a-z_]+$/);
    if (service !== null || place_class === null) assert.deepEqual(google, []);
  }
});

const CLASSES = THING_KINDS.filter(({ place_class }) => place_class !== null);

test("every class has two words at least in every language", () => {
  assert.equal(CLASSES.length, 88);
  for (const { place_class, words } of CLASSES)
    for (const [language, own] of Object.entries(words))
      assert.ok(own.length >= 2, `${place_class} in ${language}: ${own.join()}`);
});

/** Words that mean two classes, in one language or by two languages, in their comparable form. */
const TWO_CLASSES: Readonly<Record<string, string>> = {
  // Dutch for parks, German for parking.
  parken: "park parking",
  // American for a pharmacy, British for what sells toiletries; Portuguese and Japanese likewise.
  drugstore: "drugstore pharmacy",
  drugstores: "drugstore pharmacy",
  drogaria: "drugstore pharmacy",
  ドラッグストア: "drugstore pharmacy",
  klinik: "clinic hospital",
  // A doctor's rooms in Italy, a health centre in Spain.
  ambulatorio: "clinic doctor",
  // A café in Italy.
  bar: "bar cafe",
  pastelaria: "bakery cafe",
  // A café in Portugal, a snack bar in the Netherlands.
  cafetaria: "cafe fast_food",
  حانة: "bar pub",
  kiosk: "convenience kiosk",
  مكتبة: "books library",
  ゲストハウス: "guest_house hostel",
  // A school in France.
  college: "school university",
  colleges: "school university",
};

test("no word means two classes but those that do in life", () => {
  const classes = new Map<string, Set<string>>();
  for (const { place_class, words } of CLASSES)
    for (const word of [place_class!.replaceAll("_", " "), ...Object.values(words).flat()]) {
      const plain = nameWords(fold(word)).join(" ");
      classes.set(plain, (classes.get(plain) ?? new Set()).add(place_class!));
    }
  const ambiguous = [...classes].flatMap(([word, own]) =>
    own.size > 1 ? [[word, [...own].toSorted().join(" ")]] : [],
  );
  assert.deepEqual(Object.fromEntries(ambiguous), TWO_CLASSES);
});

test("words are found as people write them: plural, colloquial, without umlauts, and not as another thing", () => {
  const classesOf = (word: string): string[] =>
    CLASSES.flatMap(({ place_class, words }) =>
      Object.values(words).flat().includes(word) ? place_class! : [],
    );
  for (const [word, meant] of [
    ...[
      ["baeckereien", "bakery"],
      ["oeffentliche toilette", "toilets"],
      ["schuhe", "shoes"],
    ],
    ...[
      ["garagiste", "car_repair"],
      ["salle de sport", "gym"],
      ["hostal", "guest_house"],
    ],
    ...[
      ["casas de câmbio", "bureau_de_change"],
      ["wassalon", "laundry"],
      ["paczkomaty", "locker"],
    ],
    ...[
      ["派出所", "police"],
      ["salonik prasowy", "kiosk"],
      ["مولات", "shopping_mall"],
    ],
  ] as const)
    assert.deepEqual(classesOf(word), [meant], word);
  // A locker for luggage takes no parcels, an aquarium is no zoo, and a mountain hut is no youth hostel.
  for (const word of [
    "schließfach",
    "コインロッカー",
    "consigna",
    "aquarium",
    "水族館",
    "schronisko",
  ])
    assert.deepEqual(classesOf(word), [], word);
});

test("the maps provider documents every type that it is asked for, each of one class", () => {
  const types = CLASSES.flatMap(({ google }) => google);
  assert.deepEqual(
    types.filter((type) => !DOCUMENTED_TYPES.has(type)),
    [],
  );
  assert.equal(new Set(types).size, types.length);
  const typesOf = (name: string): readonly string[] =>
    CLASSES.find(({ place_class }) => place_class === name)!.google;
  assert.deepEqual(typesOf("pharmacy"), ["pharmacy"]);
  assert.deepEqual(typesOf("fuel"), ["gas_station"]);
  assert.deepEqual(typesOf("hairdresser"), ["hair_salon", "barber_shop"]);
  assert.deepEqual(typesOf("hotel"), ["hotel", "motel"]);
});
