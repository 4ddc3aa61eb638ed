/** What processes take: processor time and memory, with those that they started. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_S = 100;
const MB = 1024 * 1024;

/** A process and those that it started; PostgreSQL has one a connection. */
export function withChildren(pid: number): number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...rows.filter(([, parent]) => parent === pid).map(([child]) => child!)];
}

/**
 * Seconds of processor time: of all threads to the nanosecond (schedstat), and of processes that it started
 * and that have ended, to the hundredth (the 16th and 17th field of stat, proc(5)).
 */
export function cpuOf(pids: readonly number[]): number {
  const seconds = pids.map((pid) => {
    const threads = readdirSync(`/proc/${pid}/task`).map((id) =>
      Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
    );
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ended = (Number(fields[13]) + Number(fields[14])) / TICKS_PER_S;
    return threads.reduce((sum, each) => sum + each, 0) / 1e9 + ended;
  });
  return seconds.reduce((sum, each) => sum + each, 0);
}

/** Megabytes in memory; what processes share counts once in all (proportional set size). */
export function memoryOf(pids: readonly number[]): number {
  const sizes = pids.map((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  });
  return sizes.reduce((sum, each) => sum + each, 0) / MB;
}
