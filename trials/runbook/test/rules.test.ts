/** Rules with shortened minutes are the shipped ones but for `for`, ranges and offsets. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SHIPPED_RULES } from "../prometheus.ts";
import { LEAST_RANGE_S, listRules, shorten, toSeconds } from "../rules.ts";
import { boundOf, SEEN_S } from "../run.ts";
import { checkTool } from "../tool.ts";

const shipped = readFileSync(SHIPPED_RULES, "utf8");
const TEXT = `groups:
  - name: vicinity
    rules:
      - alert: A
        expr: sum(rate(a_total[10m])) > 0 unless a_total offset 1h > 600
        for: 15m
      - alert: B
        expr: predict_linear(b[1h], 6 * 3600) > 5
      - alert: C
        expr: c == 0
        for: 30s
        annotations: { summary: "for: 5m, 10 of [3]" }
`;

test("for, ranges, offsets and the look ahead are divided, and nothing else", () => {
  assert.equal(
    shorten(TEXT, 60),
    TEXT.replace("[10m]", "[10000ms]")
      .replace("offset 1h", "offset 60000ms")
      .replace("[1h], 6 * 3600", "[60000ms], 6 * 60")
      .replace("for: 15m", "for: 15000ms")
      .replace("for: 30s", "for: 500ms"),
  );
});

test("a range keeps a few scrapes, and a for of its own does not", () => {
  const [rule] = listRules(shorten(TEXT, 3_600));
  assert.equal(rule!.range_s, LEAST_RANGE_S);
  assert.equal(rule!.for_s, 0.25);
});

test("the longest look back of a rule is found", () => {
  assert.deepEqual(
    listRules(TEXT).map(({ alert, for_s, range_s }) => [alert, for_s, range_s]),
    [
      ["A", 900, 3_600],
      ["B", 0, 3_600],
      ["C", 30, 0],
    ],
  );
});

test("the shipped rules keep their names, thresholds and order", () => {
  const before = listRules(shipped);
  const after = listRules(shorten(shipped, 60));
  const bare = (expr: string): string => expr.replaceAll(/(\[|offset | \* )\d+\w*/g, "$1");
  assert.ok(before.length >= 18, `${before.length} rules`);
  assert.deepEqual(
    after.map(({ alert, expr }) => [alert, bare(expr)]),
    before.map(({ alert, expr }) => [alert, bare(expr)]),
  );
  for (const [i, { for_s, range_s }] of before.entries()) {
    assert.ok(Math.abs(after[i]!.for_s - for_s / 60) < 0.002, before[i]!.alert);
    const least = range_s === 0 ? 0 : Math.max(LEAST_RANGE_S, range_s / 60);
    assert.ok(Math.abs(after[i]!.range_s - least) < 0.002, before[i]!.alert);
  }
});

test("an alert has a minute in addition to what its rule waits for and looks back", () => {
  const rule = { alert: "A", expr: "", for_s: 600, range_s: 300 };
  assert.equal(boundOf(rule, 60), SEEN_S + 10 + LEAST_RANGE_S);
  assert.equal(boundOf({ ...rule, range_s: 0 }, 1), SEEN_S + 600);
});

const NO_TOOL = spawnSync("promtool", ["--version"]).error !== undefined;

test(
  "promtool reads the shipped rules, and they pass their tests on both sides of each threshold",
  { skip: NO_TOOL && "promtool is missing" },
  () => {
    assert.deepEqual(checkTool(), []);
  },
);

test("what is no duration is refused", () => {
  assert.equal(toSeconds("90s"), 90);
  assert.throws(() => toSeconds("soon"), /no duration/);
});
