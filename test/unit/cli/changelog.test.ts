/** `vicinity changelog check`: the verdict as a person and as a program read it, and its exit code. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { PACKAGE_ROOT } from "#cli/releases.ts";
import { run } from "./support.ts";

type Tree = { [member: string]: any };
const FILES = ["changelog", "openapi.json", "releases"];
// After whatever this repository has released.
const later = { now: () => Date.parse("2100-01-01T00:00:00Z") };
const check = (...args: string[]) => run(["changelog", "check", ...args], later);

/** A copy of what this package has released, to be changed. */
function copy(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), "vicinity-changelog-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const name of FILES) cpSync(join(PACKAGE_ROOT, name), join(root, name), { recursive: true });
  const edit = (path: string, change: (tree: Tree) => unknown): string => {
    const tree = JSON.parse(readFileSync(join(root, path), "utf8")) as Tree;
    change(tree);
    writeFileSync(join(root, path), JSON.stringify(tree));
    return join(root, path);
  };
  return { root, edit };
}

// Proves §9 release gate; §4.13 only released
test("this package may be released as it is", async () => {
  const ran = await check();
  assert.equal(ran.code, 0, ran.out);
  // What breaks, if anything does, is announced.
  assert.match(ran.out, /^\d+ entries, compared with 1\.1\.0: may be published\n$/m);
});

test("each reason is a line that names entry and rule; the exit code is 1", async (t) => {
  const { root, edit } = copy(t);
  let ids: string[] = [];
  const draft = edit("changelog/entries.json", ({ entries }) => {
    // The oldest, which have been released.
    const [first, second, third] = entries.slice(-3);
    ids = [first, second, third].map(({ id }: { id: string }) => id);
    first.links = [{ label: "Here", url: "http://localhost/" }];
    second.id = third.id;
  });
  const ran = await check(draft, "--root", root);
  assert.equal(ran.code, 1);
  const lines = ran.out.split("\n");
  assert.match(lines[0]!, /^\S+: links\[0\]\.url: only https:.* \(unsafe_link\)$/);
  assert.match(lines[1]!, /^\S+: .* repeats this id \(duplicate_id\)$/);
  assert.match(lines[2]!, /^\S+: was released .* \(removed_entry\)$/);
  const names = lines.slice(0, 3).map((line) => line.split(":")[0]);
  assert.deepEqual(names, [ids[0], ids[2], ids[1]]);
  assert.match(ran.out, /: must not be published\n$/);
  const json = JSON.parse((await check(draft, "--root", root, "--json")).out) as Tree;
  assert.equal(json["ok"], false);
  assert.deepEqual(
    json["findings"].map((one: Tree) => one["code"]),
    ["unsafe_link", "duplicate_id", "removed_entry"],
  );
});

// Proves §9 release gate
test("a breaking change is refused until an entry announces it", async (t) => {
  const { root, edit } = copy(t);
  // As it was released, with nothing announced since.
  cpSync(join(root, "releases/1.1.0/openapi.json"), join(root, "openapi.json"));
  edit("changelog/entries.json", (document) => {
    document["entries"] = document["entries"].filter((entry: Tree) => entry["breaking"] !== true);
  });
  edit("openapi.json", (api) => {
    delete api["components"].schemas.Station.properties.capacity;
    delete api["paths"]["/v1/place-search"];
  });
  const refused = await check("--root", root);
  assert.equal(refused.code, 1);
  assert.match(refused.out, /^breaking: Station\.capacity: a field is gone \(field_removed\)$/m);
  assert.match(refused.out, /^breaking: \/v1\/place-search: an endpoint is gone/m);
  assert.match(refused.out, /^2 breaking changes since 1\.1\.0, and no new entry of 1\.1\.0 says/m);
  edit("changelog/entries.json", (document) => {
    const [first] = document["entries"];
    const entry = { ...first, id: "place-search-removed", type: "breaking", breaking: true };
    document["entries"].unshift(entry);
  });
  const checked = await check("--root", root);
  assert.equal(checked.code, 0, checked.out);
  assert.match(checked.out, /^described by place-search-removed$/m);
});

test("a package without releases, and a file that is none", async (t) => {
  const { root } = copy(t);
  rmSync(join(root, "releases"), { recursive: true });
  assert.match((await check("--root", root)).out, /no release before: may be published\n$/);
  writeFileSync(join(root, "odd"), "{");
  const odd = await check(join(root, "odd"));
  assert.deepEqual([odd.code, odd.err], [1, `vicinity: ${join(root, "odd")}: not JSON\n`]);
  const other = await check(join(root, "openapi.json"), "--root", root);
  assert.equal(other.code, 1);
  const missing = await check(join(root, "nowhere.json"));
  assert.equal(missing.code, 1);
  assert.match(missing.err, /^vicinity: FILE: .*nowhere\.json is not there: check the path\n$/);
  assert.equal((await check("a", "b")).code, 2);
});
