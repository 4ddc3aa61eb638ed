/**
 * The layers of layers.json, enforced on every file of src and sandbox. Each rule is also shown to
 * bite, on planted sources: a guard that cannot fail guards nothing.
 */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { readFacts } from "./architecture/facts.ts";
import { findInnerImports, findUnused, findViolations } from "./architecture/rules.ts";
import type { Rules } from "./architecture/rules.ts";

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

const rules = JSON.parse(read("layers.json")) as Rules;
const { imports: aliases } = JSON.parse(read("package.json")) as {
  imports: Record<string, string>;
};
const readAll = (folders: readonly string[]): Map<string, string> =>
  new Map(
    folders.flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
        .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
        .filter((path) => path.endsWith(".ts") && !/\.d\.ts$|\/(test|node_modules)\//.test(path))
        .map((path): [string, string] => [path, read(path)]),
    ),
  );
const sources = readAll(["src", "packages", "sandbox"]);
/** Each starts services, or measures and judges them. */
const SERVICE_TESTS = [
  ...["test/browser", "test/incidents", "test/integration", "test/support"],
  ...["trials", "bench"],
];

test("the code keeps the rules", () => {
  const violations = findViolations(sources, { rules, aliases });
  assert.deepEqual(violations, []);
});

test("the scan sees the code", () => {
  assert.ok(sources.size >= 150, `only ${sources.size} files`);
  for (const name of Object.keys(rules.layers)) {
    const { paths } = rules.layers[name] ?? { paths: [] };
    const matches = [...sources.keys()].filter((path) => paths.some((one) => path.startsWith(one)));
    assert.ok(matches.length > 0, `no file of the layer ${name}`);
  }
});

test("the rules name files that exist", () => {
  const names = [
    ...Object.keys(rules.catch),
    ...Object.keys(rules.size.exempt),
    ...rules.environment,
    ...Object.keys(rules.entries),
  ];
  assert.deepEqual(
    names.filter((path) => !sources.has(path)),
    [],
  );
});

test("every permission to import is used", () => {
  assert.deepEqual(findUnused(sources, { rules, aliases }), []);
  const layers = { ...rules.layers, core: { ...rules.layers["core"]!, imports: ["http"] } };
  assert.ok(findUnused(sources, { rules: { ...rules, layers }, aliases }).includes("core: http"));
});

test("tests of the service reach packages by their doors", () => {
  const tests = readAll(SERVICE_TESTS);
  assert.ok(tests.size >= 400, `only ${tests.size} files`);
  assert.deepEqual(findInnerImports(tests, { rules, aliases }), []);
  const planted = (source: string): string[] =>
    findInnerImports(new Map([["trials/x.ts", source]]), { rules, aliases });
  assert.deepEqual(planted('import { readStations } from "#stations/gbfs/gbfs-stations.ts";'), [
    "trials/x.ts:1: #stations/gbfs/gbfs-stations.ts is no door of its package",
  ]);
  assert.equal(planted('import "../packages/transit/live/live-table.ts";').length, 1);
  assert.deepEqual(planted('import "#transit/index.ts"; import "#kit/geo.ts";'), []);
});

