/**
 * `npm run trials -- isolation [--requests 1000000] [--seed N]`: parallel requests of several accounts
 * against the running program in its simulated world, with failing sources, a moving clock and
 * clients that leave; every response must belong to its own request.
 */
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startFuzzedService } from "../scripts/fuzz/service.ts";
import type { Account } from "./isolation/questions.ts";
import { runIsolation } from "./isolation/run.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: { type: "string", default: "1000000" },
      seed: { type: "string", default: "1" },
    },
  });
  const service = await startFuzzedService();
  const started = performance.now();
  try {
    const tally = await runIsolation(
      {
        url: `http://127.0.0.1:${service.port}`,
        sandbox_url: service.sandbox_url,
        accounts: await readAccounts(service),
      },
      {
        requests: Number(values.requests),
        seed: Number(values.seed),
        onProgress: (done) => done % 50_000 === 0 && console.log(`${done} requests`),
      },
    );
    for (const finding of tally.findings) console.log(`  ${finding}`);
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(
      `${tally.requests} requests in ${minutes} min, ${tally.aborted} aborted; ` +
        `by status: ${list(tally.statuses)}; by kind: ${list(tally.kinds)}`,
    );
    const ended = service.ended();
    if (ended !== null) console.log(`  the program ended by itself: ${ended}`);
    return tally.findings.length + (ended === null ? 0 : 1);
  } finally {
    await service.close();
  }
}

/** The sandbox prints a key for each plan once it answers. */
async function readAccounts(service: { output(): string }): Promise<Account[]> {
  for (let tries = 0; tries < 100; tries++) {
    const keys = [...service.output().matchAll(/^ +(\w+) +(svc_test_\w+)$/gm)];
    const keyed = keys.map(([, name, key]) => ({ name: name!, key: key! }));
    if (keyed.length > 0) return [{ name: "anonymous", key: null }, ...keyed];
    await setTimeout(100);
  }
  throw new Error(`the program printed no keys:\n${service.output()}`);
}

function list(counts: ReadonlyMap<unknown, number>): string {
  return [...counts].map(([name, count]) => `${String(name)} ${count}`).join(", ");
}
