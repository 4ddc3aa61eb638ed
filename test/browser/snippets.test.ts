/** The examples that the explorer shows. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createClient, type Client } from "vicinity/client";
import { toSnippet } from "../../explorer/panel/snippets.js";

test("the examples of the explorer call methods that it has", () => {
  const client = createClient({ url: "http://localhost" });
  const text = readFileSync(new URL("../../explorer/panel/snippets.js", import.meta.url), "utf8");
  const paths = [...text.matchAll(/"(\/v1\/[^"]+)": "/g)].map(([, path = ""]) => path);
  assert.ok(paths.length >= 8, `${paths.length} paths`);
  for (const path of paths) {
    const ask = { path, query: { lat: 1, lon: 2 } };
    const example = toSnippet("TypeScript", "http://localhost", path, ask);
    const method = /client\.(\w+)\(/.exec(example)?.[1] ?? "";
    assert.equal(typeof client[method as keyof Client], "function", `${path}: ${method}`);
  }
});

test("no parameter value can break out of the shell example", () => {
  const query = { q: "'; rm -rf ~ #" };
  const target = "/v1/place-search?q='; rm -rf ~ #";
  const line = toSnippet("curl", "http://localhost", target, { path: "/v1/place-search", query });
  assert.equal(line, String.raw`curl 'http://localhost/v1/place-search?q='\''; rm -rf ~ #'`);
});
