/**
 * Names that no one knows (decisions, Unknown names). Of 140 such names 40 became another place, a village
 * in Bavaria a town in Libya: words had two errors, and halves of names were enough.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { GeocodeItem } from "#osm/geocoder/present-answers.ts";
import { toRows } from "#providers/gazetteer/gazetteer-rows.ts";
import {
  judgeOffers,
  makeUnknownNames,
  plain,
  plainNames,
} from "../../../../scripts/gazetteer/unknown-names.ts";
import { createDice } from "../../../../trials/dice.ts";
import { openCitiesOfTests, readCitiesOfTests, readTables } from "../../../support/gazetteer.ts";
import { sized } from "../../../support/size.ts";

const folder = mkdtempSync(join(tmpdir(), "gazetteer-"));
after(() => rmSync(folder, { recursive: true }));
const gazetteer = await openCitiesOfTests(folder);
const rows = [...toRows(readCitiesOfTests(), readTables())];

function ask(q: string, language = "en"): GeocodeItem[] {
  return gazetteer.geocode({ q, language, country: null, near: null, limit: 5 });
}

test("no generated name becomes a place further than one typing error, and errors are said", (t) => {
  const entry = plainNames(rows);
  const names = makeUnknownNames(sized(1_000, 5_000), createDice(39), (name) =>
    entry.has(plain(name)),
  );
  const { offered, far, omitted } = judgeOffers(names, rows, ask);
  assert.ok(offered > names.length / 20, `only ${offered} are offered`);
  assert.deepEqual(far, []);
  assert.deepEqual(omitted, []);
  t.diagnostic(`${offered} places are offered for ${names.length} names`);
});

test("the judge sees what is too far", () => {
  const berlin = rows.find(({ name, country }) => name === "Berlin" && country === "DE")!;
  const offer = { label: "Berlin", location: { lat: berlin.lat, lon: berlin.lon } };
  const judged = judgeOffers(["Berkin", "Bertinn"], rows, () => [offer]);
  assert.deepEqual(judged.far, ["Bertinn → Berlin (2)"]);
  assert.equal(judged.omitted.length, 2);
});

/** What a question is answered with first; null: nothing. */
const CLOSE: [q: string, name: string | null, misspelt: boolean][] = [
  // One error from five letters, two from ten.
  ["Berkin", "Berlin", true],
  ["Bertinn", null, false],
  ["Rme", null, false],
  ["Munhcen", "Munich", true],
  ["Frankfrut am Main", "Frankfurt am Main", true],
  ["Saarbrükcen", "Saarbrücken", true],
  // An error is in a whole name, and its rest is not guessed.
  ["Questacon", null, false],
  ["Bronbeek", null, false],
  // All words count.
  ["Munich Museum", null, false],
  ["Nieder Berlin", null, false],
  ["Zuid Noordwijk", null, false],
  // Folded, alternative and former names, and other spellings are no errors.
  ["koeln", "Cologne", false],
  ["Zurich", "Zurich", false],
  ["São Paulo", "São Paulo", false],
  ["sao paulo", "São Paulo", false],
  ["Bombay", "Mumbai", false],
  ["St. Louis", "St Louis", false],
  ["Naples, Italy", "Naples", false],
  ["Italy, Naples", "Naples", false],
  // Called so, and not only in another language, or once.
  ["Augusta", "Augusta", false],
];

test("words are matched as written, folded, by other names, or with an error that is said", () => {
  for (const [q, name, misspelt] of CLOSE) {
    const [first] = ask(q);
    assert.equal(first?.name ?? null, name, q);
    assert.equal(first?.misspelt ?? false, misspelt, q);
  }
});

/** Question about an airport, and the town that is shown; null: none. */
const AIRPORTS: [q: string, town: string | null][] = [
  ["Munich Airport", "Munich"],
  ["Flughafen München", "Munich"],
  ["Goroka Airport", "Goroka"],
  ["Thunder Bay Airport", "Thunder Bay"],
  ["Ardmore Municipal Airport", "Ardmore"],
  ["Genève Aéroport", "Geneva"],
  ["Aeropuerto Granada", "Granada"],
  // All of a name and no error in it, and nothing besides.
  ["Munhcen Airport", null],
  ["Munich Airprot", null],
  ["Thunder Airport", null],
  ["Munich Franz Josef Airport", null],
  ["International Airport", null],
  ["Nieder Berlin Airport", null],
];

test("an airport is the town that it is called after, approximate and said", () => {
  for (const [q, town] of AIRPORTS) {
    const [first] = ask(q);
    assert.equal(first?.name ?? null, town, q);
    if (!first) continue;
    assert.equal(first.misspelt, true, `${q}: what it is shown for is said`);
    assert.equal(first.match_quality, "approximate", q);
  }
});

test("a name that something has is not also offered for what is called almost so", () => {
  for (const q of ["Lyon", "Bern", "Parma"])
    for (const item of ask(q)) assert.notEqual(item.misspelt, true, `${q} → ${item.label}`);
});

test("nearness orders what is called the same, over hundreds of kilometres too", () => {
  const near = { lat: 39.5, lon: -89 };
  const query = { q: "Springfield", language: "en", country: null, limit: 5 };
  assert.equal(gazetteer.geocode({ ...query, near })[0]?.address.region, "Illinois");
  assert.equal(gazetteer.geocode({ ...query, near: null })[0]?.address.region, "Missouri");
});

const NAMED: [q: string, spans: string[]][] = [
  ["Bahnhofstrasse 10, 80331 München, Germany", ["München", "Germany"]],
  ["Hauptstrasse 24 München", ["München"]],
  ["24 Hauptstrasse München Deutschland", ["München", "Deutschland"]],
  ["München, Bahnhofstrasse 10", ["München"]],
  ["Bahnhofstrasse 10, D-80331 München", ["München", "Germany"]],
  ["10 Downing Street, London, UK", ["London", "UK"]],
  ["Rue de Rivoli 5, Paris, FR", ["Paris", "FR"]],
  ["Main Street 5, Springfield, IL", ["Springfield", "IL"]],
  ["Weg 5", []],
  ["Oberer Weg 5, Zzyzxdorf", []],
];

test("places that a question names are read from between commas, behind numbers and at its ends", () => {
  for (const [q, spans] of NAMED)
    assert.deepEqual(
      gazetteer.names.read(q).map(({ text }) => text),
      spans,
      q,
    );
});

test("what is named twice over is what agrees", () => {
  const [town] = gazetteer.names.read("Main Street 5, Springfield, IL");
  assert.deepEqual(
    town?.places.map(({ country }) => country),
    ["US"],
  );
  const [city, country] = gazetteer.names.read("Rue 5, Vaduz, LI");
  assert.ok(city?.places.every((place) => place.country === "LI"));
  assert.ok(country?.places.some(({ kind }) => kind === "country"));
});
