/**
 * `npm run trials -- mutations [--requests 10000] [--seed N]`: valid capability bodies, tool calls and
 * messages of /mcp, made from what the service publishes and then mutated; the running program must
 * answer each with an outcome that is published.
 */
import { parseArgs } from "node:util";
import { startProgram } from "./program.ts";
import { runMutations } from "./mutations/run.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: { type: "string", default: "10000" },
      seed: { type: "string", default: "1" },
    },
  });
  const program = await startProgram();
  try {
    const tally = await runMutations({
      url: program.ready.url,
      keys: program.keys.map(({ key }) => key),
      seed: Number(values.seed),
      requests: Number(values.requests),
      onProgress: (done) => done % 2_000 === 0 && console.log(`  ${done}`),
    });
    for (const finding of tally.findings) console.log(`✖ ${finding}`);
    for (const [name, counts] of Object.entries({
      mutated: tally.of,
      mutations: tally.by,
      outcomes: tally.outcomes,
    }))
      console.log(`${name}: ${list(counts)}`);
    console.log(`seed ${values.seed}: ${tally.requests} requests, ${tally.failed} undocumented`);
    const ended = program.ended();
    if (ended !== null) console.log(`  the program ended by itself: ${ended}`);
    return tally.failed + (ended === null ? 0 : 1);
  } finally {
    await program.close();
  }
}

function list(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return sorted.map(([name, n]) => `${name} × ${n}`).join(", ");
}