/** Ways in which a module may remember something from call to call. */
const STATEFUL: readonly [what: string, source: string][] = [
  ["a variable", "let last = 0; export const f = (x) => (last = x);"],
  ["a var", "var last = 0;"],
  ["an exported variable", "export let last = 0;"],
  ["one of several", "let { a } = { a: 1 };"],
  ["a cache", "const known = new Map(); export const f = (x) => known.set(x, 1);"],
  ["a set", "const seen = new Set<string>(); export function f(x) { seen.add(x); }"],
  ["a weak one", "const of = new WeakMap(); export class A { b(c) { of.delete(c); } }"],
  ["a list", "const all = []; export const f = (x) => { all.push(x); };"],
  ["a list's length", "const all: number[] = []; export const f = () => { all.length = 0; };"],
  ["scratch", "const found = new Float64Array(9); export const f = (i, x) => { found[i] = x; };"],
  [
    "scratch that is filled",
    "const found = new Float64Array(9); export const f = () => found.fill(0);",
  ],
  ["a counter", "const count = { of: 0 }; export const f = () => ++count.of;"],
  [
    "a member of a member",
    "const a = { b: { c: [1] } }; export const f = () => { a.b.c[0] += 1; };",
  ],
  ["a member that is removed", "const a: Box = { b: 1 }; export const f = () => { delete a.b; };"],
  ["what is behind a type", "const a = {}; export const f = () => { (a as Box)!.b = 1; };"],
  ["what is assigned to", "const a = {}; export const f = (b) => Object.assign(a, b);"],
  ["an instance", "const sink = createSink();"],
  ["an instance of a class", "const pool = new Pool();"],
  ["a pattern that remembers where it is", "const P = /a/g; export const f = (x) => P.exec(x);"],
  ["a static member", "export class A { static count = 0; }"],
];

/** Ways in which the layer that only wires may decide. */
const WIRING: readonly [what: string, source: string][] = [
  ["a timer", "setTimeout(start, wait);"],
  ["a timer that repeats", "setInterval(look, wait);"],
  ["a timer of a module", 'import { setTimeout as pause } from "node:timers/promises";'],
  ["a task of the clock", "clock.schedule(at_ms, look);"],
  ["a switch", "switch (mode) { default: }"],
  ["a constant of policy", "const RETRY_MS = given;"],
  ["one that comes from elsewhere", "wait(policy.RETRY_MS);"],
  ["a number", "const bounds = { max_heap_mb: 384 };"],
];

test("every file that may catch does", () => {
  const idle = Object.keys(rules.catch).filter(
    (path) => readFacts(path, sources.get(path) ?? "").catches.length === 0,
  );
  assert.deepEqual(idle, []);
});

/** Ways of saying that a reply is any object. */
const REPLIES: readonly [what: string, source: string][] = [
  ["a function", "function f(): object { return {}; }"],
  ["an arrow", "const f = (): object => ({});"],
  ["a method", "class A { f(): object { return {}; } }"],
  ["a promise", "async function f(): Promise<object> { return {}; }"],
  ["a list", "const f = (): readonly object[] => [];"],
  ["perhaps nothing", "const f = (): object | null => null;"],
  ["a member of what is returned", "const f = (): { brief: object } => ({ brief: {} });"],
  ["a function that is given", "type F = (x: string) => object;"],
  ["a body", "type Reply = { kind: string; body: object };"],
  ["an answer, left out at times", "type Reply = { answer?: object };"],
];

