/** The checker of answers compares what can be compared, and finds one byte. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, checkAnswers } from "../check/answers.ts";
import { assertFound, assertKept } from "./support.ts";

function answer(
  replica: number,
  at_ms: number,
  { body = '"total":3', age_s = 7, raw = 22, observed_at = "2026-11-21T23:59:59Z" } = {},
): Answer {
  const debug = {
    sources: [{ source_id: "velo", status: "ok", raw_count: raw }],
    orchestration: { sources: [{ source_id: "velo", cache: "hit", age_s }], elapsed_ms: at_ms },
    entities: [{ observations: [{ source_id: "velo:4711", observed_at }] }],
  };
  const text = `{${body},"debug":${JSON.stringify(debug)}}`;
  return { replica, question: "q", from_ms: at_ms, to_ms: at_ms + 5, text };
}

test("two replicas say the same, each with a debug of its own", () => {
  assertKept(checkAnswers([answer(0, 0), answer(1, 100), answer(2, 200)]), 3);
});

test("found: another byte, and another order", () => {
  assertFound(
    checkAnswers([answer(0, 0), answer(1, 100, { body: '"total":4' })]),
    /0 and 1 differ/,
  );
  const [one, other] = [{ body: '"a":1,"b":2' }, { body: '"b":2,"a":1' }];
  assertFound(checkAnswers([answer(0, 0, one), answer(2, 0, other)]), /0 and 2 differ at 2/);
});

test("other snapshots, other moments, and one replica are not compared", () => {
  const other = { body: '"total":4' };
  for (const [at_ms, replica, how] of [
    [100, 1, { age_s: 8 }],
    [100, 1, { raw: 23 }],
    // A second later an hour has begun, with other ids for vehicles.
    [100, 1, { observed_at: "2026-11-22T00:00:00Z" }],
    [900, 1, {}],
    [100, 0, {}],
  ] as const)
    assert.equal(
      checkAnswers([answer(0, 0), answer(replica, at_ms, { ...other, ...how })]).scanned,
      0,
    );
});
