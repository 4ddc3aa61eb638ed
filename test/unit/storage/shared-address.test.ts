/** VICINITY_SHARED_URL: what is an address of the shared store, and what is said of the package. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readSharedAddress } from "#storage/valkey/valkey-address.ts";
import { loadDriver } from "#storage/valkey/driver.ts";
import { openShared } from "#storage/valkey/open-valkey.ts";
import { noFault } from "../../support/faults.ts";

const PLAIN = {
  nodes: [{ host: "h", port: 6379 }],
  cluster: false,
  tls: false,
  username: null,
  password: null,
  database: 0,
};

test("one node, in every spelling", () => {
  const cases: [string, object][] = [
    ["redis://h", {}],
    ["valkey://h", {}],
    ["redis://h/", {}],
    ["redis://h?cluster=0", {}],
    ["rediss://h", { tls: true }],
    ["valkeys://h", { tls: true }],
    ["redis://h:7000/2", { nodes: [{ host: "h", port: 7000 }], database: 2 }],
    ["redis://127.0.0.1:1", { nodes: [{ host: "127.0.0.1", port: 1 }] }],
    ["redis://[::1]:7000", { nodes: [{ host: "::1", port: 7000 }] }],
    ["redis://me:secret@h", { username: "me", password: "secret" }],
    ["redis://:p%40ss%2F%20w%3A@h", { password: "p@ss/ w:" }],
    ["redis://me:a:b@h", { username: "me", password: "a:b" }],
    ["redis://:100%@h", { password: "100%" }],
  ];
  for (const [text, differs] of cases)
    assert.deepEqual(readSharedAddress(text), { ...PLAIN, ...differs }, text);
});

test("several hosts, or the word, are a cluster", () => {
  assert.deepEqual(readSharedAddress("redis://h?cluster=1"), { ...PLAIN, cluster: true });
  const nodes = [
    { host: "a", port: 7000 },
    { host: "::1", port: 6379 },
    { host: "c", port: 7002 },
  ];
  assert.deepEqual(readSharedAddress("rediss://u:p@a:7000,[::1],c:7002/0"), {
    nodes,
    cluster: true,
    tls: true,
    username: "u",
    password: "p",
    database: 0,
  });
});

test("text that is no address is null", () => {
  for (const text of [
    ...["", "h", "h:6379", "http://h", "postgres://h", "redis:/h", "redis://", "redis://:6379"],
    ...["redis://h:x", "redis://h:70000", "redis://h/a", "redis://h/-1", "redis://h?x=1"],
    ...["redis://a,,b", "redis://a,b/1", "redis://h/1?cluster=1", "redis://h#x", "redis://a b"],
  ])
    assert.equal(readSharedAddress(text), null, text);
});

test("a package that is missing is one line that names it and the setting", async () => {
  const loaded = await loadDriver(() => Promise.reject(new Error("Cannot find\n package 'x'")));
  assert.ok("problem" in loaded);
  assert.match(
    loaded.problem,
    /^VICINITY_SHARED_URL needs the npm package iovalkey.*Cannot find package/,
  );
});

test("a URL that is none is one line without its password", async () => {
  const opened = await openShared({
    url: "redis://:hunter2@h/x",
    mode: "live",
    release: "1",
    onRefused: () => undefined,
    onHealth: () => undefined,
    onFault: noFault,
    insurance: {
      admit: () => ({ admitted: true, remaining: 1, reset_s: 1 }),
      charge: () => undefined,
    },
  });
  assert.ok("problem" in opened);
  assert.match(opened.problem, /^VICINITY_SHARED_URL: /);
  assert.doesNotMatch(opened.problem, /hunter2|\n/);
});
