/** The trial `mutants`: which faults it plants, that they are spread evenly, and what it keeps. */
import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createLayerOf, drawPlants, type Planted } from "../draw.ts";
import { type Fate, Fates, justify, readJustified, toJudged } from "../fates.ts";
import { KINDS, listMutants, type MutantKind } from "../mutate.ts";
import { shareOf, toReport } from "../report.ts";
import { findTests } from "../tests.ts";

const THROWN = '{ throw new TypeError("planted"); }';
const CASES: readonly [source: string, kind: MutantKind, changed: readonly string[]][] = [
  ["const a = b < c;", "bound", ["const a = b <= c;"]],
  ["const a = b >= c;", "bound", ["const a = b > c;"]],
  ["const a = Math.min(b, 5);", "bound", ["const a = Math.max(b, 5);"]],
  ["const a = valueOf(b, 5);", "bound", []],
  ["const a = valueOf(b, 5);", "guard", []],
  ["const a = clamp(b, LOW, HIGH);", "bound", ["const a = clamp(b, HIGH, LOW);"]],
  ["const a = Math.min(5, b);", "guard", ["const a = (b);"]],
  ["const a = clampTo(b, low, high);", "guard", ["const a = (b);"]],
  ["for (;;) if (a) break;", "guard", ["for (;;) if (false) break;"]],
  ["function f() { if (a) return 1; }", "guard", ["function f() { if (false) return 1; }"]],
  ["if (a) { b(); throw c; }", "guard", ["if (false) { b(); throw c; }"]],
  ["if (a) b();", "guard", []],
  ["if (a) throw b; else c();", "guard", []],
  ["function f() { g(); }", "empty", ["function f() {}"]],
  ["function f() { g(); return 1; }", "empty", []],
  ["function f() { g(() => { return 1; }); }", "empty", ["function f() {}"]],
  [
    "class A { constructor() { g(); } m() { g(); } }",
    "empty",
    ["class A { constructor() { g(); } m() {} }"],
  ],
  ["function f() { return 1; }", "throw", [`function f() ${THROWN}`]],
  ["const f = () => { g(); };", "throw", [`const f = () => ${THROWN};`]],
  ["const t = { f() { g(); }, h: 1 };", "throw", [`const t = { f() ${THROWN}, h: 1 };`]],
  ["class A { #m() { g(); } }", "throw", [`class A { #m() ${THROWN} }`]],
  ["const a = b === c;", "value", ["const a = b !== c;"]],
  ["const a = true;", "value", ["const a = false;"]],
  ["type A = 1 | 2; let a: A = b;", "value", []],
];

for (const [source, kind, changed] of CASES)
  test(`${kind}: ${source}`, () => {
    const mutants = listMutants("a.ts", source).filter((each) => each.kind === kind);
    const texts = mutants.map(
      ({ start, end, text }) => source.slice(0, start) + text + source.slice(end),
    );
    assert.deepEqual(texts, changed);
  });

const plant = (layer: string, file: string, kind: MutantKind, start = 0): Planted => ({
  ...{ layer, file, line: 1, source: "a" },
  mutant: { kind, start, end: start + 1, text: "b", what: kind },
});

test("faults are spread over layers, kinds and files as evenly as there are places", () => {
  // One layer has a hundred times the places of another, and one file most of them.
  const all = ["small", "large"].flatMap((layer) =>
    KINDS.flatMap((kind) =>
      Array.from({ length: layer === "small" ? 4 : 400 }, (_, n) =>
        plant(layer, `${layer}/${n < 300 && layer === "large" ? "one" : n}.ts`, kind, n),
      ),
    ),
  );
  const drawn = drawPlants(all, { count: 40, seed: 1, kinds: KINDS });
  for (const layer of ["small", "large"]) {
    const own = drawn.filter((each) => each.layer === layer);
    assert.equal(own.length, 20);
    for (const kind of KINDS)
      assert.equal(own.filter(({ mutant }) => mutant.kind === kind).length, 4, `${layer} ${kind}`);
  }
  assert.ok(drawn.filter(({ file }) => file === "large/one.ts").length <= KINDS.length);
  assert.deepEqual(drawPlants(all, { count: 40, seed: 1, kinds: KINDS }), drawn);
  assert.notDeepEqual(drawPlants(all, { count: 40, seed: 2, kinds: KINDS }), drawn);
  const thrown = drawPlants(all, { count: 3, seed: 1, kinds: ["throw"] });
  assert.deepEqual(
    thrown.map(({ mutant }) => mutant.kind),
    ["throw", "throw", "throw"],
  );
});

