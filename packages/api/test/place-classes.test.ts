/** The table of classes is data that anyone may extend: what the code relies on in it. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { PLACE_CLASSES, THING_KINDS } from "../place-classes.ts";
import { SERVICE_TYPES } from "../tokens.ts";

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
