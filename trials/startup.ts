/**
 * `npm run trials -- startup [--runs N]`: how long `npm start` takes until the service is ready, on a fresh
 * data folder, with the compile cache of an earlier start and without one; and whether every `curl`
 * line it prints returns 200 `success` (issue 2). The figures are in docs/lab/startup.md.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { startProcess } from "../test/integration/service/processes.ts";

const execute = promisify(execFile);

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { runs: { type: "string", default: "5" } },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs: expected a number of runs");
  const shared = await mkdtemp(join(tmpdir(), "vicinity-cache-"));
  console.log(`${cpus()[0]?.model ?? "?"}, ${availableParallelism()} CPUs, ${runs} runs each\n`);
  console.log("| start | median, ms | all, ms |\n|---|---|---|");
  report("first of a clone: no compile cache", await measure(runs, () => undefined));
  await start(shared);
  report("any later one", await measure(runs, () => shared));
  await rm(shared, { recursive: true, force: true });
  return 0;
}

async function measure(runs: number, cache: () => string | undefined): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) times.push(await start(cache()));
  return times;
}

function report(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)]!;
  const all = sorted.map((ms) => Math.round(ms)).join(" ");
  console.log(`| ${name} | ${Math.round(median)} | ${all} |`);
}

/** One start and one stop; milliseconds from `npm start` to the ready file. */
async function start(cache: string | undefined): Promise<number> {
  const data_dir = await mkdtemp(join(tmpdir(), "vicinity-startup-"));
  const begun = performance.now();
  const { running, ready } = await startProcess({
    cities: "all",
    data_dir,
    command: "npm",
    args: ["start"],
    variables: { NODE_COMPILE_CACHE: cache ?? join(data_dir, "cache") },
  });
  const elapsed_ms = performance.now() - begun;
  try {
    await checkLines(running.output);
  } finally {
    process.kill(ready.pid, "SIGINT");
    await running.ended;
    await rm(data_dir, { recursive: true, force: true });
  }
  return elapsed_ms;
}

/** The ready file may be there a moment before the banner has come through npm's pipe. */
async function checkLines(output: () => { out: string }): Promise<void> {
  const until = performance.now() + 2_000;
  while (!output().out.includes("Stop:") && performance.now() < until)
    await new Promise((resolve) => void setTimeout(resolve, 10));
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
