/** Which changelog a deployment serves: that of the last release, or none. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { readChangelog } from "../../src/main/open-changelog.ts";

const manifest = new URL("../../package.json", import.meta.url);
const { version: VERSION } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };

// Proves §4.13 not published
test("not published unless the configuration says so", () => {
  assert.deepEqual(readChangelog({ published: false }), { document: null });
});

// Proves §4.13 only released
test("the changelog of the last release is served, not the draft of the next one", () => {
  const url = new URL(`../../releases/${VERSION}/changelog.json`, import.meta.url);
  const document = JSON.parse(readFileSync(url, "utf8")) as object;
  assert.deepEqual(readChangelog({ published: true }), { document });
});

test("a changelog that is missing or faulty stops the start with one line", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-changelog-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "changelog.json");
  const read = () => readChangelog({ published: true }, pathToFileURL(file));
  assert.deepEqual(read(), {
    problem: `changelog.published: version ${VERSION} has no released changelog`,
  });
  for (const [text, problem] of [
    ["{", "changelog.published: the changelog: must be an object with entries"],
    [
      '{"version":"1","updated_at":"2026-02-30T00:00:00Z","entries":[]}',
      "changelog.published: the changelog: updated_at: must be a time such as 2026-11-21T10:00:00Z, on a day of the calendar",
    ],
  ] as const) {
    writeFileSync(file, text);
    assert.deepEqual(read(), { problem });
  }
});
