/** The protocol's own conformance suites, for every revision served: no failure without a reason. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type Check,
  listStale,
  reasonOf,
  REASONS,
  RUNS,
  runSuite,
} from "../../scripts/mcp/conformance.ts";
import { createFolder, removeFolder, start, type Started } from "../integration/service/support.ts";

describe("the conformance suites", () => {
  let started: Started;
  const all: Check[] = [];
  before(async () => {
    started = await start({ data_dir: await createFolder() });
  });
  after(async () => {
    await started.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

  for (const run of RUNS) {
    test(`${run.name}: nothing fails but what is set aside`, async () => {
      const checks = await runSuite(run, started.service.url, started.data_dir);
      const real = checks.filter((each) => each.status === "FAILURE" && reasonOf(each) === null);
      assert.deepEqual(real, []);
      const passed = checks.filter(({ status }) => status === "SUCCESS");
      assert.ok(passed.length >= 7, `${passed.length} passed`);
      all.push(...checks);
    });
  }

  test("nothing is set aside that passes", () => {
    assert.deepEqual(listStale(all), []);
  });
});

test("a failure without a reason, with another message, and a stale reason are seen", () => {
  const [first] = REASONS;
  const [scenario, ids] = Object.entries(first!.checks)[0]!;
  const check: Check = { scenario, id: ids[0]!, status: "FAILURE", message: "unknown tool; known" };
  assert.equal(reasonOf(check), first!.why);
  assert.equal(reasonOf({ ...check, message: "the answer is no JSON" }), null);
  assert.equal(reasonOf({ ...check, scenario: "tools-list" }), null);
  assert.equal(reasonOf({ ...check, id: "another" }), null);
  assert.ok(!listStale([check]).includes(`${scenario}: ${ids[0]}`));
  assert.ok(listStale([{ ...check, status: "SUCCESS" }]).includes(`${scenario}: ${ids[0]}`));
});
