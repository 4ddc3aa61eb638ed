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

const PAGE = new URL("../../../explorer/data/class-words.js", import.meta.url);
const { toPlain } = (await import(PAGE.href)) as { toPlain(text: string): string };
const FILE = new URL("../../../explorer/data/class-words.json", import.meta.url);
const WORDS = JSON.parse(readFileSync(FILE, "utf8")) as Record<string, string>;

test("every word of every language leads to its class, on the page as in the service", () => {
  for (const { place_class, words } of THING_KINDS)
    for (const word of place_class === null ? [] : Object.values(words).flat())
      for (const written of [word, word.toUpperCase(), ` ${word} `]) {
        assert.ok(classesOfWord(written).includes(place_class!), written);
        const classes = WORDS[toPlain(written)]?.split(",") ?? [];
        assert.ok(classes.includes(place_class!), written);
      }
  assert.equal(WORDS["apotheke"], "pharmacy");
  assert.equal(WORDS[toPlain("コンビニ")], "convenience");
  assert.deepEqual(classesOfWord("no such thing"), []);
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
