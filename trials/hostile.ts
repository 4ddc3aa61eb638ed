/**
 * `npm run trials -- hostile`: the program serves a hundred healthy systems at an even pace while
 * strangers' feeds turn hostile one after the other: the feeds of the security review, generated
 * ones, and timetable archives of millions of stops. What is judged is what everybody else notices:
 * healthy answers, the event loop, memory, and how soon a healed feed is shown again.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "./arguments.ts";
import { CASES } from "./hostile/cases.ts";
import { type Bounds, judge, ms, type Observed, runCase } from "./hostile/judge.ts";
import { caseOf } from "./hostile/host.ts";
import { type Load, type Reply, startLoad } from "./hostile/load.ts";
import type { Delay } from "./hostile/probe.ts";
import { sleep } from "./hostile/program.ts";
import { nearbyUrl, openStage, type Stage, waitHealthy } from "./hostile/stage.ts";

type Options = {
  root: string;
  names: string[];
  archives: number[];
  rate: number;
  seconds: number;
  memory_mb: number;
  json: string | undefined;
  seed: number;
};
type Verdict = { seen: Observed; problems: string[] };

/** Beyond the slowest healthy answer without any hostile feed. */
const LONGER_MS = 250;
const DELAY_MS = 50;
const LARGE_BYTES = 8 * 1024 * 1024;
const HEALTHY = 100;
const BASELINE_MS = 5_000;
/** A timetable is fetched and read in this time at the most. */
const ARCHIVE_S = 60;
/** The review's were of 1, 4 and 8 million stops. */
const ARCHIVES = "1000000,8000000";

export async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const folder = await mkdtemp(join(tmpdir(), "vicinity-hostile-"));
  console.log(`seed ${options.seed}, program of ${options.root}\n`);
  console.log(row(HEADS));
  console.log(row(HEADS.map(() => "---")));
  const verdicts: Verdict[] = [];
  try {
    if (options.names.length > 0) verdicts.push(...(await runFeeds(options, folder)));
    for (const stops of options.archives)
      verdicts.push(await runArchive(options, join(folder, String(stops)), stops));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const findings = verdicts.flatMap(({ seen, problems }) =>
    problems.map((problem) => `${seen.name} (${seen.what}): ${problem}`),
  );
  const late_ms = Math.max(0, ...verdicts.map(({ seen }) => seen.delay?.run_p999_ms ?? 0));
  console.log(`\n${verdicts.length} cases, ${findings.length} findings`);
  console.log(`event loop late by ${ms(late_ms)} at most (p99.9 of each program's run)`);
  for (const finding of findings) console.log(`✖ ${finding}`);
  if (options.json !== undefined) {
    const { seed, root } = options;
    await writeFile(options.json, `${JSON.stringify({ seed, root, verdicts }, null, 2)}\n`);
  }
  return findings.length;
}

async function runFeeds(options: Options, folder: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let left = [...options.names];
  // A program that ended, or holds a large feed, is started again for the cases that are left.
  for (let start = 0; left.length > 0; start++) {
    const done = await runOn(options, join(folder, `feeds-${start}`), left);
    verdicts.push(...done);
    left = left.slice(done.length);
  }
  return verdicts;
}

async function runOn(
  options: Options,
  folder: string,
  names: readonly string[],
): Promise<Verdict[]> {
  const stage = await openStage({
    root: options.root,
    folder,
    healthy: HEALTHY,
    hostile: names.length,
    before: names.flatMap((case_name, i) =>
      caseOf(case_name).from_start
        ? [{ order: "publish" as const, system: `hostile-${i}`, case_name }]
        : [],
    ),
  });
  const verdicts: Verdict[] = [];
  try {
    const { load, bounds, at_start } = await begin(stage, options);
    for (const [i, name] of names.entries()) {
      const system = `hostile-${i}`;
      const seen = await runCase(stage, load, { name, system, at_start, seconds: options.seconds });
      verdicts.push(print({ seen, problems: judge(seen, bounds) }));
      // A feed just within its bounds is held by right: what it takes must not count against others.
      const holds = seen.outcome?.status === "ok" && seen.bytes > LARGE_BYTES;
      if (holds || seen.ended !== null || seen.delay === null) break;
    }
    await load.stop();
  } finally {
    await stage.close();
  }
  return verdicts;
}

