/** Alerts and dashboard name metrics that exist, with labels that they have; each alert is explained. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "yaml";
import { METRICS, type MetricName, type MetricRow } from "#http/metric-table.ts";
import { createMetrics } from "#http/metrics.ts";
import { readExposition } from "../../support/exposition.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

type Rule = { alert: string; expr: string; annotations: { runbook_url: string } };
type Board = { panels: { type: string; title: string; targets?: { expr: string }[] }[] };

const alerts = parse(read("deploy/prometheus/alerts.yaml")) as { groups: { rules: Rule[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);
const board = JSON.parse(read("deploy/grafana/vicinity.json")) as Board;
const operations = read("docs/operations.md");

const WORDS = new Set(
  "sum rate increase predict_linear histogram_quantile max min count group last_over_time time by unless or and offset le".split(
    " ",
  ),
);
const LABELS_OF_PROMETHEUS = ["instance", "job", "le"];

type Use = { metric: string; labels: Map<string, string>; by: string[] };

/** Metrics of an expression with what is asked of their labels; a word that is nothing known throws. */
function usesOf(expression: string): Use[] {
  const plain = expression
    .replaceAll(/\b(?:on|ignoring) \([^)]*\)(?: group_left)?/g, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .replaceAll(/\boffset \w+/g, "");
  const uses: Use[] = [];
  /** Of the aggregation that the metric is in. */
  let by: string[] = [];
  const parts =
    /\b(?:sum|max|min|count|group)\b(?: by \(([^)]*)\))?|([a-z_][a-z0-9_]*)(\{[^}]*\})?/g;
  for (const [, names, name, selector = ""] of plain.matchAll(parts)) {
    if (name === undefined) by = names?.split(",").map((each) => each.trim()) ?? [];
    if (name === undefined || WORDS.has(name)) continue;
    const labels = [...selector.matchAll(/(\w+)(?:=~|!=|!~|=)"([^"]*)"/g)];
    uses.push({
      metric: name,
      by,
      labels: new Map(labels.map(([, key, value]) => [key!, value!])),
    });
  }
  return uses;
}

const EXPRESSIONS = [
  ...rules.map(({ expr }) => expr),
  ...board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];

test("every metric of an alert or a panel is in the exposition, with its labels", async (t) => {
  const metrics = createMetrics();
  t.after(metrics.close);
  const { types } = readExposition(metrics.text());
  let scanned = 0;
  for (const expression of EXPRESSIONS) {
    const uses = usesOf(expression);
    assert.ok(uses.length > 0, expression);
    for (const { metric, labels, by } of uses) {
      scanned++;
      if (metric === "up") continue;
      const base = metric.replace(/_(bucket|sum|count)$/, "");
      assert.ok(types.has(types.get(base) === "histogram" ? base : metric), metric);
      const row: MetricRow = METRICS[(types.has(metric) ? metric : base) as MetricName];
      const entries = [...Object.keys(row.labels), ...LABELS_OF_PROMETHEUS];
      for (const label of [...labels.keys(), ...by])
        assert.ok(entries.includes(label), `${metric} has no label ${label}: ${expression}`);
      for (const [label, value] of labels) checkValue(row, label, value);
    }
  }
  t.diagnostic(`${EXPRESSIONS.length} expressions, ${scanned} metrics`);
  assert.ok(EXPRESSIONS.length >= 45 && scanned >= 55, `${EXPRESSIONS.length}, ${scanned}`);
});

/** A value that no series has would make an alert that never fires. */
function checkValue({ labels }: MetricRow, label: string, value: string): void {
  const listed = labels[label];
  if (listed === undefined || listed === "deployment") return;
  for (const each of value.split("|")) {
    const fits = listed.some((one) => new RegExp(`^(?:${each})$`).test(one));
    assert.ok(fits, `${label} is never ${each}`);
  }
}

test("the check finds a metric, a label and a value that are not there", () => {
  assert.deepEqual(
    usesOf('sum by (route) (rate(svc_made_up{status=~"5.."}[5m]))').map(({ metric }) => metric),
    ["svc_made_up"],
  );
  assert.throws(() => checkValue(METRICS.svc_shed_total, "class", "unknown"), /never unknown/);
  assert.doesNotThrow(() => checkValue(METRICS.svc_shed_total, "class", "key.*"));
});

test("every metric is in the dashboard and in the table of the document", () => {
  const listed = new Set(
    EXPRESSIONS.flatMap(usesOf).map(({ metric }) => metric.replace(/_(bucket|sum|count)$/, "")),
  );
  const names = Object.keys(METRICS);
  assert.deepEqual(
    names.filter((name) => !listed.has(name)),
    [],
  );
  assert.deepEqual(
    names.filter((name) => !operations.includes(`\`${name}\``)),
    [],
  );
});

test("every alert has a heading that says what to do, and leads to it", () => {
  const headings = [...operations.matchAll(/^#### (\w+)\n\n(\S.*)$/gm)];
  assert.ok(rules.length >= 15, `${rules.length} alerts`);
  assert.deepEqual(
    headings.map(([, name]) => name),
    rules.map(({ alert }) => alert),
  );
  for (const { alert, annotations } of rules)
    assert.equal(annotations.runbook_url, `docs/operations.md#${alert.toLowerCase()}`);
});

test("the dashboard has the rows that people look for, and no two panels alike", () => {
  const rows = board.panels.filter(({ type }) => type === "row").map(({ title }) => title);
  assert.deepEqual(rows, [
    ...["Traffic and latency", "Errors and shedding", "Sources", "Feeds", "Caches"],
    ...["Limits and usage", "Fleet", "Process"],
  ]);
  const titles = board.panels.map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
});

test("every link of the document leads somewhere", () => {
  const anchors = new Set(
    [...operations.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
  const links = [...operations.matchAll(/\]\(#([^)]+)\)/g)].map(([, link = ""]) => link);
  assert.ok(links.length >= 10, `${links.length} links`);
  assert.deepEqual(
    links.filter((link) => !anchors.has(link)),
    [],
  );
});
