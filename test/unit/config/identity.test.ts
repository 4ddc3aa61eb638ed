/** The member `identity`: an operator's word on single pairs (operation.md, Configuration file). */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";

function load(t: TestContext, identity: unknown) {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-config-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "vicinity.json");
  writeFileSync(file, JSON.stringify({ identity }));
  const env = readEnv({});
  assert.ok(env.ok);
  return loadConfig({ file, mode: "sandbox", env: env.value });
}

test("a reference is cut at its first slash", (t) => {
  const pair = ["gbfs:velib/12/3:a", "citybikes:velib/0f"];
  const loaded = load(t, { always: [pair], never: [pair.toReversed()] });
  assert.ok(loaded.ok, loaded.ok ? "" : loaded.message);
  const refs = [
    { feed: "gbfs:velib", id: "12/3:a" },
    { feed: "citybikes:velib", id: "0f" },
  ];
  assert.deepEqual(loaded.value.identity, { always: [refs], never: [refs.toReversed()] });
});

test("off, and nothing said", (t) => {
  const off = load(t, { enabled: false });
  assert.ok(off.ok);
  assert.equal(off.value.identity, null);
  const plain = load(t, {});
  assert.ok(plain.ok);
  assert.deepEqual(plain.value.identity, { always: [], never: [] });
});

for (const [what, identity, match] of [
  ["no slash", { always: [["gbfs:velib", "a/b"]] }, /identity\.always\[0\]\[0\]/],
  ["no key", { never: [["a/b", "gbfs:velib/"]] }, /identity\.never\[0\]\[1\]/],
  ["one of two", { never: [["a/b"]] }, /identity\.never\[0\]/],
  ["three", { always: [["a/b", "c/d", "e/f"]] }, /identity\.always\[0\]/],
  ["a stranger", { sometimes: [] }, /identity\.sometimes/],
] as const)
  test(`${what} stops the start with one line naming the member`, (t) => {
    const refused = load(t, identity);
    assert.ok(!refused.ok);
    assert.match(refused.message, match);
    assert.doesNotMatch(refused.message, /\n/);
  });
