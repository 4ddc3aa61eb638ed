/**
 * npm run mcp:conformance: the protocol's conformance suite against a sandbox service. Every
 * applicable scenario must pass; one that is not judged yet fails the run.
 */
import { withJudge } from "./mcp/judges.ts";
import { APPLICABLE, NOT_APPLICABLE } from "./mcp/scenarios.ts";

const RESULT = /^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm;

await withJudge("conformance", async ({ spec, run }, { url }) => {
  const ran = await run(["server", "--url", `${url}/mcp`, "--suite", "all"]);
  const results = [...ran.out.matchAll(RESULT)].map(([, name = "", passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
  }));
  const known = new Set<string>(APPLICABLE);
  process.stdout.write(`${spec} against ${url}/mcp\n\n`);
  for (const { name, passed, failed } of results) {
    const why = known.has(name) ? "" : (NOT_APPLICABLE[name] ?? "NEW: is it applicable?");
    const mark = known.has(name) ? (isGreen({ passed, failed }) ? "pass" : "FAIL") : "-";
    process.stdout.write(`${mark.padEnd(5)}${name.padEnd(32)}${why || `${passed} checks`}\n`);
  }
  const green = results.filter((each) => known.has(each.name) && isGreen(each));
  const unjudged = results.filter(({ name }) => !known.has(name) && !NOT_APPLICABLE[name]);
  const summary = `${green.length} of ${known.size} applicable scenarios pass, ${results.length} in the suite`;
  process.stdout.write(`\n${summary}\n`);
  if (green.length !== known.size || unjudged.length > 0) process.exitCode = 1;
  if (results.length === 0) process.stderr.write(`${ran.out}${ran.err}`);
});

function isGreen({ passed, failed }: { passed: number; failed: number }): boolean {
  return passed > 0 && failed === 0;
}
