/**
 * The languages of the page are written down where each part reads them, since the page cannot import
 * the service: all of them are the same, and a gazetteer of more languages says which.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES as OF_TILES } from "#osm/tiles/tile-labels.ts";

const ROOT = new URL("../../../", import.meta.url);
const listed = (path: string, name: string): string[] => {
  const text = readFileSync(new URL(path, ROOT), "utf8");
  const [, list] = new RegExp(`const ${name} = \\[([^\\]]*)\\]`).exec(text) ?? [];
  assert.ok(list, `${path} has ${name}`);
  return [...list.matchAll(/"(\w+)"/g)].map(([, tag]) => tag!);
};

const [, names = ""] =
  /LANGUAGES = .*?\(\{([^}]*)\}/s.exec(
    readFileSync(new URL("explorer/page/texts.js", ROOT), "utf8"),
  ) ?? [];
const PAGE = [...names.matchAll(/^ {2}(\w+):/gm)].map(([, tag]) => tag!).toSorted();
/** Written by many, and languages of no page. */
const WIDE = listed("scripts/gazetteer-tables.ts", "WIDE");

const LISTS: Readonly<Record<string, readonly string[]>> = {
  "explorer/map/base-labels.js": listed("explorer/map/base-labels.js", "LANGUAGES"),
  "packages/osm-base/tiles/tile-labels.ts": OF_TILES,
  "scripts/gazetteer-tables.ts": listed("scripts/gazetteer-tables.ts", "LANGUAGES"),
};

test("the page has languages", () => assert.ok(PAGE.includes("en") && PAGE.length > 1));

for (const [path, tags] of Object.entries(LISTS))
  test(`${path} has the languages of the page`, () => {
    assert.deepEqual(tags.toSorted(), PAGE);
  });

test("src/providers/gazetteer/gazetteer-rows.ts has them, and those of larger cities", () => {
  const tags = listed("src/providers/gazetteer/gazetteer-rows.ts", "LANGUAGES");
  assert.deepEqual(tags.toSorted(), [...PAGE, ...WIDE].toSorted());
});

for (const folder of ["texts", "texts/status"])
  test(`explorer/${folder} has a file for each of them`, () => {
    const files = globSync(`explorer/${folder}/*.json`, { cwd: ROOT });
    assert.deepEqual(files.map((path) => /(\w+)\.json$/.exec(path)![1]!).toSorted(), PAGE);
  });
