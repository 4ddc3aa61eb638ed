/** The trial `density`: nothing that can be asked is without a question there, and a finding is one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_TOOLS } from "#api/agent-tools.ts";
import { listOperations } from "#api/operations.ts";
import { CELLS, plainCells } from "../cells.ts";
import { judge, listUncovered } from "../judge.ts";
import type { Measured } from "../measure.ts";

test("every operation and every tool, Photon, the tiles and the lists of /mcp have a cell", () => {
  assert.deepEqual(listUncovered(CELLS), []);
  const tools = Object.keys(AGENT_TOOLS).map((name) => `tool ${name}`);
  const owners = [...listOperations().map(({ id }) => id), ...tools, "photon", "tiles", "mcp"];
  for (const owner of owners) {
    const others = CELLS.filter(({ of }) => of !== owner);
    assert.deepEqual(listUncovered(others), [owner]);
  }
});

test("an operation whose dearest question is not known has a plain one", () => {
  const others = CELLS.filter(({ of }) => of !== "reverseGeocode");
  const [cell, ...more] = plainCells(others);
  assert.deepEqual([cell!.of, more], ["reverseGeocode", []]);
  assert.deepEqual(listUncovered([...others, cell!]), []);
  assert.deepEqual(plainCells(CELLS), []);
});

const CHEAP: Measured = {
  ...{
    status: 200,
    bytes: 1,
    main_ms: 0.1,
    all_ms: 0.1,
    longest_ms: 0.1,
    most_ms: 0.1,
    collections_ms: 0,
    rise_mb: 0,
  },
};
const [CELL] = CELLS;

function problemsOf(change: Partial<Measured>, factor = 1): number {
  const within = { baseline: CHEAP, factor, ended: null };
  return judge(CELL!, { ...CHEAP, ...change }, within).problems.length;
}

test("a long stretch, much processor time or memory, a failure and a dear question are findings", () => {
  assert.equal(problemsOf({}), 0);
  assert.equal(problemsOf({ longest_ms: 5.1 }), 1);
  assert.equal(problemsOf({ longest_ms: 5.1 }, 1.1), 0);
  assert.equal(problemsOf({ all_ms: 25.1, main_ms: 10 }), 1);
  assert.equal(problemsOf({ rise_mb: 65 }), 1);
  assert.equal(problemsOf({ status: 503 }), 1);
  // Of the serving thread 1.9 ms are one request, and 2 ms two.
  assert.equal(problemsOf({ all_ms: 6.1, main_ms: 1.9 }), 1);
  assert.equal(problemsOf({ all_ms: 6.1, main_ms: 2 }), 0);
  assert.equal(problemsOf({ all_ms: 12.1, main_ms: 2 }), 1);
  const ended = judge(CELL!, null, { baseline: CHEAP, factor: 1, ended: "SIGABRT" });
  assert.deepEqual(ended.problems, ["the process ended (SIGABRT)"]);
});
