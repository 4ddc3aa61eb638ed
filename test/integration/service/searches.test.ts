/** The short form of `npm run trials -- searches`: parallel searches by two accounts, each its own. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Program, startProgram } from "../../../trials/program.ts";
import { runSearches } from "../../../trials/searches/run.ts";
import { sized } from "../../support/size.ts";
import { untilSurveyed } from "./processes.ts";

const ROUNDS = sized(6, 20);
const PARALLEL = 16;

let program: Program;
before(async () => {
  program = await startProgram();
  await untilSurveyed(program.ready);
});
after(() => program.close());

test("parallel searches of two accounts: each answer is its own, each dataset has its digest", async (t) => {
  const keys = program.keys.slice(0, 2).map(({ key }) => key);
  const tally = await runSearches({ url: program.ready.url, keys }, { rounds: ROUNDS, seed: 7 });
  assert.deepEqual(tally.findings, []);
  const { searches, digests, refused, failed } = tally;
  assert.deepEqual([searches, digests, refused, failed], [...all(3), 0]);
  for (const [way, count] of tally.by) t.diagnostic(`${way}: ${count}`);
  assert.ok(tally.by.size > 1, "by POST /v1/capabilities and by a tool");
});

function all(times: number): number[] {
  return Array.from({ length: times }, () => ROUNDS * PARALLEL);
}