/** The program with an archive in its configuration: it must live, answer, and stay small. */
async function runArchive(options: Options, folder: string, stops: number): Promise<Verdict> {
  const stage = await openStage({
    root: options.root,
    folder,
    healthy: HEALTHY,
    hostile: 0,
    archives: [stops],
  });
  try {
    const { load, bounds } = await begin(stage, options);
    const until = performance.now() + Math.min(ARCHIVE_S, options.seconds * 4) * 1000;
    while (performance.now() < until && stage.program.ended() === null) await sleep(100);
    const ended = stage.program.ended();
    const seen: Observed = {
      name: `archive of ${stops} stops`,
      what: "a GTFS archive, read at the start",
      bytes: 0,
      outcome: { status: "any", reason: null },
      slowest_near_ms: 0,
      healthy: load.take(),
      delay: ended === null ? await stage.program.readDelay() : null,
      control: await stage.controlDelay(),
      memory_mb: stage.program.peakMemory_mb(),
      recovered_ms: null,
      ended,
    };
    await load.stop();
    return print({ seen, problems: judge(seen, bounds) });
  } finally {
    await stage.close();
  }
}

/** Everything healthy is warm, and how it answers by itself is known. */
async function begin(
  stage: Stage,
  options: Options,
): Promise<{ load: Load; bounds: Bounds; at_start: Delay | null }> {
  await stage.program.readDelay();
  await waitHealthy(stage, 60_000);
  const urls = stage.healthy.map((system) => nearbyUrl(stage.program.url, system, "stations"));
  const isRight = ({ status, text }: Reply): boolean =>
    status === 200 && text.startsWith('{"status":"success"') && text.includes("station 0");
  const load = startLoad(urls, { rate: options.rate, isRight });
  await sleep(BASELINE_MS);
  const baseline = load.take();
  const bounds = {
    wait_ms: baseline.p999_ms + LONGER_MS,
    delay_ms: DELAY_MS,
    memory_mb: options.memory_mb,
  };
  console.log(
    `${baseline.count} answers before: p50 ${ms(baseline.p50_ms)}, p99.9 ${ms(baseline.p999_ms)}`,
  );
  return { load, bounds, at_start: await stage.program.readDelay() };
}

const HEADS = [
  ...["case", "MB", "reported as", "healthy answers", "worst", "loop late", "control", "near"],
  ...["resident", "healed", "verdict"],
];

function print(verdict: Verdict): Verdict {
  const { seen, problems } = verdict;
  const { outcome, healthy, delay, control, recovered_ms } = seen;
  const reported = outcome === null ? "–" : [outcome.status, outcome.reason ?? ""].join(" ").trim();
  const cells = [
    ...[seen.name, (seen.bytes / 2 ** 20).toFixed(1), reported, String(healthy.count)],
    ...[ms(healthy.max_ms), delay ? ms(delay.max_ms) : "–", control ? ms(control.max_ms) : "–"],
    ...[ms(seen.slowest_near_ms), `${Math.round(seen.memory_mb)} MB`],
    ...[recovered_ms === null ? "–" : ms(recovered_ms), problems.length === 0 ? "✔" : "✖"],
  ];
  console.log(row(cells));
  return verdict;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function readOptions(args: readonly string[]): Options {
  const values = readArguments(args, {
    generated: 20,
    seed: Math.floor(Math.random() * 2 ** 31),
    seconds: 30,
    rate: 200,
    program: fileURLToPath(new URL("..", import.meta.url)),
    memory: 1024,
    only: null,
    archives: ARCHIVES,
    json: null,
  });
  const { seed } = values;
  const generated = Array.from({ length: values.generated }, (_, i) => `generated ${seed + i}`);
  const names = [...Object.keys(CASES), ...generated];
  const only = values.only?.split(",") ?? null;
  return {
    root: `${resolve(values.program)}/`,
    names: only === null ? names : names.filter((name) => only.includes(name)),
    archives: values.archives.split(",").map(Number).filter(Boolean),
    rate: values.rate,
    seconds: values.seconds,
    seed,
    memory_mb: values.memory,
    json: values.json,
  };
}
