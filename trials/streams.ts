/**
 * Whether hostile subscribers of the live map keep others from their answers and their events. Starts
 * the program, measures what honest callers and subscribers get without an attack, and again under each.
 *
 *   --seconds N     of each measurement, 15 unless stated
 *   --rate N        honest questions a second, 100 unless stated
 *   --only A,B      these attacks alone
 *   --program DIR   the root of another checkout, to judge that one
 */
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { readArguments } from "./arguments.ts";
import { withLimits } from "./program.ts";
import { ROOT, type Ready } from "../test/integration/service/processes.ts";
import { startCallers } from "./connections/callers.ts";
import { createWatch } from "./connections/watch.ts";
import { STREAM_ATTACKS, type StreamAttack } from "./streams/attacks.ts";
import { startStreamAttacker } from "./streams/attacker-process.ts";
import { watchMemory } from "./streams/memory-watch.ts";
import { startSubscribers } from "./streams/subscribers.ts";
import { judgeStreams, type StreamCell, toStreamTable } from "./streams/verdict.ts";

export async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args, { seconds: 15, rate: 100, only: null, program: ROOT });
  const only = values.only?.split(",");
  const attacks = STREAM_ATTACKS.filter(({ name }) => only?.includes(name) ?? true);
  const settings = { seconds: values.seconds, rate: values.rate };
  const root = resolve(values.program);
  const cells = await withLimits({ root, cities: "paris" }, (ready) =>
    tryAll(ready, attacks, settings),
  );
  console.log(toStreamTable(cells, settings.seconds));
  return cells.flatMap(({ findings }) => findings).length;
}

type Settings = { seconds: number; rate: number };

async function tryAll(
  ready: Ready,
  attacks: readonly StreamAttack[],
  settings: Settings,
): Promise<StreamCell[]> {
  // Once, so that everything is loaded and every source is awake.
  await measure(ready, { ...settings, seconds: 3 });
  const watch = createWatch(ready.admin_url);
  const memory = watchMemory(ready.admin_url);
  const resting = await watch.settle(null);
  const before = await memory.look();
  const { seconds } = settings;
  const calm = await measure(ready, settings);
  const seen = { ...(await watch.take(resting)), memory: await memory.take(before) };
  const cells = [judgeStreams({ attack: "none", calm, seconds, ...calm, ...seen })];
  for (const { name, summary } of attacks) {
    console.log(`  ${name}: ${summary} ...`);
    const attacker = await startStreamAttacker(name, ready.url, seconds);
    const measured = await measure(ready, settings);
    const attacked = await attacker.stop();
    const after = { ...(await watch.take(resting)), memory: await memory.take(before) };
    cells.push(judgeStreams({ attack: name, calm, seconds, ...measured, attacked, ...after }));
  }
  watch.close();
  memory.close();
  return cells;
}

async function measure({ url }: Ready, { seconds, rate }: Settings) {
  const port = Number(new URL(url).port);
  const callers = startCallers({ port, rate });
  const subscribers = startSubscribers(port);
  await setTimeout(seconds * 1_000);
  const [questions, streams] = await Promise.all([callers.stop(), subscribers.stop()]);
  return { questions, streams };
}
