/**
 * `npm run trials -- searches [--rounds 1000] [--seed N]`: rounds of 16 parallel searches by two
 * accounts against the running program, half by POST /v1/capabilities and half by the tools of /mcp;
 * each answer must be its own, and each dataset must have the bytes of its digest.
 */
import { readArguments } from "./arguments.ts";
import { untilSurveyed } from "../test/integration/service/processes.ts";
import { judgeProgram } from "./program.ts";
import { runSearches } from "./searches/run.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { rounds, seed } = readArguments(args, { rounds: 1000, seed: 1 });
  return judgeProgram(async (program) => {
    await untilSurveyed(program.ready);
    const started = performance.now();
    const tally = await runSearches(
      { url: program.ready.url, keys: program.keys.slice(0, 2).map(({ key }) => key) },
      {
        rounds,
        seed,
        onRound: (done) => done % 100 === 0 && console.log(`${done} rounds`),
      },
    );
    for (const finding of tally.findings) console.log(`  ${finding}`);
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    const by = [...tally.by].map(([name, count]) => `${name} ${count}`).join(", ");
    console.log(
      `${tally.rounds} rounds in ${minutes} min: ${tally.searches} searches (${by}), ` +
        `${tally.digests} digests equal, ${tally.refused} reads by the other account refused, ` +
        `${tally.failed} wrong`,
    );
    return tally.failed;
  });
}
