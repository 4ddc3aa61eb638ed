/** The texts of the explorer: the same keys in every language, and every key that the pages ask for. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

type Text = string | Record<string, string>;

const ROOT = new URL("../../../explorer/", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
const tags = globSync("texts/*.json", { cwd: ROOT }).map((path) => path.slice(6, -5));
/** Those of the status page, and of what a visitor has saved, are files that are read where they are needed. */
const readTable = (tag: string): Record<string, Text> =>
  ["", "own/", "status/"].reduce<Record<string, Text>>((all, folder) => {
    const texts = JSON.parse(read(`texts/${folder}${tag}.json`)) as Record<string, Text>;
    return { ...all, ...texts };
  }, {});
const tables = new Map(tags.map((tag) => [tag, readTable(tag)]));
const english = tables.get("en")!;

const formsOf = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));
const placesIn = (text: Text): string[] => [
  ...new Set(formsOf(text).flatMap((form) => form.match(/\{\w+\}/g) ?? [])),
];

test("the languages of the texts are those that the page offers", () => {
  const [, listed = ""] = /LANGUAGES = .*?\(\{([^}]*)\}/s.exec(read("page/texts.js")) ?? [];
  const offered = [...listed.matchAll(/^ {2}(\w+):/gm)].map(([, tag]) => tag);
  assert.deepEqual(new Set(offered), new Set(tags));
});

test("each language has the keys of English, its placeholders, and its own plural forms", () => {
  for (const [tag, texts] of tables) {
    assert.deepEqual(Object.keys(texts), Object.keys(english), tag);
    const wanted = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted();
    for (const [key, text] of Object.entries(texts)) {
      const own = english[key]!;
      assert.equal(typeof text, typeof own, `${tag} ${key}`);
      // A form for one may leave out the number.
      const entries = new Set(placesIn(own));
      for (const place of placesIn(text)) assert.ok(entries.has(place), `${tag} ${key} ${place}`);
      if (typeof text === "string")
        assert.deepEqual(placesIn(text).toSorted(), placesIn(own).toSorted(), `${tag} ${key}`);
      else assert.deepEqual(Object.keys(text).toSorted(), wanted, `${tag} ${key}`);
      for (const form of formsOf(text)) assert.ok(form.trim() !== "", `${tag} ${key}`);
    }
  }
});

test("every key that is asked for is there, and none is there for nothing", () => {
  const sources = globSync(["**/*.js", "*.html"], { cwd: ROOT }).map(read).join("\n");
  const requests = [
    ...[...sources.matchAll(/\bt\(\s*"([^"]+)"/g)].map(([, key]) => key!),
    ...[...sources.matchAll(/data-text="([^"]+)"/g)].map(([, key]) => key!),
  ];
  assert.ok(requests.length > 150);
  assert.deepEqual(
    [...new Set(requests)].filter((key) => !(key in english)),
    [],
  );
  // Keys that are made of a token are found by the part that is written out.
  const made = [...sources.matchAll(/`(\w+(?:\.\w+)*)\.\$\{/g)].map(([, start]) => start!);
  const names = [...sources.matchAll(/"(\w+(?:\.\w+)*)"/g)].map(([, start]) => start!);
  const begun = new Set([...made, ...names.filter((start) => start.includes("."))]);
  const isAsked = (key: string): boolean => {
    const parts = key.split(".");
    return parts.some((_, n) => begun.has(parts.slice(0, n).join("."))) || begun.has(key);
  };
  const unused = Object.keys(english).filter(
    (key) => !isAsked(key) && !sources.includes(`"${key}"`),
  );
  assert.deepEqual(unused, []);
});
