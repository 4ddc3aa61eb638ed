/**
 * A fleet on trial, in short (`npm run chaos` is the long form): three replicas over PostgreSQL and
 * Valkey or Redis behind the shipped balancer, struck a few times, and every history judged. Bounds of
 * time are wider than those of the long form, since other tests run beside it; no other bound is.
 */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { hasBalancer } from "../../scripts/chaos/fleet/balancer.ts";
import { listFindings } from "../../scripts/chaos/report.ts";
import { runChaos } from "../../scripts/chaos/run.ts";
import { NO_POSTGRES, NO_VALKEY } from "../support/engines.ts";

const missing = [NO_POSTGRES, NO_VALKEY, !hasBalancer() && "haproxy is missing"].find(Boolean);
const skip = missing === undefined ? false : `A FLEET IS NOT TRIED: ${missing}`;

test("a fleet that is killed and frozen keeps every promise", { skip }, async (t) => {
  const seed = randomInt(2 ** 31 - 1);
  const report = await runChaos({
    ...{ seconds: 9, replicas: 3, seed, engines: true },
    tempo: { rest_ms: [200, 800], quiet_ms: 3_000, longest_ms: 1_500 },
    bounds: { tolerance: 0.1, wanted_ms: 2_000, added_ms: 500 },
    onFault: ({ kind, replica }) => t.diagnostic(`${kind} ${replica ?? ""}`),
  });
  for (const { rule, scanned, figures } of report.verdicts)
    t.diagnostic(`${rule}: ${scanned} judged, ${JSON.stringify(figures)}`);
  assert.deepEqual(listFindings(report.verdicts), [], `seed ${seed}\n${report.outputs.join("\n")}`);
  assert.ok(report.blows >= 2, `${report.blows} blows`);
  // Otherwise it would show nothing.
  assert.equal(report.verdicts.length, 7);
});
