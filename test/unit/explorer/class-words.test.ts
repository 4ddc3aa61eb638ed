/** The page folds words by itself: it finds what the service finds (core/places/class-words.ts). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { THING_KINDS } from "#api/place-classes.ts";
import { classesOfWord, nameOfClass } from "#core/places/class-words.ts";
import { fold, nameWords } from "#kit/names/fold.ts";
import { anyText } from "../../support/any-text.ts";
import { tries } from "../../support/size.ts";

const page = (path: string): URL => new URL(`../../../explorer/${path}`, import.meta.url);
type Meaning = { id: string; isKind: boolean; isExact: boolean };
type Table = Record<string, Record<string, string>>;
const { toPlain, toWords } = (await import(page("data/class-words.js").href)) as {
  toPlain(text: string): string;
  toWords(
    classes: Table,
    kinds: Table,
  ): {
    classesOf(text: string): string;
    meaningsOf(text: string, language: string): Meaning[];
    nameOf(id: string, language: string): string;
  };
};
const { KINDS } = (await import(page("page/kinds.js").href)) as { KINDS: { id: string }[] };
const read = (path: string): Table => JSON.parse(readFileSync(page(path), "utf8")) as Table;
const KIND_WORDS = read("data/kind-words.json");
const words = toWords(read("data/class-words.json"), KIND_WORDS);
const LANGUAGES = ["en", "fr", "de", "es", "it", "nl", "pl", "pt", "ja", "ar"];

test("every word of every language leads to its class, on the page as in the service", () => {
  for (const { place_class, words: of } of THING_KINDS)
    for (const word of place_class === null ? [] : Object.values(of).flat())
      for (const written of [word, word.toUpperCase(), ` ${word} `]) {
        assert.ok(classesOfWord(written).includes(place_class!), written);
        const classes = words.classesOf(written).split(",");
        assert.ok(classes.includes(place_class!), written);
      }
  assert.equal(words.classesOf("apotheke"), "pharmacy");
  assert.equal(words.classesOf("コンビニ"), "convenience");
  assert.equal(words.classesOf("drinking_water"), "drinking_water");
  assert.deepEqual(classesOfWord("no such thing"), []);
  assert.equal(words.classesOf("no such thing"), "");
});

test("each kind of the filters has words in ten languages, which mean it first", () => {
  const classes = new Set(THING_KINDS.map(({ place_class }) => place_class));
  for (const { id } of KINDS) {
    const of = KIND_WORDS[id] ?? read("data/class-words.json")[id];
    assert.deepEqual(Object.keys(of ?? {}).toSorted(), LANGUAGES.toSorted(), id);
    assert.equal(Object.hasOwn(KIND_WORDS, id), !classes.has(id), id);
    for (const [language, line] of Object.entries(of!))
      for (const word of line.split("|")) {
        const meant = words.meaningsOf(word, language).map((one) => [one.id, one.isExact]);
        assert.ok(
          meant.some(([kind, isExact]) => kind === id && isExact === true),
          `${language} ${word}: ${JSON.stringify(meant)}`,
        );
      }
  }
});

test("the beginning of a word means what it may become, the page's own language first", () => {
  const idsOf = (text: string, language: string): string[] =>
    words.meaningsOf(text, language).map(({ id }) => id);
  assert.equal(idsOf("toil", "en")[0], "toilets");
  assert.equal(idsOf("apoth", "en")[0], "pharmacy");
  assert.equal(idsOf("vél", "fr")[0], "bicycle");
  assert.ok(idsOf("駅", "ja").includes("transit"));
  assert.deepEqual(idsOf("t", "en"), []);
  assert.deepEqual(idsOf("", "en"), []);
  assert.deepEqual(idsOf("xqzzy", "en"), []);
  // Two letters of another language are the beginning of too much.
  assert.ok(!idsOf("ap", "ja").includes("pharmacy"));
  assert.deepEqual(words.meaningsOf("pharm", "en"), [
    { id: "pharmacy", isKind: false, isExact: false },
  ]);
  // A whole word is not the beginning of "toiletries" as well.
  assert.deepEqual(idsOf("toilet", "en"), ["toilets"]);
  assert.equal(words.nameOf("pharmacy", "de"), "apotheke");
  fc.assert(
    fc.property(anyText({ maxLength: 40 }), (text) => {
      assert.ok(words.meaningsOf(text, "en").length <= 3);
    }),
    { numRuns: tries(40) },
  );
});

test("the page folds any text as the service does", () => {
  fc.assert(
    fc.property(anyText({ maxLength: 40 }), (text) => {
      assert.equal(toPlain(text), nameWords(fold(text)).join(" "));
    }),
    { numRuns: tries(400) },
  );
});

test("a class is called by its first word in the language, else in English", () => {
  assert.equal(nameOfClass("pharmacy", "de-CH"), "Apotheke");
  assert.equal(nameOfClass("pharmacy", "xx"), "Pharmacy");
  assert.equal(nameOfClass("pharmacy", null), "Pharmacy");
  assert.equal(nameOfClass("nothing_known", "de"), "Nothing_known");
});
