/** The processes of a benchmark: started, asked, ended; and the statistics of its rounds. */
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import type { Collections } from "./collections.ts";
import type { Command } from "./server.ts";

/** Of the measured process, since the last `reset` where it is a sum. */
export type Reading = {
  rss: number;
  entities: number;
  systems: number;
  delay_ms: { p50: number; p99: number; max: number };
  /** On the thread that serves. */
  collections_ms: Collections;
  cpu_s: number;
  /** Of the thread that serves. */
  main_cpu_s: number;
  feeds: number;
  failed: number;
};

export type Ports = { port: number; free_port: number; floor_port: number };

/** `directory`: of the file; by default that of this program. */
export function start(
  file: string,
  args: string[] = [],
  directory = new URL(".", import.meta.url),
): ChildProcess {
  const child = fork(new URL(file, directory), args, {
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.once("exit", (code) => {
    if (code) process.exit(code);
  });
  return child;
}

/** The next message that the child sends. */
export async function receive<T>(child: ChildProcess): Promise<T> {
  const [message] = (await once(child, "message")) as [T];
  return message;
}

export async function ask<T>(child: ChildProcess, command: Command): Promise<T> {
  child.send(command);
  return await receive<T>(child);
}

export async function give<Job extends object, T>(child: ChildProcess, job: Job): Promise<T> {
  child.send(job);
  return await receive<T>(child);
}

/** All threads of the process on one core; false: there is no `taskset` here. */
export function pin(child: ChildProcess, core: number): boolean {
  const args = ["-a", "-p", "-c", String(core), String(child.pid)];
  return spawnSync("taskset", args, { stdio: "ignore" }).status === 0;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

/** `0.91 (0.90–0.93)`: median and quartiles. */
export function spread(values: readonly number[], digits = 2): string {
  const [low, mid, high] = [0.25, 0.5, 0.75].map((q) => quantile(values, q).toFixed(digits));
  return `${mid} (${low}–${high})`;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
