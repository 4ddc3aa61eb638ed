/** What was found wrong in sources: counted by reason, bounded, cleaned, and forgotten in time. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { CONTRADICTIONS } from "#api/availability.ts";
import { adviseOnReason } from "#core/quality/advice.ts";
import { Findings, MAX_FINDINGS, MAX_NOTED } from "#core/quality/findings.ts";
import { REASONS } from "#stations/gbfs/gbfs-reasons.ts";

const NOON_MS = Date.UTC(2026, 10, 14, 12);
const DAY_MS = 86_400_000;
const entry = (reason: string, count = 1, examples = ["a"]) => ({ reason, count, examples });

test("a finding has the count of the last reading, how many had it, and whether the last one did", () => {
  const findings = new Findings();
  const part = "station_information";
  findings.note("s", { part, dropped: [entry("id_missing", 3)] }, NOON_MS);
  findings.note(
    "s",
    { part, dropped: [entry("id_missing", 5, ["b", "c", "d", "e"])] },
    NOON_MS + 1,
  );
  findings.note("s", { part: "station_status", repaired: [entry("count_negative")] }, NOON_MS + 2);
  findings.note("s", { part, dropped: [] }, NOON_MS + 3);
  const { last_ms, findings: found } = findings.read("s", NOON_MS + 4)!;
  assert.equal(last_ms, NOON_MS + 3);
  assert.deepEqual(
    found.map(({ reason, count, readings, current }) => [reason, count, readings, current]),
    [
      ["id_missing", 5, 2, false],
      ["count_negative", 1, 1, true],
    ],
  );
  assert.deepEqual(found[0]!.examples, ["b", "c", "d"]);
  assert.deepEqual([found[0]!.first_ms, found[0]!.last_ms], [NOON_MS, NOON_MS + 1]);
  assert.equal(findings.read("other", NOON_MS), null);
});

test("texts of a publisher are cut and without what is invisible", () => {
  const findings = new Findings();
  const hostile = ["\u001b[31mred\u0000\u202e", "x".repeat(1e6), "\u{e0041}"];
  findings.note("s", { part: null, dropped: [entry("id_missing", 3, hostile)] }, NOON_MS);
  const { examples } = findings.read("s", NOON_MS)!.findings[0]!;
  assert.deepEqual(examples, ["[31mred", "x".repeat(80), ""]);
});

test("a finding lives for 30 days, over a restart too; a clock that was ahead leaves none of the future", () => {
  const findings = new Findings();
  findings.note("s", { part: null, dropped: [entry("id_missing")] }, NOON_MS);
  findings.note("s", { part: null, dropped: [] }, NOON_MS + 20 * DAY_MS);
  const again = new Findings();
  again.import(findings.export(NOON_MS + 21 * DAY_MS), NOON_MS + 21 * DAY_MS);
  assert.equal(again.read("s", NOON_MS + 29 * DAY_MS)!.findings.length, 1);
  assert.deepEqual(again.read("s", NOON_MS + 31 * DAY_MS)!.findings, []);
  assert.equal(again.read("s", NOON_MS + 51 * DAY_MS), null);
  const early = new Findings();
  early.import(findings.export(NOON_MS + 21 * DAY_MS), NOON_MS - DAY_MS);
  const { last_ms, findings: found } = early.read("s", NOON_MS - DAY_MS)!;
  assert.deepEqual([last_ms, found[0]!.last_ms], [NOON_MS - DAY_MS, NOON_MS - DAY_MS]);
});

test("sources, findings of all and findings of one are bounded; those read longest ago give way", () => {
  const findings = new Findings();
  for (let i = 0; i <= MAX_NOTED; i++)
    findings.note(`s${i}`, { part: null, dropped: [] }, NOON_MS + i);
  assert.equal(findings.read("s0", NOON_MS), null);
  assert.ok(findings.read("s1", NOON_MS));
  const many = Array.from({ length: 60 }, (_, i) => entry(`reason_${i}`));
  findings.note("s1", { part: null, dropped: many }, NOON_MS);
  assert.equal(findings.read("s1", NOON_MS)!.findings.length, 40);
  for (let i = 0; i < MAX_FINDINGS / 40 + 1; i++)
    findings.note(`t${i}`, { part: null, dropped: many }, NOON_MS);
  assert.equal(findings.read("s1", NOON_MS), null);
  const all = findings.export(NOON_MS).reduce((sum, [, { findings: own }]) => sum + own.length, 0);
  assert.ok(all <= MAX_FINDINGS && all > MAX_FINDINGS - 80, `${all} findings`);
});

test("each reason that a reader gives has advice of its own or of its family", () => {
  const sources = globSync(["src/{providers,core,upstream}/**/*.ts", "packages/stations/**/*.ts"], {
    cwd: new URL("../../../../", import.meta.url),
    exclude: ["**/test/**"],
  });
  assert.ok(sources.length > 100);
  const given = sources.flatMap((path) => {
    const text = readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
    return [...text.matchAll(/\.(?:drop|repair|add)\(\s*"(\w+)"/g)].map(([, reason]) => reason!);
  });
  const unnamed = adviseOnReason("a_reason_of_no_family").advice;
  const reasons = new Set([...given, ...Object.keys(REASONS), ...CONTRADICTIONS]);
  assert.ok(reasons.size > 60, `${reasons.size} reasons`);
  const missing = [...reasons].filter((reason) => adviseOnReason(reason).advice === unnamed);
  assert.deepEqual(missing, []);
  assert.ok(adviseOnReason("constructor").meaning.length > 0);
});
