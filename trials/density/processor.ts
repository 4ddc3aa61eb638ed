/** What the operating system says of a process: processor time of its threads, memory at its peak. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Processor time since the start by thread, ms; `main`: the serving thread. */
export type Processor = { main: string; threads: ReadonlyMap<string, number> };

/** Null: it has ended. */
export function readProcessor(pid: number): Processor | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread): [string, number] => [
      thread,
      timeOf(`/proc/${pid}/task/${thread}/schedstat`),
    ]);
    return { main: String(pid), threads: new Map(threads) };
  } catch {
    return null;
  }
}

/** What was used between two readings. A thread that ended meanwhile counts no longer. */
export function usedBetween(
  before: Processor,
  after: Processor,
): { main_ms: number; all_ms: number } {
  const used = ([thread, ms]: [string, number]): number => ms - (before.threads.get(thread) ?? 0);
  const main_ms = used([after.main, after.threads.get(after.main) ?? 0]);
  return { main_ms, all_ms: [...after.threads].reduce((sum, each) => sum + used(each), 0) };
}

function timeOf(path: string): number {
  return Number(readFileSync(path, "utf8").split(" ")[0]) / 1e6;
}

/** Resident megabytes of now, and begins a new peak. */
export function beginPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return readMemory(pid, "VmRSS");
}

export function readPeak(pid: number): number {
  return readMemory(pid, "VmHWM");
}

function readMemory(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1024;
}

/** What the computation below took where the bounds were set, ms of processor time. */
const REFERENCE_MS = 25;
const ROUNDS = 5;

/**
 * How much slower this machine is now than the one where the bounds were set, at least 1: the same
 * computation (sort, hash map, text) in processor time, the least of some rounds.
 */
export function measureFactor(): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const begun = process.threadCpuUsage();
    compute();
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...rounds) / REFERENCE_MS);
}

function compute(): number {
  let state = 1;
  const rows = Array.from({ length: 20_000 }, (_, i) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return { id: `row:${state}`, at: state % 4_000, i };
  });
  rows.sort((a, b) => a.at - b.at || a.i - b.i);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return JSON.stringify([...byId.values()]).length;
}
