/**
 * A fleet of real processes over its own PostgreSQL and Valkey (or Redis), killed, frozen and cut off
 * every few seconds while it serves requests; then its histories are judged (docs/lab/chaos.md).
 */
import { TEMPO } from "./chaos/nemesis.ts";
import { conclude } from "./chaos/report.ts";
import { BOUNDS, runChaos } from "./chaos/run.ts";
import { endOnSignal, readOptions, SEED } from "./chaos/trials/options.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { seconds, replicas, seed, flags, json } = readOptions(
    args,
    "npm run trials -- chaos [options] [--alone: one replica and its embedded store, no engines]",
    {
      seconds: { default: 300, min: 10, max: 3_600, help: "of load" },
      replicas: { default: 4, min: 1, max: 16, help: "processes behind the balancer" },
      seed: SEED,
    },
    ["alone"],
  );
  endOnSignal();
  const alone = flags.has("alone");
  console.log(`seed ${seed}, ${seconds} s, ${alone ? 1 : replicas} replicas`);
  const report = await runChaos({
    seconds,
    seed,
    replicas: alone ? 1 : replicas,
    engines: !alone,
    tempo: TEMPO,
    bounds: BOUNDS,
    onFault: ({ kind, replica, from_ms, to_ms }) =>
      console.log(
        `  ${kind}${replica === null ? "" : ` ${replica}`}, ${((to_ms - from_ms) / 1000).toFixed(1)} s`,
      ),
  });
  const findings = conclude(report, json);
  for (const text of report.outputs.filter((each) => each !== ""))
    console.error(text.slice(-3_000));
  return findings;
}
