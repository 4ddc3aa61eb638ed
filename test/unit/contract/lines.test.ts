/** Every line of the contract has a test that says it proves it (docs/contract.md). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listOperations } from "#api/operations.ts";
import { SECTIONS } from "../../../scripts/contract/lines.ts";
import { PENDING } from "../../../scripts/contract/pending.ts";
import { findUnproved, scanTests, toRoute } from "../../../scripts/contract/scan.ts";
import { readTests, toContractPage } from "../../../scripts/pages/contract.ts";

const LINES = SECTIONS.flatMap(({ lines }) => lines);
const tests = readTests();
const scan = scanTests(tests, SECTIONS);

test("no line of the contract is without a test", () => {
  assert.deepEqual(findUnproved(SECTIONS, scan.citations, PENDING), []);
});

test("no test cites a line that does not exist", () => {
  assert.deepEqual(
    scan.unknown.map(({ id, file }) => `${file}: ${id}`),
    [],
  );
  const lost = scan.citations.filter(({ title }) => title.startsWith("("));
  assert.deepEqual(lost, [], "a citation precedes a test");
});

test("the scan sees the lines and the tests", () => {
  assert.ok(LINES.length >= 130, `${LINES.length} lines`);
  assert.equal(new Set(LINES.map(({ id }) => id)).size, LINES.length, "each id once");
  assert.ok(tests.size >= 200, `${tests.size} files`);
  assert.ok(scan.citations.length >= 150, `${scan.citations.length} citations`);
  const files = new Set(scan.citations.map(({ file }) => file));
  assert.ok(files.size >= 25, `${files.size} files cite`);
});

test("exactly those routes are pending that the table of operations lacks", () => {
  const served = new Set(listOperations().map(({ path }) => toRoute(path)));
  const routes = new Set(LINES.flatMap(({ route }) => route ?? []));
  assert.ok(routes.size >= 6);
  assert.deepEqual(
    PENDING.toSorted(),
    [...routes].filter((route) => !served.has(route)).toSorted(),
    "a route that is served is taken out of scripts/contract/pending.ts, and its lines get tests",
  );
  assert.equal(toRoute("/realtime/{coords}/weather/{lang}"), "/realtime/*/weather/*");
});

test("caught: a line without a test, a citation of nothing, a route that came", () => {
  const sections = [
    {
      title: "§1",
      lines: [
        { id: "§1 a", says: "A." },
        { id: "§1 b", says: "B.", route: "/b" },
      ],
    },
  ];
  const source = '// Proves §1 a; §1 typo\ntest(`it ${x} holds`, () => 1);\n  "§1 b": [],';
  const match = scanTests(new Map([["test/a.ts", source]]), sections);
  assert.deepEqual(match.citations, [
    { id: "§1 a", file: "test/a.ts", title: "it … holds" },
    { id: "§1 b", file: "test/a.ts", title: "§1 b" },
  ]);
  assert.deepEqual(
    match.unknown.map(({ id }) => id),
    ["§1 typo"],
  );
  assert.deepEqual(findUnproved(sections, [], ["/b"]), ["§1 a"]);
  assert.deepEqual(findUnproved(sections, [], []), ["§1 a", "§1 b"]);
  const page = toContractPage(sections, match.citations.slice(0, 1), ["/b"]);
  assert.match(page, /\| §1 a \| A\. \| \[it … holds\]\(\.\.\/test\/a\.ts\) \|/);
  assert.match(page, /\| §1 b \| B\. \| pending: `\/b` is not served yet \|/);
});
