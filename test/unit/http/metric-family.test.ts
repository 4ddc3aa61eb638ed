/** The text of a metric, as collectors read it (Prometheus text format 0.0.4). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { byLabel, Count, Family, Histogram } from "#http/metric-family.ts";

const LABELS = { of: "deployment", state: ["used", "free"] } as const;
const gauge = () =>
  new Family("room", { type: "gauge", help: "Room.", labels: LABELS }, () => new Count());

test("a label's value is escaped, and one that is not listed counts as other", () => {
  const family = gauge();
  family.cell({ of: 'a"b\\c\nd', state: "used" }).count += 2;
  family.cell({ of: "x", state: "lost" }).count += 1;
  assert.equal(
    family.text(),
    [
      "# HELP room Room.",
      "# TYPE room gauge",
      String.raw`room{of="a\"b\\c\nd",state="used"} 2`,
      'room{of="x",state="other"} 1',
    ].join("\n"),
  );
});

test("what is watched takes the place of what was counted; equal series are added up", () => {
  const family = gauge();
  family.cell({ of: "x", state: "used" }).count = 7;
  family.cell({ of: "x", state: "free" }).count = 1;
  family.watch(() => [
    ...byLabel("state", { used: 3, lost: 1, gone: 2 }, { of: "x" }),
    { labels: { of: "y", state: "free" }, value: Infinity },
  ]);
  assert.deepEqual(family.text().split("\n").slice(2), [
    'room{of="x",state="free"} 1',
    'room{of="x",state="used"} 3',
    'room{of="x",state="other"} 3',
    'room{of="y",state="free"} +Inf',
  ]);
});

test("a number is the one series without labels", () => {
  const family = new Family("up", { type: "gauge", help: "Up.", labels: {} }, () => new Count());
  assert.equal(family.text(), "# HELP up Up.\n# TYPE up gauge");
  family.watch(() => 1);
  assert.equal(family.text(), "# HELP up Up.\n# TYPE up gauge\nup 1");
});

test("buckets count what is at most their bound, and the last one all", () => {
  const bounds = [0.1, 1];
  const row = { type: "histogram", help: "Time.", labels: { of: "deployment" }, bounds } as const;
  const family = new Family("time", row, () => new Histogram(bounds));
  for (const seconds of [0.1, 0.5, 1, 2]) family.cell({ of: "x" }).observe(seconds);
  assert.deepEqual(family.text().split("\n").slice(2), [
    'time_bucket{le="0.1",of="x"} 1',
    'time_bucket{le="1",of="x"} 3',
    'time_bucket{le="+Inf",of="x"} 4',
    'time_sum{of="x"} 3.6',
    'time_count{of="x"} 4',
  ]);
});

test("a counter whose labels are listed has all its series before it counts", () => {
  const labels = { a: ["x", "y"], b: ["z"] };
  const family = new Family("n", { type: "counter", help: "N.", labels }, () => new Count());
  assert.deepEqual(family.text().split("\n").slice(2), ['n{a="x",b="z"} 0', 'n{a="y",b="z"} 0']);
});
