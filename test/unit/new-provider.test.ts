/**
 * `npm run new:provider` on a copy of the tree: the new source is in the registry, the configuration
 * schema, the ids of the contract, `/v1/sources`, the simulator and the documentation by the files
 * that CONTRIBUTING names and by no other, and its golden pair holds.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COPIED = [
  ...[
    "src",
    "sandbox",
    "scripts",
    "trials",
    "test/support",
    "test/unit/providers",
    "test/fixtures/providers",
  ],
  ...["docs", "deploy/grafana", "changelog", "packages", "explorer"],
  ...[
    "package.json",
    "package-lock.json",
    "LICENSE",
    "openapi.json",
    "vicinity.schema.json",
    "CHANGELOG.md",
  ],
];
/** By hand; those that `npm run generate` writes are not counted. */
const BY_HAND = [
  "src/providers/NAME.ts",
  "src/providers/registry.ts",
  "test/fixtures/providers/NAME/whole.wire.json",
  "test/fixtures/providers/NAME/whole.expected.json",
  "sandbox/NAME/host.ts",
  "sandbox/hosts.ts",
];
const NAME = "example_toilets";

/** What a process of the copy knows of it, asked of the same code that serves. */
const LOOK = `
const { loadConfig } = await import("#config/load.ts");
const { readEnv } = await import("#config/env.ts");
const { SERVICE_SOURCE_IDS } = await import("#api/service-sources.ts");
const { SOURCES } = await import("#providers/registry.ts");
const { openSource } = await import("#upstream/lookup/opened-source.ts");
const { createLookupHealth, toListed, toSourceItem } = await import("#app/source-items.ts");
const { simulated } = await import("#config/simulated.ts");
const { startSandbox } = await import("./sandbox/main.ts");
const sandbox = await startSandbox({ seed: 1, port: 0 });
const { value } = loadConfig({ mode: "sandbox", env: readEnv({}).value });
const opened = openSource("${NAME}", simulated(value.sources, sandbox));
const item = toSourceItem(toListed(opened), createLookupHealth(Date.now), 0);
const { lat, lon } = sandbox.cities()[0];
const reader = SOURCES["${NAME}"].around[0].reader;
const query = { lat, lon, radius_m: 2000 };
const reply = await fetch(reader.request(query, opened.settings).url);
const body = new Uint8Array(await reply.arrayBuffer());
const trail = { drop() {}, repair() {} };
const read = reader.read({ status: reply.status, content_type: null, body }, query, { settings: opened.settings, trail });
await sandbox.close();
console.log(JSON.stringify({ ids: SERVICE_SOURCE_IDS, item, places: read.value.length }));
await import("./test/unit/providers/golden.test.ts");
`;

test("a new source of toilets is everywhere by the files that are named", (t) => {
  const copy = mkdtempSync(join(tmpdir(), "vicinity-new-provider-"));
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  const filter = (from: string): boolean => basename(from) !== "node_modules";
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(copy, path), { recursive: true, filter });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  // A process of its own, and no part of this run of tests.
  const { NODE_TEST_CONTEXT: _none, ...env } = process.env;
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, ["--no-warnings", "--test-reporter=tap", ...args], {
      cwd: copy,
      encoding: "utf8",
      env,
    });
  const read = (path: string): string => readFileSync(join(copy, path), "utf8");

  const written = run("scripts/new-provider.ts", NAME).trim().split("\n");
  const names = BY_HAND.map((path) => path.replace("NAME", NAME));
  assert.deepEqual(new Set(written.map((line) => line.split(" ")[1])), new Set(names));
  const guide = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const row = guide.split("\n").find((line) => line.startsWith("| a source that is asked"));
  for (const path of BY_HAND.map((each) => each.replace("/whole", "/*")))
    assert.ok(row?.includes(`\`${path.replace(/\*\.(wire|expected)\.json/, "*.$1.json")}\``), path);

  assert.ok(JSON.parse(read("vicinity.schema.json")).properties.sources.properties[NAME]);
  assert.match(read("docs/sources.md"), new RegExp(`^\\| \`${NAME}\` \\|.* toilets `, "m"));
  assert.ok(read("openapi.json").includes(`"${NAME}"`));
  const output = run("--input-type=module", "--eval", LOOK);
  const entry = JSON.parse(output.slice(0, output.indexOf("\n")));
  assert.equal(entry.ids.at(-1), NAME);
  assert.deepEqual(
    [entry.item.id, entry.item.state, entry.item.kind, entry.item.operations],
    [NAME, "idle", "lookup", ["getServicesNearby"]],
  );
  assert.ok(entry.places > 0, "the simulator knows none");
  assert.match(output, new RegExp(`^ok \\d+ - golden ${NAME}: whole`, "m"));
});
