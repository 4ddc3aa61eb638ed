/** The vocabulary of attributes, and every golden pair held to it (decisions, Attributes). */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { type Fact, FACTS, PLACE_KINDS, type PlaceKind } from "#api/attributes.ts";
import { readFacts } from "#providers/stated-facts.ts";
import { vocabularyProblem } from "../../support/vocabulary.ts";

test("one row says everything about a fact, except that parking and charging list hours (§2.4)", () => {
  for (const kind of PLACE_KINDS) {
    const names = FACTS.filter(({ kinds }: Fact) => kinds.includes(kind)).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, kind);
  }
  const names = FACTS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name } of FACTS) assert.match(name, /^[a-z]+(_[a-z]+)*$/);
});

const FIXTURES = new URL("../../fixtures/providers/", import.meta.url);

test("every place of every golden pair has facts of the vocabulary alone", () => {
  let places = 0;
  for (const provider of readdirSync(FIXTURES)) {
    const folder = new URL(`${provider}/`, FIXTURES);
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".expected.json")))
      for (const place of placesIn(JSON.parse(readFileSync(new URL(file, folder), "utf8")))) {
        places++;
        assert.equal(vocabularyProblem(place.kind, place.attributes), null, `${provider}/${file}`);
      }
  }
  assert.ok(places > 60, `${places} places`);
});

type Read = { kind: PlaceKind; attributes: object };

function placesIn(node: unknown): Read[] {
  if (typeof node !== "object" || node === null) return [];
  const isPlace = "kind" in node && "attributes" in node && "external_id" in node;
  return isPlace ? [node as Read] : Object.values(node).flatMap(placesIn);
}

test("whatever a source says, what is read of it is of the vocabulary", () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "yes",
      "no",
      "limited",
      "t",
      "2024-02-30",
      "2024-02-29T01:02:03Z",
      "https://a.b/",
    ),
    fc.boolean(),
    fc.integer(),
    fc.constant(null),
  );
  const plain = FACTS.filter(({ type }) => type !== "record" && type !== "records");
  const reported = fc.dictionary(fc.constantFrom(...plain.map(({ name }) => name)), value);
  const members = { parking: { capacity: 1 } };
  fc.assert(
    fc.property(fc.constantFrom(...SERVICES), reported, (kind, each) => {
      assert.equal(vocabularyProblem(kind, readFacts(kind, each)), null);
    }),
  );
  assert.deepEqual(readFacts("parking", { ...members.parking, shower: true }), { capacity: 1 });
});

const SERVICES = ["aed", "toilets", "water", "wifi", "locker"] as const;

test("values are read in the words of their fact; what cannot be read is absent", () => {
  for (const [reported, facts] of [
    [{ wheelchair: "designated" }, { wheelchair: "yes" }],
    [{ wheelchair: "Limited" }, { wheelchair: "limited" }],
    [{ wheelchair: "bad" }, {}],
    [{ wheelchair: true }, { wheelchair: "yes" }],
    [{ access: false }, { access: "restricted" }],
    [{ unisex: "yes" }, { unisex: true }],
    [{ unisex: "sometimes" }, {}],
    [{ updated_on: "2024-03-04T05:06:07Z" }, { updated_on: "2024-03-04" }],
    [{ updated_on: "0000-00-00 00:00:00" }, {}],
    [{ website: "http://plain.example" }, {}],
    [{ upvotes: -1 }, {}],
    [{ description: " " }, {}],
    [{ ssid: "of another kind" }, {}],
  ] as const)
    assert.deepEqual(readFacts("toilets", reported), facts);
});
