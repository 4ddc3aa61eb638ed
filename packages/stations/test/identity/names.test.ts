/** Names of one dock in the spellings of the field, and names of two. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createLexicon, type NameFinding, prepareName } from "#kit/names/name.ts";
import { compareNames } from "#kit/names/similarity.ts";
import { tries } from "../../../../test/support/size.ts";

function compare(a: string, b: string, prefixes: readonly string[] = []): NameFinding {
  const lexicon = createLexicon();
  const x = prepareName(lexicon, a, prefixes);
  return compareNames(lexicon, x, prepareName(lexicon, b, prefixes));
}

const SAME: readonly [string, string][] = [
  ["28 Avenue & 44 Street", "28 Ave & 44 St"],
  ["Prospect Avenue & East 151 Street", "Prospect Ave & E 151 St"],
  ["Fourth Street at Oak Blvd.", "4th St at Oak Boulevard"],
  ["Folsom St at 5th St", "5th St @ Folsom Street"],
  ["Calle de Alcalá", "CALLE ALCALA"],
  ["Place d'Italie", "Pl. d’Italie"],
  ["Hauptstraße 12", "Hauptstrasse 12"],
  ["Łódź Fabryczna", "Lodz Fabryczna"],
  ["Nørrebro Station", "Norrebro stn"],
  ["001 - Mercado", "Mercado"],
  ["[B12] Mercado", "Mercado"],
  ["Mercado - ERI08", "Mercado"],
  ["10.01: Mercado", "Mercado"],
  ["1st Ave & 02 St", "1 Avenue and 2nd Street"],
  ["Univ. Library", "University Library"],
  ["ガス会社前", "ガス会社前"],
];

test("one dock in two spellings has equal names", () => {
  for (const [a, b] of SAME) {
    const { similarity, number_conflict, side_conflict } = compare(a, b);
    assert.equal(similarity, 1, `${a} ~ ${b}`);
    assert.equal(number_conflict || side_conflict, false, `${a} ~ ${b}`);
  }
});

test("a part of a name is likelier than another, a shared street likelier than none", () => {
  const part = compare(
    "Powell BART Station (Market St at 4th St)",
    "Powell BART Station",
  ).similarity;
  const street = compare("Clinton St & Jackson Blvd", "Canal St & Jackson Blvd").similarity;
  const none = compare("Clinton St", "Harbour Ave").similarity;
  assert.ok(part > street && street > none, `${part} ${street} ${none}`);
  assert.equal(none, 0);
});

test("a typing error or an abbreviation is the same word, another word is not", () => {
  for (const other of ["Welington", "Wellingotn", "Wellingtan", "Well"])
    assert.equal(compare("Wellington Plaza", `${other} Plaza`).similarity, 1, other);
  for (const other of ["Washington", "Wellinton Hall", "We", "Willingdon"])
    assert.ok(compare("Wellington", other).similarity < 1, other);
});

test("numbers and sides that each lacks are conflicts; one that only one side has is none", () => {
  assert.equal(compare("28 Ave & 44 St", "28 Ave & 45 St").number_conflict, true);
  assert.equal(compare("Gare 1", "Gare 2").number_conflict, true);
  assert.equal(compare("28 Ave & 44 St", "28 Ave").number_conflict, false);
  assert.equal(compare("Bay St East", "Bay St West").side_conflict, true);
  assert.equal(compare("Bay St E", "Bay St").side_conflict, false);
});

test("another script, a bare code or no name says nothing", () => {
  assert.equal(compare("渋谷駅前", "Shibuya Station").similarity, -1);
  assert.equal(compare("Площадь Ленина", "Lenin Square").similarity, -1);
  assert.equal(compare("T08_87", "14 Bd du Polygone").similarity, -1);
  assert.equal(compare("", "Shibuya").similarity, -1);
  assert.equal(compare("&", "Shibuya").similarity, -1);
  assert.equal(compare("T08_87", "T08_87").similarity, 1);
  assert.equal(compare("T08_87", "T08_88").number_conflict, true);
});

test("names in two scripts are compared by the one they share", () => {
  assert.ok(compare("渋谷駅 Shibuya Eki", "Shibuya Eki").similarity > 0.6);
});

test("the network's own name in front of every station's says nothing", () => {
  const prefixes = ["citi bike"];
  assert.equal(compare("Citi Bike - Oak St", "Oak Street", prefixes).similarity, 1);
  assert.equal(compare("Citi Bike", "Oak Street", prefixes).similarity, -1);
  assert.ok(compare("Other - Oak St", "Oak Street", prefixes).similarity < 1);
});

test("twins are distinguished by their suffix, which is no part of the name", () => {
  const lexicon = createLexicon();
  const suffix = (name: string): number => prepareName(lexicon, name, []).suffix;
  assert.notEqual(suffix("Oak St (1)"), suffix("Oak St (2)"));
  assert.equal(suffix("Oak St #2"), suffix("Oak Street (2)"));
  assert.equal(suffix("Oak St (B)"), suffix("Oak St (b)"));
  assert.equal(suffix("Oak St"), 0);
  assert.equal(suffix("Oak St (Temp)"), 0);
  assert.equal(compare("Oak St (1)", "Oak St (2)").similarity, 1);
});

test("comparing is symmetrical, bounded, and finds every name equal to itself", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "Oak",
      "St",
      "Ave",
      "5th",
      "44",
      "North",
      "&",
      "(1)",
      "#2",
      "渋谷",
      "Ленина",
      "-",
    ),
    fc.string({ maxLength: 6, unit: "grapheme" }),
  );
  const name = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(name, name, (a, b) => {
      const other = compare(a, b);
      assert.deepEqual(other, compare(b, a));
      assert.ok(other.similarity === -1 || (other.similarity >= 0 && other.similarity <= 1));
      const self = compare(a, a);
      assert.ok(self.similarity === 1 || self.similarity === -1);
      assert.equal(self.number_conflict || self.side_conflict, false);
    }),
    { numRuns: tries(500) },
  );
});
