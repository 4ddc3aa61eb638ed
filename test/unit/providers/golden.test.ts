/**
 * Golden pairs of the sources that are asked around a point and have no golden test of their own:
 * whatever is in their folder of fixtures is read as they declare it.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { test } from "node:test";
import type { AroundQuery } from "#providers/lookup.ts";
import { REGISTER_SOURCES } from "#providers/register-protocol.ts";
import { listSources } from "#providers/registry.ts";
import { testGoldenPairs } from "../../support/place-fixtures.ts";

const QUERY: AroundQuery = {
  lat: 45.5,
  lon: -122.6,
  radius_m: 800,
  limit: 50,
  language: null,
  country: "US",
};

const own = listSources().filter(
  ([id, { around }]) => around && !existsSync(new URL(`${id}/golden.test.ts`, import.meta.url)),
);

for (const [id, { around = [] }] of own) {
  const folder = new URL(`../../fixtures/providers/${id}/`, import.meta.url);
  const names = readdirSync(folder).flatMap((file) => /^(.+)\.wire\.json$/.exec(file)?.[1] ?? []);
  const settings = { url: "https://source.example", timeout_ms: 3_000 };
  testGoldenPairs(id, names, (wire, trail) =>
    around[0]!.reader.read(wire, QUERY, { settings, trail }),
  );
}

test("there are sources with pairs of which this is the only test", () => {
  assert.ok(own.some(([id]) => id === "refuge_restrooms"));
});

test("the thread that reads registers knows every one of them", () => {
  const declared = listSources().flatMap(([, source]) => (source.registers ? [source] : []));
  assert.deepEqual(new Set(REGISTER_SOURCES), new Set(declared));
});

test("a source is listed under its own id", () => {
  for (const [id, source] of listSources()) assert.equal(source.id, id);
});
