/**
 * npm run reports -- mcp-conformance: the protocol's conformance suites, stable and alpha, against a sandbox
 * service, for every revision served. A failure that is not set aside with a reason fails the run,
 * and so does a reason that no failure needs any more.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installJudges } from "../trials/judges/install.ts";
import { type Check, listStale, reasonOf, RUNS, runSuite } from "./mcp/conformance.ts";
import { startSandboxService } from "./mcp/service.ts";

const problem = installJudges();
if (problem !== null) {
  process.stderr.write(`✖ ${problem}\n`);
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), "vicinity-mcp-"));
const service = await startSandboxService(folder);
const all: Check[] = [];
for (const run of RUNS) {
  const checks = await runSuite(run, service.url, folder);
  all.push(...checks);
  const failed = checks.filter(({ status }) => status === "FAILURE");
  const real = failed.filter((check) => reasonOf(check) === null);
  const passed = checks.filter(({ status }) => status === "SUCCESS").length;
  print(`${run.name}: ${run.scenarios} scenarios, ${passed} checks passed`);
  print(`  ${failed.length - real.length} set aside, ${real.length} real failures`);
  for (const [why, count] of countReasons(failed)) print(`    ${count} ${why}`);
  for (const { scenario, id, message } of real) print(`  FAIL ${scenario}: ${id}: ${message}`);
  if (real.length > 0) process.exitCode = 1;
}
for (const key of listStale(all)) {
  print(`no longer fails, and need not be set aside: ${key}`);
  process.exitCode = 1;
}
await service.close({ delay_ms: 0 });
await rm(folder, { recursive: true, force: true });

function countReasons(failed: readonly Check[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const check of failed) {
    const why = reasonOf(check);
    if (why !== null) counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  return counts;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
