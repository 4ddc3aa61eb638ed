/** Small rules of the core: clamping (§7), times and JSON (decisions, Conventions), coverage (§3). */
import assert from "node:assert/strict";
import { adviseOn, explainFailure, toCircuitReason } from "#core/failure-words.ts";
import { test } from "node:test";
import fc from "fast-check";
import { clampNearby } from "#kit/clamp.ts";
import { type CoverageInput, judgeCoverage } from "#core/coverage.ts";
import { compareBytes } from "#kit/bytes.ts";
import { parseJson, parseJsonBytes } from "#kit/json.ts";
import { toRfc3339 } from "#kit/time.ts";
import { createTrail, droppedCount, mergeTrails } from "#kit/trail.ts";
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
    fc.property(size, size, (request, max) => {
      const { warnings, ...applied } = clampNearby(request, max);
      assert.equal(applied.radius, Math.min(request.radius, max.radius));
      assert.equal(applied.limit, Math.min(request.limit, max.limit));
      for (const { code, requested, applied: input_applied, message } of warnings) {
        const key = code === "radius_capped" ? "radius" : "limit";
        assert.deepEqual([requested, input_applied], [request[key], max[key]]);
        assert.ok(requested > input_applied && message.includes(String(input_applied)));
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
const plain: CoverageInput = {
  requested: [ok],
  unserved: [],
  unsurveyed: 0,
  found: 1,
  radius_m: 400,
};

// Proves §3 status
test("R14: the status by what was asked and found", () => {
  const table: [string, Partial<CoverageInput>, string][] = [
    ["found", {}, "success"],
    ["asked and nothing found", { found: 0 }, "empty"],
    ["no source to ask", { requested: [], found: 0 }, "empty"],
    ["one of two failed", { requested: [ok, failed] }, "partial"],
    ["all failed, nothing found", { requested: [failed], found: 0 }, "partial"],
    ["a system not surveyed", { unsurveyed: 1 }, "partial"],
    ["not surveyed and nothing found", { unsurveyed: 2, requested: [], found: 0 }, "partial"],
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
  assert.equal(
    say({ requested: [ok, failed] }),
    "The answer may be incomplete: b is too slow; ask again in a moment.",
  );
  assert.match(
    say({ requested: [{ ...failed, name: "Vélo Seine" }] })!,
    /: Vélo Seine is too slow;/,
  );
  assert.equal(
    say({ unserved: ["places", "lines"] }),
    "The answer may be incomplete: no source of places or lines is configured; asking again changes nothing until the operator acts.",
  );
  assert.match(say({ unsurveyed: 1 })!, /1 system of the area has/);
  assert.match(say({ found: 0 })!, /within 400 metres/);
  assert.match(say({ found: 0, requested: [] })!, /No source covers/);
});

const failing = (status: "unauthorized" | "unavailable" | "error", reason: string, name: string) =>
  ({ source_id: name, name, status, reason }) as const;

test("each cause is said in a word, of its source, with the age of what is shown instead", () => {
  const causes = [
    [failing("unauthorized", "http_401", "A"), "A refused our key"],
    [failing("error", "not_json", "B"), "B is unreadable"],
    [failing("unavailable", "connection_refused", "C"), "C is unreachable"],
    [failing("unavailable", "http_429", "D"), "D is over its allowance"],
    [failing("unavailable", "not_configured", "E"), "E is not configured"],
    [failing("unavailable", "no_coverage", "F"), "F does not cover this point"],
  ] as const;
  for (const [source, words] of causes) {
    const { message, notices } = judgeCoverage({ ...plain, requested: [ok, source] });
    assert.ok(message!.startsWith(`The answer may be incomplete: ${words}; `), message!);
    const [notice] = notices;
    assert.deepEqual(
      [notice!.source, notice!.message, notice!.age_s],
      [source.name, `${words}.`, null],
    );
    assert.ok(words.endsWith(notice!.cause!));
  }
  const old = judgeCoverage({ ...plain, requested: [{ ...failed, name: "Lune", age_s: 484 }] });
  assert.equal(
    old.message,
    "The answer is complete but old: Lune is too slow, its data are 8 minutes old; ask again in a moment.",
  );
  assert.equal(old.notices[0]!.age_s, 484);
});

test("a source that is left alone for a moment has the word that it had before", () => {
  for (const [reason, word, code] of [
    ["http_500", "answers with errors", "it answered HTTP 500"],
    ["http_404", "answers with errors", "it answered HTTP 404"],
    ["upstream_error", "answers with errors", "it reports an error of its own"],
    ["deadline", "too slow", "it did not answer within its time limit"],
    ["not_json", "unreadable", "its answer is not JSON"],
    ["connection_refused", "unreachable", "the connection was refused"],
    ["http_429", "over its allowance", "it says that it was asked too often"],
  ] as const) {
    const before = explainFailure({ status: "error", reason });
    const after = explainFailure({ status: "unavailable", reason: toCircuitReason(reason) });
    assert.deepEqual([before.word, after.word], [word, word]);
    const cause = `It has failed too often and is left alone for a moment: ${code}.`;
    assert.equal(after.message, cause);
  }
});

test("what only an import mends is never to be asked again in a moment", () => {
  for (const reason of ["earlier_version", "later_version", "damaged"])
    for (const source of ["", "gtfs:"]) {
      const advice = adviseOn({ status: "unavailable", reason: `${source}${reason}` });
      assert.match(advice, /^asking again changes nothing until the operator acts/);
    }
});

test("nothing configured is said as that, and never to be tried again", () => {
  const { status, message } = judgeCoverage({
    ...plain,
    requested: [],
    found: 0,
    unconfigured: "shared mobility",
  });
  assert.equal(status, "empty");
  assert.equal(
    message,
    "No source of shared mobility is configured; asking again changes nothing until the operator acts.",
  );
});

test("many failures are counted, and no list is without an end", () => {
  const requested = Array.from({ length: 400 }, (_, i) => failing("error", "not_json", `s${i}`));
  const { message, notices } = judgeCoverage({ ...plain, requested });
  assert.match(message!, /s0 is unreadable; s1 is unreadable; s2 is unreadable; 397 more sources/);
  assert.equal(notices.length, 20);
});

test("nothing found: who does not know the point, how far was looked and may be", () => {
  const say = (change: Partial<CoverageInput>) =>
    judgeCoverage({ ...plain, found: 0, ...change }).message;
  const uncovered = { ...ok, name: "Navitia", uncovered: true };
  assert.equal(say({ radius_m: 1 }), "Nothing was found within 1 metre.");
  for (const radius_m of [1e-300, 0.5, 0.999])
    assert.equal(say({ radius_m }), "Nothing was found within less than 1 metre.");
  assert.equal(
    say({ radius_m: 300, radius_max: 5000 }),
    "Nothing was found within 300 metres; the radius may be up to 5000.",
  );
  assert.equal(say({ requested: [uncovered], named: true }), "Navitia does not cover this point.");
  for (const requested of [[], [uncovered], [uncovered, { ...uncovered, name: "shared mobility" }]])
    assert.equal(say({ requested }), "No source covers this point.");
  assert.match(say({ requested: [uncovered, ok] })!, /within 400 metres; Navitia does not cover/);
});
