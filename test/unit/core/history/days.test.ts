/** Days of 30 days: sums that are exact, ages by class, and what a restart keeps of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { spreadAges, spreadClasses } from "#core/history/ages.ts";
import { packHistory, unpackHistory } from "#core/history/history-pack.ts";
import { HistoryRings, MAX_SOURCES } from "#core/history/history-rings.ts";
import { AGE_BOUNDS_S, createColumns, DAYS, QUARTERS } from "#core/history/ring-shape.ts";

const DAY_MS = 86_400_000;
/** Near the end of a day of UTC. */
const START_MS = Date.UTC(2026, 9, 24, 23, 50);

const sumOf = (rings: HistoryRings, now_ms: number): number =>
  (rings.read("a", now_ms) ?? []).reduce((sum, slot) => sum + (slot?.attempts ?? 0), 0);

test("30 days are kept and no more, whatever is packed and unpacked in between", () => {
  let rings = new HistoryRings(DAYS);
  for (let day = 0; day < 45; day++) {
    const now_ms = START_MS + day * DAY_MS;
    for (let n = 0; n <= day; n++) rings.count("a", n === 0 ? "timeout" : "ok", now_ms);
    rings.observe("a", { state: "ok", age_s: 60 * (day + 1) }, now_ms);
    const unpacked = unpackHistory(packHistory(rings.export(now_ms), DAYS), DAYS);
    rings = new HistoryRings(DAYS);
    rings.import(unpacked!, now_ms);
    const slots = rings.read("a", now_ms)!;
    const known = slots.filter((slot) => slot !== null);
    assert.deepEqual([slots.length, known.length], [30, Math.min(30, day + 1)]);
    assert.deepEqual(known.at(-1), {
      ...{ attempts: day + 1, failures: 1, state: "timeout", age_s: 60 * (day + 1) },
    });
    const seen = rings.readSpread("a", now_ms)!;
    assert.equal(
      seen.reduce((sum, each) => sum + each, 0),
      known.length,
    );
  }
  const last_ms = START_MS + 44 * DAY_MS;
  assert.equal(sumOf(rings, last_ms), (45 * 46) / 2 - (15 * 16) / 2);
  assert.equal(sumOf(rings, last_ms + 29 * DAY_MS), 45);
  assert.equal(sumOf(rings, last_ms + 30 * DAY_MS), 0);
});

test("the median and the 99th percentile are the bounds of their classes, at most the greatest age", () => {
  const rings = new HistoryRings(DAYS);
  for (let n = 0; n < 200; n++)
    rings.observe("a", { state: "ok", age_s: n < 197 ? 40 : 4_000 }, START_MS);
  rings.observe("a", { state: "ok", age_s: 5e6, counts: false }, START_MS);
  const slots = rings.read("a", START_MS)!;
  assert.deepEqual(spreadClasses(rings.readSpread("a", START_MS)!, slots), {
    ...{ p50_s: 60, p99_s: 7_200, max_s: 5e6 },
  });
  assert.equal(spreadClasses([], slots), null);
  assert.equal(spreadAges([null]), null);
  const ages = [7, 3, 900].map(
    (age_s) => ({ attempts: 0, failures: 0, state: "ok", age_s }) as const,
  );
  assert.deepEqual(spreadAges(ages), { p50_s: 7, p99_s: 900, max_s: 900 });
  assert.ok(AGE_BOUNDS_S.every((bound_s, i) => i === 0 || bound_s > AGE_BOUNDS_S[i - 1]!));
});

test("a class of a day counts to 255 and stays there", () => {
  const rings = new HistoryRings(DAYS);
  for (let n = 0; n < 400; n++) rings.observe("a", { state: "ok", age_s: 1 }, START_MS);
  assert.equal(rings.readSpread("a", START_MS)![0], 255);
});

test("the rings of as many sources as there may be take less than 50 MB", () => {
  const bytes = [QUARTERS, DAYS].flatMap((shape) =>
    Object.values(createColumns(1, shape)).map((column) => column.byteLength),
  );
  const each = bytes.reduce((sum, one) => sum + one, 0);
  assert.equal(each, 2_418);
  assert.ok(each * MAX_SOURCES < 50e6);
});

test("a pack of another shape is left", () => {
  const rings = new HistoryRings(DAYS);
  rings.count("a", "ok", START_MS);
  const bodies = packHistory(rings.export(START_MS), DAYS);
  assert.ok(unpackHistory(bodies, DAYS));
  assert.equal(unpackHistory(bodies), null);
  assert.equal(unpackHistory(bodies.slice(0, -1), DAYS), null);
});
