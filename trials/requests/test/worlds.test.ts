/** Drawn worlds of the trial `requests`, and its law of cost: what it catches, and what it lets pass. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toOpenApiText } from "#http/openapi.ts";
import { importGtfs } from "#transit/archive/import-archive.ts";
import { createDice } from "../../dice.ts";
import {
  type Cost,
  drawQuestions,
  findCostProblem,
  listAtPoint,
  measure,
  MOST_BYTES,
  MOST_TIMES,
  processor_ns,
} from "../cost.ts";
import { type Description, listOperations } from "../description.ts";
import { drawWorld, WORLD_AT } from "../worlds.ts";

const OPERATIONS = listAtPoint(listOperations(JSON.parse(toOpenApiText()) as Description));

test("the same seed draws the same world, and seeds draw all kinds", async () => {
  for (const seed of [3, 29]) {
    const [one, other] = [drawWorld(seed), drawWorld(seed)];
    assert.equal(one.what, other.what);
    assert.ok(one.extract().equals(other.extract()));
    assert.ok(one.timetable().equals(other.timetable()));
    assert.deepEqual(
      one.feed("http://x").free_bike_status?.length,
      other.feed("http://x").free_bike_status?.length,
    );
    const options = { feed_id: "x", region: null, now_ms: 1 };
    assert.ok((await importGtfs({ bytes: one.timetable() }, options)).ok);
  }
  const all = Array.from({ length: 200 }, (_, seed) => drawWorld(seed).what).join("\n");
  for (const kind of ["on one point", "skewed", "30000 places", "50000 vehicles", "900 alerts"])
    assert.ok(all.includes(kind), kind);
});

test("every operation that takes a point is asked at the ends of its bounds", () => {
  const ids = OPERATIONS.map(({ id }) => id);
  for (const id of ["getNearby", "getServicesNearby", "getTransportNearby", "getDeparturesNearby"])
    assert.ok(ids.includes(id), id);
  for (const operation of OPERATIONS) {
    const questions = drawQuestions(operation, WORLD_AT, { dice: createDice(1), many: 3 });
    for (const { target } of questions) assert.match(target, /\?lat=-23\.5&lon=15\.25/);
    const bounded = operation.parameters.some(({ name }) => name === "limit");
    if (!bounded) continue;
    assert.match(questions[0]!.target, /limit=1000/);
    assert.match(questions[1]!.target, /limit=1(&|$)/);
  }
});

test("a cost that grows with what lies there is found, and one that limits bound is not", () => {
  const question = { operation: "x", target: "/x", limit: 1 };
  const plain: Cost = { question, times: MOST_TIMES, bytes: MOST_BYTES.answer, status: 200 };
  assert.equal(findCostProblem(plain), null);
  assert.equal(findCostProblem({ ...plain, status: 503 }), null);
  assert.match(findCostProblem({ ...plain, times: 230 })!, /^takes 230 times an empty nearby/);
  assert.match(
    findCostProblem({ ...plain, bytes: 1_440_000 })!,
    /^1440000 bytes for at most 1 result/,
  );
  assert.match(findCostProblem({ ...plain, status: 500 })!, /^answered 500/);
  const page = { ...plain, question: { ...question, limit: 1_000 }, bytes: 1_500_000 };
  assert.equal(findCostProblem(page), null);
});

test("processor time of a busy process counts, and that of an idle one does not", async () => {
  const spin = async (): Promise<{ status: number; bytes: number }> => {
    const until = processor_ns(process.pid, "main") + 3_000_000;
    while (processor_ns(process.pid, "main") < until);
    return { status: 200, bytes: 1 };
  };
  const idle = async (): Promise<{ status: number; bytes: number }> => ({ status: 200, bytes: 1 });
  const input = { pid: process.pid, times: 5, rounds: 2 };
  const [busy, quiet] = [await measure(spin, "/", input), await measure(idle, "/", input)];
  assert.ok(busy.ns > 10 * quiet.ns, `${busy.ns} and ${quiet.ns}`);
});
