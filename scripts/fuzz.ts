/**
 * `npm run fuzz -- [--requests 200000] [--seed N]`: generated requests against the running program,
 * every reply held to the published description and to an oracle written from docs/design.
 */
import { parseArgs } from "node:util";
import { Presets, SingleBar } from "cli-progress";
import { describeFailure, printReport } from "./fuzz/report.ts";
import { runFuzz } from "./fuzz/run.ts";
import { startFuzzedService } from "./fuzz/service.ts";

const { values } = parseArgs({
  options: { requests: { type: "string", default: "200000" }, seed: { type: "string" } },
});
const requests = Number(values.requests);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(seed)) {
  console.error("usage: npm run fuzz -- [--requests N] [--seed N]");
  process.exit(2);
}

const service = await startFuzzedService();
console.log(`seed ${seed}, ${requests} requests`);
const progress = showProgress(requests);
const started = performance.now();
const { tally, failure } = await runFuzz({
  port: service.port,
  sandbox_url: service.sandbox_url,
  seed,
  requests,
  onProgress: progress.at,
});
progress.stop();
const ended = service.ended();
printReport(tally, (performance.now() - started) / 1000);
await service.close();
if (ended !== null) console.error(`✖ the service ended by itself: ${ended}\n${service.output()}`);
if (failure !== null) console.error(`✖ ${describeFailure(failure, seed)}\n${service.output()}`);
if (ended !== null || failure !== null) process.exitCode = 1;
else console.log(`✔ every reply was as it must be (seed ${seed})`);

type Progress = { at(done: number): void; stop(): void };

/** A bar on a terminal, now and then a line elsewhere. */
function showProgress(total: number): Progress {
  if (process.stdout.isTTY) {
    const bar = new SingleBar({ format: " {bar} {value}/{total}" }, Presets.shades_classic);
    bar.start(total, 0);
    return { at: (done) => bar.update(done), stop: () => bar.stop() };
  }
  let told = 0;
  const at = (done: number): void => {
    if (done - told < total / 10) return;
    told = done;
    console.log(`${done} of ${total}`);
  };
  return { at, stop: () => undefined };
}
