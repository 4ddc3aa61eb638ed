/**
 * `npm run trials -- mutations [--requests 10000] [--seed N]`: valid capability bodies, tool calls and
 * messages of /mcp, made from what the service publishes and then mutated; the running program must
 * answer each with an outcome that is published.
 */
import { readArguments } from "./arguments.ts";
import { judgeProgram } from "./program.ts";
import { runMutations } from "./mutations/run.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { requests, seed } = readArguments(args, { requests: 10_000, seed: 1 });
  return judgeProgram(async (program) => {
    const tally = await runMutations({
      url: program.ready.url,
      keys: program.keys.map(({ key }) => key),
      seed,
      requests,
      onProgress: (done) => done % 2_000 === 0 && console.log(`  ${done}`),
    });
    for (const finding of tally.findings) console.log(`✖ ${finding}`);
    for (const [name, counts] of Object.entries({
      mutated: tally.of,
      mutations: tally.by,
      outcomes: tally.outcomes,
    }))
      console.log(`${name}: ${list(counts)}`);
    console.log(`seed ${seed}: ${tally.requests} requests, ${tally.failed} undocumented`);
    return tally.failed;
  });
}

function list(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return sorted.map(([name, n]) => `${name} × ${n}`).join(", ");
}