/** A file planted into an otherwise sound tree, and what must be said about it. */
const PLANTED: readonly [what: string, path: string, source: string, violation: RegExp][] = [
  ["an import across layers", "src/core/x.ts", 'import "#http/y.ts";', /core may not import http/],
  [
    "a package of the service",
    "packages/kit/x.ts",
    'import "#core/z.ts";',
    /kit may not import core/,
  ],
  [
    "the service in a package",
    "packages/stations/x.ts",
    'import "#http/y.ts";',
    /stations may not import http/,
  ],
  ["a relative one", "src/core/x.ts", 'import "../http/y.ts";', /core may not import http/],
  ["a re-export", "src/core/x.ts", 'export * from "#http/y.ts";', /core may not import http/],
  ["a dynamic import", "src/core/x.ts", 'await import("#http/y.ts");', /core may not import http/],
  [
    "a type of a forbidden layer",
    "src/core/x.ts",
    'type T = import("#http/y.ts").Y;',
    /core may not import http/,
  ],
  [
    "a value where types are allowed",
    "src/ports.ts",
    'import { z } from "#core/z.ts"; z;',
    /ports may import only types of core/,
  ],
  [
    "a computed import",
    "src/app/x.ts",
    "await import(`#http/${1}.ts`);",
    /may not use the package \(not a literal\)/,
  ],
  ["a file that is not there", "src/app/x.ts", 'import "#core/none.ts";', /is not a source file/],
  ["a package", "src/core/x.ts", 'import "undici";', /core may not use the package undici/],
  ["a built-in", "src/core/x.ts", 'import "node:fs/promises";', /package node:fs\/promises/],
  [
    "a built-in by its old name",
    "src/http/x.ts",
    'import "fs";',
    /http may not use the package fs/,
  ],
  [
    "src in the simulator",
    "sandbox/x.ts",
    'import "../src/core/z.ts";',
    /sandbox may not import core/,
  ],
  [
    "main, which no module may import",
    "src/cli/x.ts",
    'import "#main.ts";',
    /cli may not import main/,
  ],
  ["fetch in a pure layer", "src/core/x.ts", 'fetch("/");', /may not use fetch/],
  ["fetch as a value", "src/core/x.ts", "export const f = { g: fetch };", /may not use fetch/],
  ["a timer", "src/world/x.ts", "setTimeout(() => 1, 1);", /may not use setTimeout/],
  ["process", "src/providers/x.ts", "process.exit();", /may not use process/],
  ["the clock", "src/core/x.ts", "export const t = Date.now();", /may not use Date\.now/],
  [
    "the clock by another way",
    "src/core/x.ts",
    "export const t = new Date();",
    /may not use new Date\(\)/,
  ],
  ["chance", "src/core/x.ts", "export const r = Math.random;", /may not use Math\.random/],
  ["a way around", "src/core/x.ts", "globalThis.fetch;", /may not use globalThis/],
  ...STATEFUL.map(([what, source]): [string, string, string, RegExp] => [
    `state of a pure module: ${what}`,
    "src/core/x.ts",
    source,
    /x\.ts:1: core is pure and may not keep state in the module/,
  ]),
  ...WIRING.map(([what, source]): [string, string, string, RegExp] => [
    `a decision of main: ${what}`,
    "src/main/x.ts",
    source,
    /x\.ts:1: main only wires and may not have /,
  ]),
  [
    "the environment",
    "src/http/x.ts",
    "process.env;",
    /only src\/config\/env\.ts reads process\.env/,
  ],
  ["a catch", "src/app/x.ts", "try { } catch { }", /not a file that may catch/],
  ["a promise's catch", "src/app/x.ts", "p.catch(() => 1);", /not a file that may catch/],
  ["a promise let go behind an arrow", "src/app/x.ts", "f(() => void p());", /goes to detach/],
  ["a then with two ways out", "src/app/x.ts", "p.then(f, g);", /not a file that may catch/],
  ...REPLIES.map(([what, source]): [string, string, string, RegExp] => [
    `a reply that may be anything: ${what}`,
    "src/app/x.ts",
    source,
    /x\.ts:1: any object is no type of a reply/,
  ]),
  ["a long file", "src/app/x.ts", "\n".repeat(401), /x\.ts: 401 lines, at most 400/],
  [
    "a long function",
    "src/app/x.ts",
    `const f = () => {${"\n".repeat(100)}};`,
    /f has 101 lines, at most 100/,
  ],
  ["a file without a layer", "src/other/x.ts", "", /belongs to no layer/],
  ["a file that nothing leads to", "src/app/lost.ts", "", /nothing that starts leads here/],
];
for (const [what, path, source, violation] of PLANTED) {
  test(`caught: ${what}`, () => {
    const violations = findViolations(plant(path, source), { rules, aliases });
    assert.equal(violations.length, 1, violations.join("\n"));
    assert.match(violations[0] ?? "", violation);
  });
}

