/** The element as others get it: packed, one module that imports nothing, of the size that pages may count on. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { checkTypes, pack, unpack } from "../support/client-project.ts";

/** As it travels; and as it is, which is what a page of files alone sends. */
const GZIP_MAX = 15_000;
const RAW_MAX = 32_000;

const FOLDER = new URL("../../packages/map-element/", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, FOLDER), "utf8");

test("the package of the element is one small module that imports nothing, with types that hold", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-element-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const { files, filename } = await pack("packages/map-element", folder);
  assert.deepEqual(
    files.map(({ path }) => path),
    ["LICENSE", "README.md", "index.d.ts", "package.json", "vicinity-map.js"],
  );
  const installed = join(folder, "node_modules/@vicinity/map-element");
  await unpack(join(folder, filename), installed);
  const module = readFileSync(join(installed, "vicinity-map.js"), "utf8");
  assert.ok(gzipSync(module).length <= GZIP_MAX, `${gzipSync(module).length} bytes with gzip`);
  assert.ok(module.length <= RAW_MAX, `${module.length} bytes`);
  assert.doesNotMatch(module, /^import |\bfrom "|import\("/m);
  assert.doesNotMatch(module, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as object;
  assert.equal((manifest as { version: string }).version, version);
  assert.equal("dependencies" in manifest, false);
  writeFileSync(
    join(folder, "main.ts"),
    `import "@vicinity/map-element";
const map = document.createElement("vicinity-map");
map.addEventListener("vicinity-select", ({ detail }) => console.log(detail.name, detail.vehicles));
map.addEventListener("vicinity-error", ({ detail }) => console.log(detail.code));
map.texts = { map: "Kaart" };
map.select(map.items[0]?.id ?? null);
// @ts-expect-error: read only
map.items = [];
`,
  );
  const compilerOptions = {
    ...{ target: "es2022", module: "nodenext", lib: ["es2022", "dom"], strict: true },
    ...{ noEmit: true, types: [] },
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["main.ts"] }),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const { code, out } = await checkTypes(folder, ["main.ts"]);
  assert.equal(code, 0, out);
});

test("README.md names every attribute, event and word of the element, and no other attribute", () => {
  const page = read("README.md");
  const [, list = ""] = /observedAttributes = \[([^\]]*)\]/.exec(read("source/main.js")) ?? [];
  const attributes = [...list.matchAll(/"([\w-]+)"/g)].map(([, name]) => name!);
  assert.ok(attributes.length >= 9, list);
  const [, table = ""] = page.split("| attribute | meaning |\n|---|---|\n");
  const [rows = ""] = table.split("\n\n");
  assert.deepEqual(
    [...rows.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name!).toSorted(),
    attributes.toSorted(),
  );
  for (const name of ["vicinity-select", "vicinity-error", "select(id)", "items", "texts"])
    assert.ok(page.includes(`| \`${name}`), name);
});

test("every language of the element has every word", async () => {
  const url = new URL("source/texts.js", FOLDER).href;
  const { textsOf } = (await import(url)) as {
    textsOf(tag: string, own?: object): Record<string, string>;
  };
  const english = textsOf("en");
  assert.ok(Object.keys(english).length >= 25);
  // Words that two languages share.
  const SAME = new Set(["car", "lost", "scooter", "moped"]);
  for (const tag of ["fr", "de-AT"])
    for (const [name, text] of Object.entries(textsOf(tag))) {
      if (!SAME.has(name)) assert.notEqual(text, english[name], `${tag}: ${name}`);
      assert.equal(text.includes("{0}"), english[name]!.includes("{0}"), `${tag}: ${name}`);
    }
  assert.deepEqual(textsOf("pl"), english);
  assert.equal(textsOf("nl", { map: "Kaart" })["map"], "Kaart");
});
