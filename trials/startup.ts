/**
 * `npm run trials -- startup [--runs N] [--before DIR]`: how long `npm start` takes until the service
 * is ready, on a fresh data folder, without the compile cache of an earlier start and with one; how
 * long Ctrl-C takes; and whether every `curl` line it prints returns 200 `success` (issue 2). With
 * `--before` another checkout takes turns with this one, and only the start of it is judged. The
 * figures are in docs/lab/startup.md.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { readArguments } from "./arguments.ts";
import { ROOT, startProcess } from "../test/integration/service/processes.ts";

const execute = promisify(execFile);

type Times = { start_ms: number; stop_ms: number };

export async function run(args: readonly string[]): Promise<number> {
  const { runs, before } = readArguments(args, { runs: 5, before: null });
  if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs: expected a number of runs");
  const programs = before ? [resolve(before), ROOT] : [ROOT];
  const caches = await Promise.all(programs.map(() => mkdtemp(join(tmpdir(), "vicinity-cache-"))));
  // Each fills its cache, and its pages of memory.
  for (const [i, program] of programs.entries()) await start(program, caches[i]);
  const first = programs.map((): Times[] => []);
  const later = programs.map((): Times[] => []);
  for (let round = 0; round < runs; round++)
    for (const [i, program] of programs.entries()) {
      first[i]!.push(await start(program));
      later[i]!.push(await start(program, caches[i]));
    }
  await Promise.all(caches.map((cache) => rm(cache, { recursive: true, force: true })));
  console.log(`${cpus()[0]?.model ?? "?"}, ${availableParallelism()} CPUs, ${runs} runs each\n`);
  console.log(
    "| start | median, ms | all, ms | Ctrl-C to the end, median, ms |\n|---|---|---|---|",
  );
  for (const [i, program] of programs.entries()) {
    const name = program === ROOT ? "" : "before: ";
    report(`${name}without a compile cache`, first[i]!);
    report(`${name}with one, as \`npm ci\` leaves it`, later[i]!);
  }
  return 0;
}

function report(name: string, times: readonly Times[]): void {
  const starts = times.map(({ start_ms }) => start_ms).toSorted(byValue);
  const stops = times.map(({ stop_ms }) => stop_ms).toSorted(byValue);
  const all = starts.map((ms) => Math.round(ms)).join(" ");
  console.log(`| ${name} | ${medianOf(starts)} | ${all} | ${medianOf(stops)} |`);
}

function byValue(a: number, b: number): number {
  return a - b;
}

function medianOf(sorted: readonly number[]): number {
  return Math.round(sorted[Math.floor((sorted.length - 1) / 2)]!);
}

/** One start, to the ready file, and one stop. */
async function start(program: string, cache?: string): Promise<Times> {
  const data_dir = await mkdtemp(join(tmpdir(), "vicinity-startup-"));
  const begun = performance.now();
  const { running, ready } = await startProcess({
    cities: "all",
    data_dir,
    cwd: program,
    command: "npm",
    args: ["start"],
    variables: { NODE_COMPILE_CACHE: cache ?? join(data_dir, "cache") },
  });
  const start_ms = performance.now() - begun;
  const times = { start_ms, stop_ms: 0 };
  try {
    if (program === ROOT) await checkLines(running.output);
  } finally {
    const request_count = performance.now();
    process.kill(ready.pid, "SIGINT");
    await running.ended;
    times.stop_ms = performance.now() - request_count;
    await rm(data_dir, { recursive: true, force: true });
  }
  return times;
}

/** The ready file may be there a moment before the banner has come through npm's pipe. */
async function checkLines(output: () => { out: string }): Promise<void> {
  const until = performance.now() + 2_000;
  while (!output().out.includes("Explorer") && performance.now() < until) await sleep(10);
  const lines = output().out.match(/^\s*curl .*$/gm) ?? [];
  if (lines.length === 0) throw new Error(`no curl line was printed:\n${output().out}`);
  for (const line of lines) await checkLine(line.trim());
}

/** By the very shell and curl that a person would paste it into. */
async function checkLine(line: string): Promise<void> {
  const { stdout } = await execute("sh", ["-c", `${line} -sS -w '\n%{http_code}'`]);
  const cut = stdout.lastIndexOf("\n");
  const code = stdout.slice(cut + 1);
  const status = statusOf(JSON.parse(stdout.slice(0, cut)) as Body);
  // At night nothing leaves.
  const isRight = status === "success" || (status === "empty" && line.includes("/departures/"));
  if (code !== "200" || !isRight) throw new Error(`${line}: ${code} ${status}`);
}

type Body = { status?: string; meta?: { status?: string } };

/** Geocoding, weather and the legacy routes have no status: they have found something or not. */
function statusOf(body: Body): string | undefined {
  return body.status ?? body.meta?.status ?? (hasItems(body) ? "success" : undefined);
}

function hasItems(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "object" && value !== null && Object.values(value).some(hasItems);
}