const SOUND: readonly [what: string, path: string, source: string][] = [
  [
    "any object that is taken, and what is known of it",
    "src/app/x.ts",
    "const f = (x: object): x is { a: 1 } => g((y: object): string => 1); type F = () => (x: object) => 1;",
  ],
  [
    "names that only look like globals",
    "src/core/x.ts",
    "a.fetch; ({ process: 1 }); type fetch = 1;",
  ],
  ["a given time", "src/core/x.ts", "export const t = new Date(0).getTime();"],
  [
    "text and comments",
    "src/core/x.ts",
    '// import "#http/y.ts"; fetch()\nexport const s = "fetch(1)";',
  ],
  [
    "types where types are allowed",
    "src/ports.ts",
    'import type { Z } from "#core/z.ts"; export { type Z };',
  ],
  [
    "places in lists, and seconds in milliseconds, where parts are wired",
    "src/main/x.ts",
    "export const f = (x) => ({ first: x[0], after_ms: x[1] * 1000 });",
  ],
  ["a package below its scope", "src/core/x.ts", 'import "@noble/hashes/sha2.js";'],
  [
    "a worker reached by its address",
    "src/main.ts",
    'new URL("./main/workers/ingest.ts", import.meta.url);',
  ],
];
/** What a pure module may have in addition to its functions. */
const STATELESS: readonly [what: string, source: string][] = [
  ["a table", "const T = new Map([[1, 2]]); export const f = (x) => T.get(x);"],
  ["a table that the module fills", "const T = new Uint8Array(2); for (const i of [1]) T[i] = 1;"],
  ["a sorted copy", "const T = [2, 1]; export const f = () => T.toSorted();"],
  ["a name that a function has for itself", "const a = []; export const f = (a) => a.push(1);"],
  ["a local of that name", "const a = []; export const f = () => { const a = []; a.push(1); };"],
  ["an encoder", "const encoder = new TextEncoder(); export const f = (x) => encoder.encode(x);"],
  ["state in an instance", "export class A { #n = 0; f() { this.#n++; } }"],
  ["state in a closure", "export const f = () => { let n = 0; return () => n++; };"],
  ["a pattern", "const P = /a/; export const f = (x) => P.exec(x);"],
  ["a pattern that replaces all", 'const P = /a/g; export const f = (x) => x.replace(P, "");'],
];

for (const [what, path, source] of [
  ...SOUND,
  ...STATELESS.map(([name, text]): [string, string, string] => [name, "src/core/x.ts", text]),
  [
    "state of another layer",
    "src/app/x.ts",
    "let last = 0; export const f = () => last++;",
  ] as const,
]) {
  test(`allowed: ${what}`, () => {
    const tree = plant(path, source);
    if (what.includes("worker")) tree.set("src/main/workers/ingest.ts", "");
    assert.deepEqual(findViolations(tree, { rules, aliases }), []);
  });
}

/** A small sound tree with one more file, reached from main unless it is the lost one. */
function plant(path: string, source: string): Map<string, string> {
  const tree = new Map([
    ["src/http/y.ts", ""],
    ["src/core/z.ts", ""],
    ["src/main.ts", 'import "#http/y.ts"; import "#core/z.ts"; '],
  ]);
  const reached =
    /^(src|packages)\//.test(path) && !path.includes("lost") && path !== "src/main.ts";
  if (reached) tree.set("src/main.ts", `${tree.get("src/main.ts")}import "../${path}";`);
  tree.set(path, path === "src/main.ts" ? `${tree.get(path)}${source}` : source);
  return tree;
}

test("the explorer talks HTTP: its modules import one another, and nothing of src", () => {
  const folder = new URL("explorer/", root);
  const modules = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".js"));
  assert.ok(modules.length >= 25, `${modules.length} modules`);
  for (const name of modules) {
    const text = readFileSync(new URL(name, folder), "utf8");
    const lines = text.split("\n").length;
    assert.ok(lines <= rules.size.file_lines, `${name}: ${lines} lines`);
    for (const [, specifier = ""] of text.matchAll(/^(?:import .*|\} )from "([^"]+)"/gm)) {
      const target = new URL(specifier, new URL(name, folder));
      assert.ok(specifier.startsWith("."), `${name}: ${specifier}`);
      assert.ok(target.href.startsWith(folder.href), `${name}: ${specifier}`);
    }
    // What makes markup or code of text; the policies would stop it, and it is not even tried.
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
  }
});
