import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  collapseUmlauts,
  MAX_NAME_WORDS,
  readQuestion,
  wordsOf,
} from "../../geocoder/fold-words.ts";
import { canonicalName, spellingsOf } from "../../geocoder/spellings.ts";

const WORDS: readonly (readonly [text: string, words: string])[] = [
  ["Straße", "strasse"],
  ["Ærøskøbing Łódź Ħamrun", "aeroskobing lodz hamrun"],
  ["Rue de l'Industrie", "rue de l industrie"],
  ["RUE DE L’INDUSTRIE", "rue de l industrie"],
  ["King's Road", "kings road"],
  ["94th Ave.", "94 ave"],
  ["1er Régiment", "1 regiment"],
  ["St.Gallen", "st gallen"],
  ["東京駅前", "東京 京駅 駅前"],
  ["ガーデン", "ガー ーデ デン"],
  ["ＡＢＣ１２", "abc12"],
  ["улица Ленина", "улица ленина"],
];

test("words are the same however they are written", () => {
  for (const [text, words] of WORDS) assert.equal(wordsOf(text).join(" "), words);
});

test("a question knows the longer spelling of its umlauts", () => {
  const [word] = readQuestion("Göttingen", 4);
  assert.equal(word!.text, "gottingen");
  assert.equal(word!.expanded, "goettingen");
  assert.equal(collapseUmlauts("goettingen"), "gottingen");
});

test("abbreviations are equal both ways, and their words not to one another", () => {
  assert.ok(spellingsOf("st").includes("street"));
  assert.ok(spellingsOf("st").includes("saint"));
  assert.ok(spellingsOf("street").includes("st"));
  assert.ok(!spellingsOf("street").includes("saint"));
  assert.ok(spellingsOf("bahnhofstr").includes("bahnhofstrasse"));
  assert.ok(spellingsOf("mannerheimint").includes("mannerheimintie"));
});

test("addresses and streets have one name in canonical form", () => {
  const canonical = (text: string): string => canonicalName(wordsOf(text));
  assert.equal(canonical("Bahnhof Str."), canonical("Bahnhofstraße"));
  assert.equal(canonical("Im Troexle"), canonical("Im Tröxle"));
  assert.notEqual(canonical("Bahnhofstrasse"), canonical("Bahnhofplatz"));
});

test("any text has a bounded number of bounded words", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 600 }), (text) => {
      const words = wordsOf(text);
      assert.ok(words.length <= MAX_NAME_WORDS);
      for (const word of words) assert.ok(word !== "" && word.length <= 40, word);
    }),
  );
});
