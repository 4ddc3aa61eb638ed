/**
 * The page cannot import the service, so its languages are written down twice, and each has its texts.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES, WIDE_LANGUAGES } from "#kit/languages.ts";

const ROOT = new URL("../../../", import.meta.url);
const [, names = ""] =
  /LANGUAGES = .*?\(\{([^}]*)\}/s.exec(
    readFileSync(new URL("explorer/page/texts.js", ROOT), "utf8"),
  ) ?? [];
const PAGE = [...names.matchAll(/^ {2}(\w+):/gm)].map(([, tag]) => tag!).toSorted();

test("the page has languages", () => assert.ok(PAGE.includes("en") && PAGE.length > 1));

test("packages/kit/languages.ts has the languages of the page, and apart from them wide ones", () => {
  const [listed, page] = [LANGUAGES.toSorted().join(" "), PAGE.join(" ")];
  assert.equal(
    listed,
    page,
    `packages/kit/languages.ts has ${listed}, explorer/page/texts.js ${page}`,
  );
  assert.ok(WIDE_LANGUAGES.every((tag) => !PAGE.includes(tag)));
});

for (const folder of ["texts", "texts/status"])
  test(`explorer/${folder} has a file for each of them`, () => {
    const files = globSync(`explorer/${folder}/*.json`, { cwd: ROOT });
    assert.deepEqual(files.map((path) => /(\w+)\.json$/.exec(path)![1]!).toSorted(), PAGE);
  });
