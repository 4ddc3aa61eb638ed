/**
 * `npm run trials -- throws`: plants exceptions in each reader of the registry, each operation, each
 * thread and each step of the start, and then asks on: each is the outcome that was decided, with its
 * stack in the log once; no process ends and no place is lost.
 */
import { readArguments } from "./arguments.ts";
import { runGroup } from "./throws/child.ts";
import type { Findings } from "./throws/findings.ts";
import { plantInHandlers } from "./throws/handlers.ts";
import { plantInReaders } from "./throws/readers.ts";

export async function run(args: readonly string[]): Promise<number> {
  const usual = { times: 6, further: 1_000, steps: 1_000 };
  const { times, further, steps } = readArguments(args, usual);
  let planted = 0;
  let wrong = 0;
  const groups: [name: string, plant: () => Promise<Findings>][] = [
    ["readers", () => plantInReaders(times, further)],
    ["operations", () => plantInHandlers(times, further)],
    ["threads", () => runGroup("threads", [times, Math.ceil(further / 10)])],
    ["steps of the start", () => runGroup("steps", [steps, further])],
  ];
  for (const [name, plant] of groups) {
    const match = await plant();
    planted += match.planted;
    wrong += match.wrong.length;
    console.log(
      `${name}: ${match.planted} planted, ${match.further} further questions, ${match.wrong.length} wrong`,
    );
    for (const line of match.wrong) console.log(`  ${line}`);
  }
  console.log(`\n${planted} planted throws`);
  return wrong;
}
