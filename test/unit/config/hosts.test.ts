/** The addresses of a configuration: of members that hold one, and of no others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listHosts } from "#config/hosts.ts";

const SOURCES = {
  nominatim: { url: "https://geo.example/search", contact: "https://no.example", enabled: true },
  gbfs: {
    catalogue: "http://list.example:8080/systems.csv",
    systems: [
      { id: "a", url: "https://feeds.example/gbfs.json", auth: { token_url: "https://t.example" } },
    ],
  },
  pelias: {
    countries: { de: "https://de.example", fr: ["no text"] },
    countries_note: "https://x.example",
  },
  file: { url: "file:///data/a.json", catalogue: "data/list.csv", name: null },
  again: { url: "https://geo.example:443/other" },
};

test("each host with its port, once; a file has none", () => {
  assert.deepEqual(listHosts({ sources: SOURCES }), [
    "geo.example:443",
    "list.example:8080",
    "feeds.example:443",
    "t.example:443",
    "de.example:443",
  ]);
  for (const tree of [undefined, null, {}, { sources: null }, { sources: "https://a.example" }])
    assert.deepEqual(listHosts(tree), []);
});
