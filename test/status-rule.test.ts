/** One rule says success, empty or partial for every face (core/coverage.ts): no other file writes `partial`. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Files that have the word and decide nothing by it. */
const ALLOWED: Readonly<Record<string, string>> = {
  "src/core/coverage.ts": "the rule",
  "src/app/search-reply.ts": "a cache that had a part",
  "src/app/lookup-outcome.ts": "a cache that had a part",
  "src/app/transit/gbfs.ts": "a cache that had a part",
  "src/upstream/lookup/tile-lookup.ts": "a cache that had a part",
  "src/upstream/lookup/lookup-caller.ts": "counts of caches",
  "src/observe/lookup-meter.ts": "counts of caches",
  "src/http/metric-table.ts": "counts of caches",
  "src/http/legacy-handlers.ts": "a header of the legacy routes",
  "src/app/places/class-join.ts": "two answers that are put together, by their own statuses",
  "src/mcp/near-argument.ts": "whether an answer is whole, as its operation says",
  "src/mcp/tools/ask-mobility.ts": "whether an answer is whole, as its operation says",
  "src/cli/command.ts": "an exit code for what a server has answered",
};

const sources = new Map(
  globSync("{src,packages}/**/*.ts", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/^packages\/(api|client)\//.test(path) && !path.includes("/test/"))
    .map((path): [string, string] => [path, readFileSync(`${root}${path}`, "utf8")]),
);

function findWriters(files: ReadonlyMap<string, string>): string[] {
  return [...files].filter(([, text]) => text.includes('"partial"')).map(([path]) => path);
}

test("no file outside core/coverage.ts and the contract decides on partial", () => {
  assert.deepEqual(findWriters(sources).sort(), Object.keys(ALLOWED).sort());
});

test("a face with a rule of its own is found", () => {
  const planted = new Map([["src/mcp/x.ts", 'const status = isLate ? "partial" : "success";']]);
  assert.deepEqual(findWriters(planted), ["src/mcp/x.ts"]);
});
