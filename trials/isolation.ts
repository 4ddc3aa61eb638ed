/**
 * `npm run trials -- isolation [--requests 1000000] [--seed N]`: parallel requests of several accounts
 * against the running program in its simulated world, with failing sources, a moving clock and
 * clients that leave; every response must belong to its own request.
 */
import { readArguments } from "./arguments.ts";
import { runIsolation } from "./isolation/run.ts";
import { judgeProgram } from "./program.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { requests, seed } = readArguments(args, { requests: 1_000_000, seed: 1 });
  return judgeProgram(async (program) => {
    const started = performance.now();
    const tally = await runIsolation(
      {
        url: program.ready.url,
        sandbox_url: program.ready.sandbox_url!,
        accounts: [
          { name: "anonymous", key: null },
          ...program.keys.map(({ plan, key }) => ({ name: plan, key })),
        ],
      },
      {
        requests,
        seed,
        onProgress: (done) => done % 50_000 === 0 && console.log(`${done} requests`),
      },
    );
    for (const finding of tally.findings) console.log(`  ${finding}`);
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(
      `${tally.requests} requests in ${minutes} min, ${tally.aborted} aborted; ` +
        `by status: ${list(tally.statuses)}; by kind: ${list(tally.kinds)}`,
    );
    return tally.findings.length;
  });
}

function list(counts: ReadonlyMap<unknown, number>): string {
  return [...counts].map(([name, count]) => `${String(name)} ${count}`).join(", ");
}
