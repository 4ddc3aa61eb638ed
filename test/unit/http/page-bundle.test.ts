/** The bundle of the pages: used where it is of these very sources, and else as if it were not there. */
import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import {
  BUNDLE_INDEX,
  digestOf,
  hashOf,
  listSheets,
  PACKED_FOLDER,
  readBundle,
  withSheet,
} from "#http/pages/page-bundle.ts";
import { buildPages } from "#http/pages/page-site.ts";
import { readFiles, type SiteFile } from "#http/pages/page-files.ts";
import { joinPages } from "../../../scripts/bundle.ts";
import { call } from "../../support/call.ts";
import { noFault } from "../../support/faults.ts";
import { stubServer } from "../../support/server.ts";

const work = mkdtempSync(join(tmpdir(), "vicinity-bundle-"));
after(() => rmSync(work, { recursive: true }));

const LINK = (path: string): string => `<link rel="stylesheet" href="{{assets}}/${path}" />`;
const HTML = `<head>\n${LINK("a.css")}\n${LINK("b/b.css")}\n{{modules}}</head>`;
const JOINED = `one(); ${"// much of the same ".repeat(200)}`;
const FILES: SiteFile[] = [
  file("app.js", 'import { b } from "./b.js";\n'),
  file("b.js", "export const b = 1;\n"),
  { ...file("index.html", HTML, "text/html"), page: { path: "/", policy: "strict" } },
];
const PARTS = { "app.js": JOINED, "joined/index.css": ".a{}.b{}" };

function file(path: string, text: string, type = "text/javascript"): SiteFile {
  return { path, type, body: Buffer.from(text), page: null };
}

function write(name: string, sources: readonly SiteFile[]): URL {
  const folder = join(work, name);
  mkdirSync(join(folder, "joined"), { recursive: true });
  mkdirSync(join(folder, PACKED_FOLDER));
  for (const [path, text] of Object.entries(PARTS)) writeFileSync(join(folder, path), text);
  const packed = join(folder, PACKED_FOLDER, `${hashOf(Buffer.from(JOINED))}.br`);
  writeFileSync(packed, brotliCompressSync(JOINED));
  const index = { sources: digestOf(sources), parts: Object.keys(PARTS) };
  writeFileSync(join(folder, BUNDLE_INDEX), JSON.stringify(index));
  return pathToFileURL(`${folder}/`);
}

function site(folder: URL, notes: string[] = []) {
  const bundle = readBundle(FILES, (line) => notes.push(line), folder);
  const settings = {
    style: null,
    style_hosts: [],
    embed_origins: [],
    offline: true,
    start: null,
    cities: [],
    weather: null,
  };
  const config = {
    ...{ ...settings, mode: "live" as const, version: "1", salt: "", units: "metric" as const },
    reference: { key: null, changelog: false },
  };
  const onFault = (error: unknown): void => noFault("pages", error);
  const pages = buildPages(config, onFault, { files: FILES, bundle });
  const { app } = stubServer({ pages });
  const get = (url: string, headers = {}) => call(app, { method: "GET", url, headers });
  const path = (name: string): string =>
    [...pages.assets.keys()].find((each) => each.endsWith(`/${name}`)) ?? assert.fail(name);
  return { get, path };
}

test("a page in one piece has one script and one style sheet, compressed ahead", async () => {
  const { get, path } = site(write("fresh", FILES));
  const { payload: html } = await get("/");
  assert.deepEqual(html.match(/<link[^>]*>/g), [
    `<link rel="stylesheet" href="${path("joined/index.css")}" data-joined />`,
    `<link rel="modulepreload" href="${path("app.js")}" />`,
  ]);
  assert.equal((await get(path("app.js"))).payload, JOINED);
  const packed = await get(path("app.js"), { "accept-encoding": "br" });
  assert.match(String(packed.headers["etag"]), /-br-ahead"$/);
  assert.deepEqual(packed.rawPayload, brotliCompressSync(JOINED));
  // What it is made of can still be read.
  assert.match((await get(path("b.js"))).payload, /const b/);
});

test("a bundle of other sources hides nothing, and is named in one line", async () => {
  const [app, ...others] = FILES as [SiteFile, ...SiteFile[]];
  const changed = { ...app, body: Buffer.from(`${app.body.toString()}// more\n`) };
  const notes: string[] = [];
  const { get, path } = site(write("stale", [changed, ...others]), notes);
  assert.equal((await get(path("app.js"))).payload, app.body.toString());
  const { payload: html } = await get("/");
  assert.equal(html.match(/rel="stylesheet"/g)?.length, 2);
  assert.equal(html.match(/rel="modulepreload"/g)?.length, 2);
  assert.equal(notes.length, 1);
  assert.match(notes[0] as string, /npm run bundle/);
});

test("without a bundle, or with one that is broken, the modules are served and nothing is said", async () => {
  const broken = write("broken", FILES);
  writeFileSync(new URL(BUNDLE_INDEX, broken), "{");
  for (const folder of [broken, pathToFileURL(join(work, "none/"))]) {
    const notes: string[] = [];
    const { get, path } = site(folder, notes);
    assert.equal((await get(path("app.js"))).payload, FILES[0]?.body.toString());
    assert.deepEqual(notes, []);
  }
});

test("another bundle has another address, since assets are kept for ever", () => {
  const addresses = ["fresh", "none"].map((name) =>
    site(pathToFileURL(join(work, `${name}/`))).path("app.js"),
  );
  assert.equal(new Set(addresses).size, 2);
});

test("every page can be put into one piece, with all that its modules load later", () => {
  const pages = joinPages(readFiles());
  const entries = pages.map(({ entry }) => entry);
  for (const entry of ["app.js", "docs.js", "quality.js", "status.js"])
    assert.ok(entries.includes(entry), entry);
  for (const { entry, script, styles } of pages) {
    // Only packages are imported, by addresses that are known when the page runs.
    const imports = [...script.matchAll(/^(?! *\*| *\/[*/]).*?\bimport\(([^)]*)\)/gm)];
    for (const [line, target = ""] of imports)
      if (!line.includes("@type") && !line.includes("@param"))
        assert.match(target, /^`\$\{[\w.]*assets\}\//, `${entry}: ${line}`);
    assert.ok(styles.length > 1000, entry);
  }
  const map = pages.find(({ entry }) => entry === "app.js");
  for (const name of ["openMap", "openLive"]) assert.ok(map?.script.includes(`function ${name}`));
  for (const path of ["explorer/live/live.css", "explorer/map/map.css"])
    assert.ok(map?.styles.includes(readFileSync(path, "utf8")), path);
});

test("style sheets of a page are found in their order", () => {
  assert.deepEqual(listSheets(HTML), ["a.css", "b/b.css"]);
  const none = { parts: new Map(), readPacked: async () => null };
  assert.equal(withSheet("index.html", HTML, none), HTML);
});
