/**
 * A fleet on trial, in short (`npm run trials -- chaos` is the long form): three replicas over PostgreSQL and
 * Valkey or Redis behind the shipped balancer, struck a few times, and every history judged. Bounds of
 * time are wider than those of the long form, since the machine may be busy. How often feeds are asked
 * for is left to the long form and to simulated time (test/unit/feeds): where a machine is so busy that
 * the shared store takes more than its 50 ms, replicas rightly ask by themselves.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hasBalancer } from "../../trials/chaos/fleet/balancer.ts";
import { listFindings } from "../../trials/chaos/report.ts";
import { runChaos } from "../../trials/chaos/run.ts";
import { NO_POSTGRES, NO_VALKEY } from "../support/engines.ts";

const missing = [NO_POSTGRES, NO_VALKEY, !hasBalancer() && "haproxy is missing"].find(Boolean);
const skip = missing === undefined ? false : `A FLEET IS NOT TRIED: ${missing}`;

/** The same blows every time, so that a red test is red again; the long form draws others. */
const SEED = 7;

test("a fleet that is killed and frozen keeps every promise", { skip }, async (t) => {
  const report = await runChaos({
    ...{ seconds: 9, replicas: 3, seed: SEED, engines: true },
    tempo: { rest_ms: [200, 800], quiet_ms: 4_500, longest_ms: 1_300 },
    bounds: { tolerance: 0.1, wanted_ms: 2_000, added_ms: 500 },
    onFault: ({ kind, replica }) => t.diagnostic(`${kind} ${replica ?? ""}`),
  });
  for (const { rule, scanned, figures } of report.verdicts)
    t.diagnostic(`${rule}: ${scanned} judged, ${JSON.stringify(figures)}`);
  const judged = report.verdicts.filter(({ rule }) => rule !== "feeds");
  assert.equal(judged.length, 7, "all others");
  assert.deepEqual(listFindings(judged), [], report.outputs.join("\n"));
  assert.ok(report.blows >= 2, `${report.blows} blows`);
  // Otherwise it would show nothing.
  assert.equal(report.verdicts.length, 8);
});
