/**
 * `npm run trials -- throws`: plants exceptions in each reader of the registry, each operation, each
 * thread and each step of the start, and then asks on: each is the outcome that was decided, with its
 * stack in the log once; no process ends and no place is lost.
 */
import { parseArgs } from "node:util";
import { runGroup } from "./throws/child.ts";
import type { Findings } from "./throws/findings.ts";
import { plantInHandlers } from "./throws/handlers.ts";
import { plantInReaders } from "./throws/readers.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      times: { type: "string", default: "6" },
      further: { type: "string", default: "1000" },
      steps: { type: "string", default: "1000" },
    },
  });
  const [times, further, steps] = [values.times, values.further, values.steps].map(Number) as [
    number,
    number,
    number,
  ];
  let planted = 0;
  let wrong = 0;
  const groups: [name: string, plant: () => Promise<Findings>][] = [
    ["readers", () => plantInReaders(times, further)],
    ["operations", () => plantInHandlers(times, further)],
    ["threads", () => runGroup("threads", [times, Math.ceil(further / 10)])],
    ["steps of the start", () => runGroup("steps", [steps, further])],
  ];
  for (const [name, plant] of groups) {
    const found = await plant();
    planted += found.planted;
    wrong += found.wrong.length;
    console.log(
      `${name}: ${found.planted} planted, ${found.further} further questions, ${found.wrong.length} wrong`,
    );
    for (const line of found.wrong) console.log(`  ${line}`);
  }
  console.log(`\n${planted} planted throws`);
  return wrong;
}
