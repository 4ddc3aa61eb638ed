/** The side of a contender: a line when it is ready, and one for each round (contenders.ts). */
import { createInterface } from "node:readline";

/** `answer`: of one round, an answer a question; `pids`: other processes that work for it. */
export async function contend(
  answer: () => Promise<readonly unknown[]>,
  pids: readonly number[] = [],
): Promise<void> {
  const write = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
  write({ ready: true, pids });
  for await (const line of createInterface({ input: process.stdin }))
    if (line === "round") write({ answers: await answer() });
}
