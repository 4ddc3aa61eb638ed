/** The turns of a tool's searches, and until when its operation may take. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Passage } from "#app/access/request-caller.ts";
import { findOperation } from "#api/operations.ts";
import { takeTurn, toToolCall } from "#mcp/tool.ts";
import { DEFAULT_DEADLINES_MS } from "../../support/deadlines.ts";
import { NOW_MS } from "../../support/server.ts";

test("the first search waits for nothing, each further one three turns longer", async () => {
  for (const [index, turns] of [
    [0, 0],
    [1, 3],
    [4, 12],
  ] as const) {
    let waited = 0;
    await takeTurn({ pause: async () => void waited++ }, index);
    assert.equal(waited, turns);
    await takeTurn({}, index);
  }
});

test("the deadline is that of the operation, from now on; an operation without one has none", () => {
  const passage = { caller: {}, remainingUnits: () => 5, signal: undefined } as unknown as Passage;
  const times = { clock: { now: () => NOW_MS }, deadlines_ms: DEFAULT_DEADLINES_MS };
  const timed = findOperation("getNearby");
  const ask = (deadline: typeof timed.deadline | null): number =>
    toToolCall({ ...timed, deadline } as typeof timed, passage, times).deadline_ms;
  assert.equal(ask(timed.deadline), NOW_MS + DEFAULT_DEADLINES_MS[timed.deadline.name]);
  assert.equal(ask(null), Infinity);
});
