/**
 * Generated requests of every operation and tool that the service describes, by anonymous and keyed
 * callers, valid and faulty ones: every reply is held to the published description and to the laws of
 * docs/lab/requests.md. Then the program is killed, and the datasets that it named are read again; at
 * last some worlds are drawn, and what questions in them cost is held to bounds.
 */
import { readArguments } from "./arguments.ts";
import { startProgram } from "./program.ts";
import { readAgain } from "./requests/datasets.ts";
import { runRequests, type Tally } from "./requests/run.ts";
import { tryWorld } from "./requests/strangers.ts";

const DATASETS = 60;

export async function run(args: readonly string[]): Promise<number> {
  const { requests, seed, reads, worlds, ...values } = readArguments(args, {
    requests: 100_000,
    seed: Math.floor(Math.random() * 2 ** 31),
    reads: 2_000,
    only: null,
    worlds: 2,
  });
  const only = values.only?.split(",") ?? null;
  console.log(`seed ${seed}, ${requests} requests`);
  const program = await startProgram();
  let match = 0;
  try {
    const started = performance.now();
    const { ready, keys } = program;
    const outcome = await runRequests({
      port: Number(new URL(ready.url).port),
      sandbox_url: ready.sandbox_url!,
      seed,
      requests,
      only,
      keys: keys.map(({ key }) => key),
      onProgress: (done) => done % 20_000 === 0 && console.log(`  ${done} of ${requests}`),
    });
    report(outcome.tally, (performance.now() - started) / 1000);
    const remaining = [...outcome.context.kept.values()].slice(-DATASETS);
    const again = await readAgain(program, remaining, reads);
    console.log(
      `${again.datasets} datasets, read after SIGKILL and after SIGINT, then ${again.reads} times; ` +
        `${again.upstream} upstream requests`,
    );
    const ended = program.ended();
    const findings = [
      ...outcome.findings,
      ...again.findings,
      ...(ended === null ? [] : [`the program ended by itself: ${ended}`]),
    ];
    for (const finding of findings) console.log(`✖ ${finding}`);
    if (findings.length > 0) console.log(`seed ${seed}\n${program.output()}`);
    match = findings.length;
  } finally {
    await program.close();
  }
  return match + (await runWorlds(seed, worlds));
}

/** Each is a program of its own, one after the other: nothing else may use its processor time. */
async function runWorlds(seed: number, worlds: number): Promise<number> {
  let match = 0;
  for (let n = 0; n < worlds; n++) {
    const { what, costs, findings, unit_ns } = await tryWorld(seed + n);
    const most = Math.max(...costs.map(({ times }) => times));
    console.log(
      `world ${seed + n} (${what}): ${costs.length} questions, at most ${most.toFixed(0)} times an ` +
        `empty nearby (${(unit_ns / 1e6).toFixed(2)} ms)`,
    );
    for (const finding of findings) console.log(`✖ world ${seed + n}: ${finding}`);
    match += findings.length;
  }
  return match;
}

function report(tally: Tally, elapsed_s: number): void {
  const list = (counts: ReadonlyMap<string, number> | undefined): string =>
    [...(counts ?? [])]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, n]) => `${name} × ${n}`)
      .join(", ");
  for (const [operation, statuses] of tally.statuses) {
    const answers = list(tally.answers.get(operation));
    console.log(`${operation.padEnd(28)} ${list(statuses)}${answers && ` (${answers})`}`);
  }
  console.log(
    `refused with ${list(tally.codes)}\npairs: ${list(tally.twins)}\nmalformed: ${list(tally.malformed)}\n` +
      `${tally.requests} requests in ${elapsed_s.toFixed(1)} s; ${tally.refused.size} kinds of fault refused, ` +
      `${tally.accepted.size} oddities accepted; ${tally.items} items checked, ${tally.unknown} of their ` +
      `counts unknown`,
  );
}
