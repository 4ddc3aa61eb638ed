/** The short form of `npm run trials -- mutations`: every outcome is a published one. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { runMutations } from "../../trials/mutations/run.ts";
import { type Program, startProgram } from "../../trials/program.ts";
import { sized } from "../support/size.ts";

const REQUESTS = sized(600, 2_000);
const KINDS = [
  ...[
    "another type",
    "out of range",
    "huge number",
    "text with controls",
    "long text",
    "long list",
  ],
  ...["hostile text", "deep nesting", "missing member", "unknown member", "wrong version"],
];

let program: Program;
before(async () => {
  program = await startProgram();
});
after(() => program.close());

test("mutated bodies and messages have published outcomes", async (t) => {
  const seed = sized(20_261_123, Math.floor(Math.random() * 2 ** 31));
  t.diagnostic(`again with: npm run trials -- mutations --requests ${REQUESTS} --seed ${seed}`);
  const keys = program.keys.map(({ key }) => key);
  const tally = await runMutations({ url: program.ready.url, keys, seed, requests: REQUESTS });
  assert.deepEqual(tally.findings, [], program.output());
  assert.equal(tally.requests, REQUESTS);
  assert.equal(program.ended(), null);
  for (const kind of KINDS) assert.ok(tally.by.has(kind), kind);
  const bodies = tally.of.get("executeCapability")!;
  assert.ok(bodies > REQUESTS / 4 && bodies < REQUESTS / 2, `${bodies} bodies`);
  // A run in which all was refused by the first check would find nothing.
  const met = [...tally.outcomes.keys()];
  for (const outcome of ["capabilities 200", "capabilities 400", "tool refused", "mcp 200 result"])
    assert.ok(
      met.some((each) => each.startsWith(outcome)),
      `${outcome}: ${met.join(", ")}`,
    );
});
