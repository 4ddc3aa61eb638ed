/** Each case of the trial runbook tries a passage that the documents have, and alerts that are shipped. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Doc } from "../case.ts";
import { CASES } from "../cases.ts";
import { countOutcomes, type Outcome } from "../load.ts";
import { SHIPPED_RULES } from "../prometheus.ts";
import { toRow } from "../report.ts";
import { listRules } from "../rules.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const FILES: Readonly<Record<Doc, string>> = {
  operations: "docs/operations.md",
  accounts: "docs/accounts.md",
  fleet: "docs/fleet.md",
  compose: "compose.yaml",
};
/** Tried by promtool, since they take hours or a load that a trial does not make. */
const BY_TOOL = [
  "VicinityDiskFills",
  "VicinityFeedsOld",
  "VicinitySheds",
  "VicinitySlow",
  "VicinitySourceFails",
];

for (const { name, says } of CASES)
  test(`the documents have what the case tries: ${name}`, () => {
    assert.ok(says.length > 0);
    for (const [doc, passage] of says)
      assert.ok(read(FILES[doc]).includes(passage), `${FILES[doc]}: ${passage}`);
  });

test("every shipped alert is tried by a case or by promtool, and every alert of a case is shipped", () => {
  const shipped = listRules(readFileSync(SHIPPED_RULES, "utf8")).map(({ alert }) => alert);
  const tools = read("trials/runbook/rules.test.yaml");
  for (const alert of BY_TOOL) assert.match(tools, new RegExp(`alertname: ${alert}\\b`));
  const tried = new Set([...CASES.flatMap(({ seen }) => seen.alerts), ...BY_TOOL]);
  assert.deepEqual(
    shipped.filter((alert) => !tried.has(alert)),
    [],
  );
  assert.deepEqual(
    [...tried].filter((alert) => !shipped.includes(alert)),
    [],
  );
});

test("names of cases differ", () => {
  assert.equal(new Set(CASES.map(({ name }) => name)).size, CASES.length);
});

test("callers are counted within the time of a fault, without its victims", () => {
  const one = { kind: "keyed", node: 0, code: null } as const;
  const outcomes: Outcome[] = [
    { ...one, at_ms: 1, status: 200 },
    { ...one, at_ms: 5, status: 200 },
    { ...one, at_ms: 6, status: 503, code: "store_unavailable" },
    { ...one, at_ms: 7, status: null, kind: "anonymous" },
    { ...one, at_ms: 8, status: 500, node: 1 },
    { ...one, at_ms: 9, status: 500 },
  ];
  assert.deepEqual(
    [...countOutcomes(outcomes, { from_ms: 2, to_ms: 9, without: [1] })],
    [
      ["keyed 200", 1],
      ["keyed 503 store_unavailable", 1],
      ["anonymous no reply", 1],
    ],
  );
});

test("a row says what never came", () => {
  const row = {
    name: "a fault",
    metric_s: 1.25,
    log_s: null,
    alerts: [{ alert: "VicinityErrors", after_s: null, bound_s: 60 }],
    back_s: 12.4,
    callers: new Map([
      ["keyed 200", 4],
      ["keyed 503 overloaded", 2],
    ]),
    findings: [],
    skipped: null,
  };
  assert.equal(
    toRow(row),
    "| a fault | 1.3 s | – | VicinityErrors **never** | 2 × keyed 503 overloaded | 12 s |",
  );
});
