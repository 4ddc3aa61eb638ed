/**
 * `npm run trials -- sessions [--rounds 1000] [--seed N]`: rounds of 16 parallel sessions of /mcp against
 * the running program, each with points, wishes, datasets, answers and a stream of its own; whatever
 * comes must belong to its session.
 */
import { untilSurveyed } from "../test/integration/service/processes.ts";
import { readArguments } from "./arguments.ts";
import { judgeProgram } from "./program.ts";
import { runSessions } from "./sessions/run.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { rounds, seed } = readArguments(args, { rounds: 1000, seed: 1 });
  return judgeProgram(async ({ ready, keys }) => {
    await untilSurveyed(ready);
    const started = performance.now();
    const tally = await runSessions(
      { url: ready.url, sandbox_url: ready.sandbox_url!, keys: keys.map(({ key }) => key) },
      {
        rounds,
        seed,
        onRound: (done) => done % 100 === 0 && console.log(`${done} rounds`),
      },
    );
    for (const finding of tally.findings) console.log(`  ${finding}`);
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(
      `${tally.rounds} rounds of 16 sessions in ${minutes} min: ${tally.answers} answers, ` +
        `${tally.resources} resources and ${tally.notifications} notifications, ` +
        `${tally.refused} reads by others refused, ${tally.late} late, ${tally.failed} wrong`,
    );
    return tally.failed;
  });
}
