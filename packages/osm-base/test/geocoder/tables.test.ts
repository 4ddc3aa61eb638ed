/** The tables are data that anyone may extend: what the code relies on in them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import kinds from "../../geocoder/kinds.json" with { type: "json" };
import settlements from "../../geocoder/settlements.json" with { type: "json" };
import types from "../../geocoder/types.json" with { type: "json" };
import words from "../../geocoder/words.json" with { type: "json" };
import { CANDIDATE_TYPES } from "../../geocoder/candidate.ts";

test("spellings are a word and at least one other, by language", () => {
  for (const [language, lines] of Object.entries({ ...words.spellings, ...words.endings })) {
    assert.match(language, /^[a-z]{2}$/);
    for (const line of lines) assert.ok(line.split(" ").length > 1 && line === line.trim(), line);
  }
  for (const [letter, plain] of Object.entries(words.letters)) {
    assert.equal([...new Intl.Segmenter().segment(letter)].length, 1);
    assert.match(plain, /^[a-z]+$/);
  }
  for (const part of [...words.elisions, ...words.ordinals]) assert.match(part, /^[a-z]+$/);
});

test("what makes a kind, or none, is a tag or a key", () => {
  for (const tag of [...kinds.never, ...kinds.always])
    assert.match(tag, /^[a-z_]+=(?:[a-z_]+|\*)$/);
  for (const line of Object.values(kinds.near)) assert.ok(line === line.trim(), line);
});

test("types are tokens of the contract", () => {
  for (const [tag, type] of Object.entries(types)) {
    assert.match(tag, /^[a-z_]+=(?:[a-z_]+|\*)$/);
    assert.ok((CANDIDATE_TYPES as readonly string[]).includes(type), type);
  }
});

test("settlements have a weight and a reach, countries their levels", () => {
  for (const [place, { importance, radius_m }] of Object.entries(settlements.ranks)) {
    assert.match(place, /^[a-z_]+$/);
    assert.ok(importance > 0 && importance <= 1 && radius_m >= 0 && radius_m <= 20_000, place);
  }
  for (const [country, { municipality, region }] of Object.entries(settlements.levels)) {
    assert.match(country, /^(?:[A-Z]{2}|default)$/);
    for (const level of [...municipality, ...region]) assert.ok(level >= 2 && level <= 11, country);
  }
});
