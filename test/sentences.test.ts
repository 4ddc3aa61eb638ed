/**
 * docs/sentences.md: every statement of the rules of shared mobility and every topic of the third
 * round of decisions is there, with a test that exists in a file that runs, or with the reason why it is open.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, test } from "node:test";
import { listFiles, SUITES } from "../scripts/test-suites.ts";
import { listStatements, sectionOf, toCells } from "./support/statements.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

const PAGE = read("docs/sentences.md");
const RULES = read("docs/design/rules.md");
const DECISIONS = read("docs/design/decisions.md");
const RUN: ReadonlySet<string> = new Set(SUITES.flatMap(listFiles));

type NamedTest = { path: string; title: string };
type Row = { statement: string; tests: NamedTest[]; open: string | null };

const LINK = /\[((?:\\.|[^\]\\])+)\]\((\.\.\/(?:test|trials|packages\/[\w-]+\/test)\/[^)]+)\)/g;
/** Behind what a statement is cut. */
const CUT = " …";

function rowsOf(heading: string): Row[] {
  const lines = sectionOf(PAGE, heading).split("\n");
  const rows = lines.filter((line) => line.startsWith("|")).slice(2);
  return rows.map((line) => {
    const [statement = "", proof = ""] = toCells(line);
    const tests = [...proof.matchAll(LINK)].map(([, title = "", path = ""]) => ({
      title: title.replaceAll(/\\([|[\]])/g, "$1"),
      path: posix.join("docs", path),
    }));
    return { statement, tests, open: /^open: (.{10,})/.exec(proof)?.[1] ?? null };
  });
}

/** Problems of one named test; empty: it exists, and runs. */
function problemsOf({ path, title }: NamedTest): string[] {
  if (!existsSync(new URL(`../${path}`, import.meta.url))) return [`${path} is not there`];
  if (!RUN.has(path)) return [`${path} is in no suite`];
  return isTestIn(read(path), title) ? [] : [`${path} has no test "${title}"`];
}

/** A title as the source has it, behind the call that registers it; a test that is skipped is none. */
function isTestIn(source: string, title: string): boolean {
  const escaped = title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return new RegExp(String.raw`\btest\(\s*["'\`]${escaped}["'\`],`).test(source);
}

const HEADINGS = PAGE.split("\n").filter((line) => line.startsWith("## "));
const RULE_HEADINGS = RULES.split("\n").filter((line) => /^## R\d+ /.test(line));
const TOPICS = sectionOf(DECISIONS, "## Third edition")
  .split("\n")
  .filter((line) => line.startsWith("### "));

describe("docs/sentences.md", () => {
  test("has the fourteen rules, and every topic of the third round of decisions", () => {
    assert.equal(RULE_HEADINGS.length, 14);
    for (const heading of RULE_HEADINGS) assert.ok(HEADINGS.includes(heading), heading);
    for (const topic of TOPICS) assert.ok(HEADINGS.includes(topic.slice(1)), topic);
  });

  for (const heading of RULE_HEADINGS)
    test(`${heading.slice(3)}: each statement has one row, in order`, () => {
      const statements = listStatements(sectionOf(RULES, heading));
      const rows = rowsOf(heading);
      assert.equal(rows.length, statements.length, statements.join("\n"));
      rows.forEach(({ statement }, n) => {
        const begins = statement.endsWith(CUT) ? statement.slice(0, -CUT.length) : statement;
        assert.ok(statements[n]!.startsWith(begins), `${begins}\nis not\n${statements[n]}`);
        assert.ok(statement !== begins || statements[n] === begins, `${begins} is cut`);
      });
    });

  for (const heading of HEADINGS)
    test(`${heading.slice(3)}: each row has tests that exist and run, or is open with the reason`, () => {
      const rows = rowsOf(heading);
      assert.ok(rows.length > 0);
      for (const { statement, tests, open } of rows) {
        assert.equal(tests.length > 0, open === null, statement);
        assert.deepEqual(tests.flatMap(problemsOf), [], statement);
      }
    });
});

test("a row whose test is not there, is skipped or is in no suite is noticed", () => {
  const own = { path: "test/sentences.test.ts", title: "a test that has not been written" };
  assert.equal(problemsOf(own).length, 1);
  assert.equal(problemsOf({ ...own, path: "test/nowhere.test.ts" }).length, 1);
  assert.equal(problemsOf({ ...own, path: "test/support/statements.ts" }).length, 1);
  assert.ok(!isTestIn('test.skip("a title", () => {});', "a title"));
  assert.ok(!isTestIn('// of "a title", which', "a title"));
  assert.ok(isTestIn("test(`a ${name} title`, () => {});", "a ${name} title"));
});
