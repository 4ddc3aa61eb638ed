/**
 * Rolling restarts of two replicas behind the shipped balancer (docs/lab/chaos.md); with another checkout
 * the rolling upgrade from it to this one.
 */
import { resolve } from "node:path";
import { conclude } from "./chaos/report.ts";
import { endOnSignal, readOptions, SEED } from "./chaos/trials/options.ts";
import { runRolling } from "./chaos/trials/rolling.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { before, rest } = takeBefore(args);
  const { restarts, rate, seed, flags, json } = readOptions(
    rest,
    "npm run trials -- rolling [options] [--before DIR: they run that checkout first] [--embedded: no engines, each replica by itself]",
    {
      restarts: { default: 20, min: 1, max: 200, help: "of the two in turn" },
      rate: { default: 500, min: 1, max: 5_000, help: "requests a second" },
      seed: SEED,
    },
    ["embedded"],
  );
  endOnSignal();
  const verdicts = await runRolling({
    restarts,
    per_s: rate,
    seed,
    engines: !flags.has("embedded"),
    before,
    onRestart: (done) => console.log(`  ${done} of ${restarts}`),
  });
  return conclude({ seed, verdicts }, json);
}

/** The option that is no number. */
function takeBefore(args: readonly string[]): { before: string | null; rest: string[] } {
  const at = args.indexOf("--before");
  if (at < 0) return { before: null, rest: [...args] };
  const folder = args[at + 1];
  if (folder === undefined) throw new Error("--before: expected the folder of a checkout");
  return { before: resolve(folder), rest: args.toSpliced(at, 2) };
}