test("each file of src has its layer, a package is one, and the simulator none", () => {
  const layerOf = createLayerOf(".");
  assert.equal(layerOf("packages/kit/geo.ts"), "kit");
  assert.equal(layerOf("src/core/coverage.ts"), "core");
  assert.equal(layerOf("src/main.ts"), "main");
  assert.equal(layerOf("packages/client/src/a.ts"), "packages/client");
  assert.equal(layerOf("sandbox/world/world.ts"), null);
});

test("tests of the package, then those whose paths have the same words, come first", () => {
  const testsOf = findTests(".");
  const [first] = testsOf("packages/kit/text/clean.ts").near;
  assert.equal(first, "packages/kit/test/text/clean.test.ts");
  assert.match(testsOf("src/http/shedding.ts").near.slice(0, 3).join(), /http\/shedding\.test/);
  const [store] = testsOf("src/storage/base-files.ts").near;
  assert.match(store!, /^test\/(unit\/storage|conformance)\//);
});

test("the nearest tests come first, and those that start the program reach all of it", () => {
  const testsOf = findTests(".");
  const { near, far } = testsOf("packages/kit/nearest.ts");
  assert.ok(
    near.length > 0 &&
      near.every((file) => /^(test\/(unit|conformance)|packages|trials)\//.test(file)),
  );
  assert.ok(
    far.some((file) => file.startsWith("test/integration/")),
    far.join(),
  );
  const main = testsOf("src/main.ts");
  assert.ok(main.far.length > 0);
  // The suite `long` is no part of npm test.
  assert.ok(!main.far.includes("test/integration/service/process.test.ts"));
});

test("what is judged is kept line by line, and a line that was cut off is judged again", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "fates-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "state");
  const [first, second] = [plant("core", "a.ts", "value"), plant("core", "a.ts", "bound", 5)];
  new Fates(file).keep(toJudged(first, "survived"));
  appendFileSync(file, JSON.stringify(toJudged(second, "killed")).slice(0, -5));
  const again = new Fates(file);
  assert.equal(again.find(first)?.fate, "survived");
  assert.equal(again.find(second), undefined);
  again.keep(toJudged(second, "killed"));
  assert.equal(new Fates(file).find(second)?.fate, "killed");
  // What survived is judged again if that is the wish.
  assert.equal(new Fates(file, true).find(first), undefined);
  assert.equal(new Fates(file, true).find(second)?.fate, "killed");
  // The same place of a line that has changed is another one.
  assert.equal(again.find({ ...first, source: "changed" }), undefined);
  assert.equal(new Fates(null).find(first), undefined);
});

test("a survivor that is justified does not count, and a killed one is no survivor", () => {
  const judged = (fate: Fate, start: number) =>
    toJudged(plant("core", "a.ts", "value", start), fate);
  const rows = [{ file: "a.ts", source: "a", what: "value", reason: "changes no answer" }];
  assert.equal(justify(judged("survived", 1), rows).fate, "justified");
  assert.equal(justify(judged("killed", 1), rows).fate, "killed");
  assert.equal(justify(judged("survived", 1), []).fate, "survived");
  const all = [judged("killed", 1), judged("survived", 2), judged("survived", 3)];
  assert.equal(shareOf(all), 1 / 3);
  assert.equal(shareOf([...all, { ...judged("killed", 4), fate: "justified" }]), 1 / 3);
  const report = toReport(all).join("\n");
  assert.equal(shareOf([...all, judged("checked", 5)]), 1 / 2);
  assert.match(report, /^core +3 +1 +0 +2 +0 +33\.3 %$/m);
  assert.match(report, /a\.ts:1 value: value\n/);
});

test("each justified survivor is a line that is there, with its reason", () => {
  for (const { file, source, reason, what } of readJustified()) {
    assert.ok(existsSync(file), file);
    const lines = readFileSync(file, "utf8").split("\n");
    assert.ok(
      lines.some((line) => line.trim() === source),
      `${file}: ${source}`,
    );
    assert.ok(reason.length >= 20 && what !== "", source);
  }
});
