/** Small rules of the core: clamping (§7), times and JSON (decisions, Conventions), coverage (§3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { clampNearby } from "#core/clamp.ts";
import { type CoverageInput, judgeCoverage } from "#core/coverage.ts";
import { compareBytes } from "#core/geojson.ts";
import { parseJson, parseJsonBytes } from "#core/json.ts";
import { toRfc3339 } from "#core/time.ts";
import { createTrail, droppedCount, mergeTrails } from "#core/trail.ts";
import { forAll } from "../../support/domain.ts";

// Proves §7 rule 3
test("§7 rule 3: a value above its maximum is reduced and named, radius first; the rest is silent", () => {
  const max = { radius: 400, limit: 100 };
  const codes = (radius: number, limit: number) =>
    clampNearby({ radius, limit }, max).warnings.map(({ code }) => code);
  assert.deepEqual(codes(400, 100), []);
  assert.deepEqual(codes(400.5, 100), ["radius_capped"]);
  assert.deepEqual(codes(1, 101), ["limit_capped"]);
  assert.deepEqual(codes(1e9, 1e9), ["radius_capped", "limit_capped"]);
});

test("§7 rule 3: never more than asked for nor than allowed, and the warning states both", () => {
  const size = fc.record({
    radius: fc.double({ min: 1, max: 1e6, noNaN: true }),
    limit: fc.integer({ min: 1, max: 100_000 }),
  });
  forAll(
    fc.property(size, size, (asked, max) => {
      const { warnings, ...applied } = clampNearby(asked, max);
      assert.equal(applied.radius, Math.min(asked.radius, max.radius));
      assert.equal(applied.limit, Math.min(asked.limit, max.limit));
      for (const { code, requested, applied: given, message } of warnings) {
        const key = code === "radius_capped" ? "radius" : "limit";
        assert.deepEqual([requested, given], [asked[key], max[key]]);
        assert.ok(requested > given && message.includes(String(given)));
      }
    }),
  );
});

test("every time is RFC 3339 in UTC with Z; fractions are cut, whatever was asked before", () => {
  const seconds = fc.integer({ min: 0, max: 4_102_444_800 });
  forAll(
    fc.property(seconds, fc.double({ min: 0, max: 0.999, noNaN: true }), (second, part) => {
      const text = toRfc3339(second + part);
      assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.equal(Date.parse(text), second * 1000);
    }),
  );
  assert.equal(toRfc3339(1_795_221_466), "2026-11-21T00:37:46Z");
});

test("text that is not JSON is undefined, a byte order mark is skipped, null stays null", () => {
  assert.equal(parseJson("{"), undefined);
  assert.equal(parseJson(""), undefined);
  assert.equal(parseJson("null"), null);
  assert.deepEqual(parseJson('\ufeff{"a":1}'), { a: 1 });
  assert.deepEqual(parseJsonBytes(new Uint8Array([0x22, 0xe9, 0x22])), "\ufffd");
});

test("the byte order of texts is that of their UTF-8", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 4 });
  forAll(
    fc.property(text, text, (a, b) => {
      const bytes = Buffer.from(a).compare(Buffer.from(b));
      assert.equal(Math.sign(compareBytes(a, b)), bytes);
    }),
  );
  assert.ok(compareBytes("\uffee", "🚲") < 0, "UTF-16 order would say otherwise");
});

test("the trail counts every drop, keeps five examples, and sums", () => {
  const trail = createTrail();
  for (let i = 0; i < 20; i++) trail.drop("b", `id${i}`);
  trail.drop("a", "x");
  trail.repair("c", "y");
  const sum = mergeTrails([trail.toTrail(), trail.toTrail()]);
  assert.equal(droppedCount(sum), 42);
  assert.deepEqual(
    sum.dropped.map(({ reason, count, examples }) => [reason, count, examples.length]),
    [
      ["a", 2, 2],
      ["b", 40, 5],
    ],
  );
  assert.deepEqual(sum.repaired, [{ reason: "c", count: 2, examples: ["y", "y"] }]);
});

const ok = { source_id: "a", status: "ok", reason: null } as const;
const failed = { source_id: "b", status: "timeout", reason: "deadline" } as const;
const plain: CoverageInput = { asked: [ok], unserved: [], unsurveyed: 0, found: 1, radius_m: 400 };

// Proves §3 status
test("R14: the status by what was asked and found", () => {
  const table: [string, Partial<CoverageInput>, string][] = [
    ["found", {}, "success"],
    ["asked and nothing found", { found: 0 }, "empty"],
    ["no source to ask", { asked: [], found: 0 }, "empty"],
    ["one of two failed", { asked: [ok, failed] }, "partial"],
    ["all failed, nothing found", { asked: [failed], found: 0 }, "partial"],
    ["a system not surveyed", { unsurveyed: 1 }, "partial"],
    ["not surveyed and nothing found", { unsurveyed: 2, asked: [], found: 0 }, "partial"],
    ["a family that no source serves", { unserved: ["places"] }, "partial"],
  ];
  for (const [name, change, status] of table) {
    const coverage = judgeCoverage({ ...plain, ...change });
    assert.equal(coverage.status, status, name);
    assert.equal(coverage.message === null, status === "success", name);
    if (coverage.message !== null) assert.match(coverage.message, /^[A-Z].*\.$/, name);
  }
});

// Proves §1 message
test("R14: the message names what is missing", () => {
  const say = (change: Partial<CoverageInput>) => judgeCoverage({ ...plain, ...change }).message;
  assert.match(say({ asked: [ok, failed] })!, /1 of 2 sources/);
  assert.match(say({ asked: [failed] })!, /1 of 1 source /);
  assert.match(say({ unserved: ["places", "lines"] })!, /places or lines/);
  assert.match(say({ unsurveyed: 1 })!, /1 system of the area has/);
  assert.match(say({ found: 0 })!, /within 400 metres/);
  assert.match(say({ found: 0, asked: [] })!, /No source covers/);
});
