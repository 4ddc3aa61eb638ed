/**
 * `npm run trials -- walking-truth [--pairs 1000] [--seed N]`: ways on foot over the base of the
 * simulated cities are as long as the simulator's own search finds them, have steps where it has built
 * some, and lead to the nearest service.
 */
import { createWorld } from "../sandbox/world/world.ts";
import { Walks } from "../sandbox/walks/walk.ts";
import { readArguments } from "./arguments.ts";
import { judgeAll, judgeNearest, listKnown, type Program } from "./walking-truth/judge.ts";
import { listPairs } from "./walking-truth/questions.ts";
import { walkerOf } from "./walking-truth/simulated-base.ts";

const MOST_M = 20_000;
const MOST_SHOWN = 5;

export async function run(args: readonly string[]): Promise<number> {
  const { pairs: count, seed } = readArguments(args, { pairs: 1_000, seed: 1 });
  const world = createWorld(seed);
  const walks = new Walks(world);
  const walker = await walkerOf(world);
  const program: Program = (from, points, profile) =>
    walker.walkTo(from, points, { most_m: MOST_M, profile });
  const pairs = listPairs(world, { seed, count });
  const ways = judgeAll(program, listKnown(walks, pairs));
  const nearest = judgeNearest(program, { world, walks, pairs });
  console.log("| outcome | answers |\n|---|---:|");
  for (const [outcome, answers] of ways.outcomes) console.log(`| ${outcome} | ${answers} |`);
  console.log(
    `\n${ways.compared} ways, ${ways.worst_m.toFixed(3)} m longest difference, ${ways.wrong.length} wrong`,
  );
  console.log(
    `nearest on foot: ${nearest.asked} asked, ${nearest.otherwise} another than by beeline, ${nearest.wrong.length} wrong`,
  );
  const findings = [...ways.wrong, ...nearest.wrong];
  for (const line of findings.slice(0, MOST_SHOWN)) console.log(`  ${line}`);
  return findings.length;
}
