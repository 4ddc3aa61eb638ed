/**
 * Programs that answer the same questions, each in processes of its own, in alternating rounds of one run.
 * A contender is any program that speaks lines: first `{"ready": true, "pids": [...]}`, with the
 * processes that work for it, then for each line "round" one `{"answers": [...]}`, an answer a question.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { median, print, spread } from "../children.ts";
import { cpuOf, memoryOf, withChildren } from "./processes.ts";

export type Contender = {
  name: string;
  command: string;
  args: readonly string[];
};

export type Subject = {
  /** What is asked, as the first line of the table. */
  title: string;
  /** The first is the one that the others are compared with. */
  contenders: readonly Contender[];
  /** Whether answer `i` is right. */
  isRight(answer: unknown, i: number): boolean;
};

type Running = Contender & {
  child: ChildProcess;
  lines: AsyncIterator<string>;
  pids: readonly number[];
  load_s: number;
};

type Figures = { cpu_us: number[]; right: number; memory_mb: number };

/** Prints the table of a subject; what cannot start is named, and left out. */
export async function compareContenders(
  { title, contenders, isRight }: Subject,
  rounds: number,
): Promise<void> {
  const running: Running[] = [];
  try {
    for (const each of contenders) {
      const started = await startContender(each);
      if (started === null) print(`${each.name}: LEFT OUT, it does not start here`);
      else running.push(started);
    }
    const figures = new Map<string, Figures>(
      running.map(({ name }) => [name, { cpu_us: [], right: 0, memory_mb: 0 }]),
    );
    // One to warm up; every round begins with another, so that none always follows the same one.
    for (let round = -1; round < rounds; round++)
      for (let i = 0; i < running.length; i++) {
        const each = running[(i + round + running.length) % running.length]!;
        const taken = await playRound(each);
        const own = figures.get(each.name)!;
        own.right = taken.answers.filter(isRight).length / taken.answers.length;
        own.memory_mb = Math.max(own.memory_mb, memoryOf(listPids(each)));
        if (round >= 0) own.cpu_us.push((taken.cpu_s / taken.answers.length) * 1e6);
      }
    printFigures(title, running, figures);
  } finally {
    for (const { child } of running) child.kill();
  }
}

async function startContender(contender: Contender): Promise<Running | null> {
  const begun = performance.now();
  const child = spawn(contender.command, [...contender.args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  const lines = linesOf(createInterface({ input: child.stdout }));
  const { value } = await lines.next();
  if (value === undefined) return null;
  const { pids = [] } = JSON.parse(value) as { pids?: number[] };
  return { ...contender, child, lines, pids, load_s: (performance.now() - begun) / 1000 };
}

function linesOf(reader: Interface): AsyncIterator<string> {
  return reader[Symbol.asyncIterator]();
}

function listPids({ child, pids }: Running): number[] {
  return [child.pid!, ...pids.flatMap(withChildren)];
}

async function playRound(contender: Running): Promise<{ answers: unknown[]; cpu_s: number }> {
  const pids = listPids(contender);
  const before = cpuOf(pids);
  contender.child.stdin!.write("round\n");
  const { value } = await contender.lines.next();
  if (value === undefined) throw new Error(`${contender.name} ended`);
  const { answers } = JSON.parse(value) as { answers: unknown[] };
  return { answers, cpu_s: cpuOf(pids) - before };
}

function printFigures(
  title: string,
  running: readonly Running[],
  figures: ReadonlyMap<string, Figures>,
): void {
  const [first] = running;
  if (first === undefined) return;
  const ours = figures.get(first.name)!;
  print(`\n${title}`);
  print("| program | processor time a question | times ours | right | memory | ready after |");
  print("|---|---:|---:|---:|---:|---:|");
  for (const { name, load_s } of running) {
    const { cpu_us, right, memory_mb } = figures.get(name)!;
    const times = cpu_us.map((each, round) => each / ours.cpu_us[round]!);
    print(
      `| ${name} | ${show(median(cpu_us))} | ${spread(times, 1)} | ${right.toFixed(3)} | ${memory_mb.toFixed(0)} MB | ${load_s.toFixed(1)} s |`,
    );
  }
}

function show(us: number): string {
  return us < 10_000 ? `${us.toFixed(0)} µs` : `${(us / 1000).toFixed(1)} ms`;
}
