/**
 * Whatever the code and the pages cite can be read in this repository: every citation is looked up
 * among the headings of docs. Planted citations show that a wrong one is found, and named by its line.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { readPages } from "./citations/pages.ts";
import { findCitations, type Repository } from "./citations/scan.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const FOLDERS = [
  "src",
  "sandbox",
  "test",
  "scripts",
  "trials",
  "docs",
  "packages",
  "bench",
  "explorer",
];
const exclude = ["**/node_modules/**"];

const list = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude }).map((path) => path.replaceAll("\\", "/"));
const read = (path: string): string => readFileSync(`${root}${path}`, "utf8");

const paths = [
  ...list("*.md"),
  ...FOLDERS.flatMap((folder) => list(`${folder}/**/*.{ts,js,md}`)),
].filter((path) => path !== "CHANGELOG.md" && path !== "test/citations.test.ts");
const sources = new Map(paths.map((path) => [path, read(path)]));
const files = new Set([
  ...["*", ".*", "{bin,changelog,deploy,releases}/**/*"].flatMap((each) => list(each)),
  ...FOLDERS.flatMap((folder) => list(`${folder}/**/*`)),
]);
const repository: Repository = {
  pages: readPages(new Map([...sources].filter(([path]) => path.endsWith(".md")))),
  files,
};
const citations = [...sources].flatMap(([path, text]) => findCitations(path, text, repository));

test("every citation leads somewhere", () => {
  const faults = citations
    .filter(({ fault }) => fault !== null)
    .map(({ at, text, fault }) => `${at}: "${text}": ${fault}`);
  assert.deepEqual(faults, []);
});

/** Somewhat fewer than there are: a scan that has gone blind must not pass. */
const AT_LEAST: Readonly<Record<string, number>> = {
  paragraph: 800,
  section: 250,
  rule: 180,
  "decision title": 150,
  "page title": 15,
  record: 40,
  row: 15,
  file: 300,
  link: 300,
};

test("the scan sees citations of every kind", (t) => {
  const counts = Object.groupBy(citations, ({ kind }) => kind);
  t.diagnostic(`${citations.length} citations in ${sources.size} files`);
  for (const [kind, least] of Object.entries(AT_LEAST)) {
    const count = counts[kind]?.length ?? 0;
    t.diagnostic(`${kind}: ${count}`);
    assert.ok(count >= least, `${kind}: only ${count}`);
  }
});

/** What is planted, where, and what must be said about it. */
const WRONG: readonly [path: string, text: string, fault: RegExp][] = [
  ["src/x.ts", "/** Never zero (§2.55). */", /the contract has no 2\.55/],
  ["src/x.ts", "/** Limits (§4.6, 4.77). */", /the contract has no 4\.77/],
  ["src/x.ts", 'const says = "see §12";', /the contract has no 12/],
  ["scripts/x.ts", "/** Held to contract 4.3 to 4.99. */", /the contract has no 4\.99/],
  ["src/x.ts", "/** Dropped (R15). */", /there is no rule R15/],
  ["test/x.test.ts", 'test("R77: order", () => {});', /there is no rule R77/],
  ["packages/stations/gbfs/x.ts", 'const rule = "R20";', /there is no rule R20/],
  ["src/x.ts", "/** As published (mobility.md 9.9). */", /mobility\.md has no 9\.9/],
  ["src/x.ts", "/** As published (mobility.md 1.12 #4, #99). */", /no row 99/],
  ["src/x.ts", "// Retried (reliability 2.44).", /reliability\.md has no 2\.44/],
  ["src/x.ts", "// Refused (reliability-security 4.5).", /no page reliability-security\.md/],
  ["src/x.ts", "// Seen (telepathy.md 3).", /no page telepathy\.md/],
  ["src/x.ts", "/** As the RFC says in section 4. */", /names no page/],
  ["src/x.ts", "/** Not shown (violations 4, 99). */", /mobility\.md 1\.12 has no row 99/],
  ["src/x.ts", "/** Denied by 4.5 rule 2. */", /names no page/],
  ["src/x.ts", "/** Not doubled (2.4). */", /names no page/],
  ["src/x.ts", "/** Kept (decisions, Telepathy). */", /names no title/],
  ["src/x.ts", "/** Kept (decisions, Errors and Telepathy). */", /no title "Telepathy"/],
  ["src/x.ts", "/** Kept (decisions, Conventionally). */", /names no title/],
  ["src/x.ts", "/** As decided (§2.9; decisions). */", /names no title/],
  ["src/x.ts", "/** What the decisions say. */", /names no title/],
  ["src/x.ts", "/** Started so (operation.md, Telepathy). */", /operation\.md has no such heading/],
  ["src/x.ts", "/** Shared (architecture, Telepathy). */", /ARCHITECTURE\.md has no such heading/],
  ["docs/x.md", "Why: [decision 99](decisions/0017-accounts-and-metering.md).", /0099-\*/],
  ["src/x.ts", "/** Sorted (docs/decisions/0099). */", /0099-\*/],
  ["src/x.ts", "/** Within a second (goal 99). */", /reliability\.md 8 has no row 99/],
  ["src/x.ts", "/** The table of docs/telepathy.md. */", /no such page/],
  ["docs/x.md", "See [there](telepathy/).", /no such file/],
  ["docs/x.md", "See [there](fleet.md#telepathy).", /no such heading/],
];

test("a citation that leads nowhere is found", () => {
  for (const [path, planted, fault] of WRONG) {
    const result = findCitations(path, `\n\n${planted}\n`, repository);
    const wrong = result.filter((one) => one.fault !== null);
    assert.match(wrong.map((one) => one.fault).join("; "), fault, planted);
    for (const { at } of wrong) assert.equal(at, `${path}:3`);
  }
});

test("a comment may break a citation between lines", () => {
  const planted =
    "/**\n * Sorted as agreed (decisions,\n * Conventions; mobility.md\n * 1.99).\n */";
  const result = findCitations("src/x.ts", planted, repository);
  assert.deepEqual(
    result.filter(({ kind }) => kind !== "file").map(({ at, fault }) => [at, fault]),
    [
      ["src/x.ts:3", "mobility.md has no 1.99"],
      ["src/x.ts:2", null],
    ],
  );
});

test("citations that lead somewhere, and what is no citation", () => {
  const sound = [
    "/** Rounded (§4.9, R12, R13; decisions, Conventions and Geocoding; docs/decisions/0003). */",
    "/** Shared (mobility.md 1.12 #4; reliability 2.4; operation.md, Modes; architecture, Scale). */",
    "/** As RFC 9110 15.5.2 and RFC 6749 §2.3.1 want it: decisions about rates, 7 sections. */",
    'const fixture = { route: "R99", text: "decisions, Telepathy and mobility.md 9.9" };',
  ];
  for (const planted of sound) {
    const result = findCitations("src/x.ts", planted, repository);
    assert.deepEqual(
      result.filter(({ fault }) => fault !== null),
      [],
    );
  }
});

test("a heading that goes away takes its citations with it", () => {
  const page = "docs/design/rules.md";
  const text = (sources.get(page) ?? "").replace("## R4 ", "## ");
  const pages = new Map([...repository.pages, ...readPages(new Map([[page, text]]))]);
  const lost = [...sources].flatMap(([path, source]) =>
    /\bR4\b/.test(source) ? findCitations(path, source, { ...repository, pages }) : [],
  );
  const faults = lost.filter(({ fault }) => fault === "there is no rule R4");
  assert.ok(faults.length >= 20, `only ${faults.length}`);
});
