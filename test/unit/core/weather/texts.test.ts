/** The words of the weather: every language has its own for every code. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { WEATHER_LANGUAGES } from "#api/weather.ts";
import { CONDITIONS, findCondition } from "#core/weather/conditions.ts";
import { TEXTS, weatherText } from "#core/weather/texts.ts";

const CONDITION_IDS = [...CONDITIONS.keys()];

/** Nouns have capitals there. */
const CAPITALS = new Set(["de"]);
/** Letters that a language is written with, where they are not Latin. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  fa: /\p{Script=Arabic}/u,
  el: /\p{Script=Greek}/u,
  bg: /\p{Script=Cyrillic}/u,
  mk: /\p{Script=Cyrillic}/u,
  ru: /\p{Script=Cyrillic}/u,
  ua: /\p{Script=Cyrillic}/u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  kr: /\p{Script=Hangul}/u,
  zh_cn: /\p{Script=Han}/u,
  zh_tw: /\p{Script=Han}/u,
};

test("33 languages, 55 codes, each with a phrase of its own", () => {
  assert.deepEqual(Object.keys(TEXTS).sort(), [...WEATHER_LANGUAGES].sort());
  assert.equal(WEATHER_LANGUAGES.length, 33);
  assert.equal(CONDITION_IDS.length, 55);
  let phrases = 0;
  for (const language of WEATHER_LANGUAGES) {
    const texts = TEXTS[language];
    assert.deepEqual(
      Object.keys(texts).map(Number),
      [...CONDITION_IDS].sort((a, b) => a - b),
      language,
    );
    assert.equal(new Set(Object.values(texts)).size, CONDITION_IDS.length, language);
    for (const text of Object.values(texts)) {
      const what = `${language}: ${text}`;
      assert.match(text, SCRIPTS[language] ?? /\p{Script=Latin}/u, what);
      assert.ok(text === text.trim().normalize("NFC") && text.length <= 60, what);
      assert.doesNotMatch(text, /[.!?。]$|\p{Cc}| {2}/u, what);
      if (!CAPITALS.has(language)) assert.equal(text, text.toLowerCase(), what);
      phrases++;
    }
  }
  assert.equal(phrases, 33 * 55);
});

test("no language is another one: of any two most phrases differ", () => {
  let pairs = 0;
  for (const one of WEATHER_LANGUAGES)
    for (const other of WEATHER_LANGUAGES.filter((each) => each > one)) {
      const same = CONDITION_IDS.filter((id) => TEXTS[one][id] === TEXTS[other][id]);
      // Chinese, Spanish and Galician, Croatian and Slovenian share some words.
      assert.ok(same.length <= 20, `${one} and ${other}: ${same.length}`);
      pairs++;
    }
  assert.equal(pairs, (33 * 32) / 2);
});

test("English stands in for nothing: every phrase is the language's own", () => {
  for (const language of WEATHER_LANGUAGES)
    for (const id of CONDITION_IDS) {
      const condition = { id, main: findCondition(id)!.main };
      assert.equal(weatherText(condition, language), TEXTS[language][id]);
    }
  assert.equal(weatherText({ id: 999, main: "Extreme" }, "fr"), "extreme");
});
