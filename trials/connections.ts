/**
 * Whether clients that hold many connections keep others from their answers. Starts the program,
 * measures what honest callers get without an attack, and again under each attack.
 *
 *   --seconds N     of each measurement, 15 unless stated
 *   --rate N        honest requests a second, 300 unless stated
 *   --only A,B      these attacks alone
 *   --program DIR   the root of another checkout, to judge that one
 */
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { readArguments } from "./arguments.ts";
import { withLimits } from "./program.ts";
import { ROOT, type Ready } from "../test/integration/service/processes.ts";
import { ATTACKS, type Attack } from "./connections/attacks.ts";
import { type Measured, startCallers } from "./connections/callers.ts";
import { toTable } from "./connections/report.ts";
import { type Cell, judge } from "./connections/verdict.ts";
import { createWatch, findAsset } from "./connections/watch.ts";
import { startAttacker } from "./connections/attacker-process.ts";

export async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args, { seconds: 15, rate: 300, only: null, program: ROOT });
  const only = values.only?.split(",");
  const attacks = ATTACKS.filter(({ name }) => only?.includes(name) ?? true);
  const settings = { seconds: values.seconds, rate: values.rate };
  const cells = await withLimits({ root: resolve(values.program), cities: "all" }, (ready) =>
    tryAll(ready, attacks, settings),
  );
  console.log(toTable(cells, settings));
  return cells.flatMap(({ findings }) => findings).length;
}

type Settings = { seconds: number; rate: number };

async function tryAll(
  ready: Ready,
  attacks: readonly Attack[],
  settings: Settings,
): Promise<Cell[]> {
  const asset = await findAsset(ready.url);
  // Once, so that everything is loaded and every source is awake.
  await measure(ready, { ...settings, seconds: 3 });
  const watch = createWatch(ready.admin_url);
  const resting = await watch.settle(null);
  const calm = await measure(ready, settings);
  const cells = [judge({ attack: "none", calm, measured: calm, ...(await watch.take(resting)) })];
  for (const attack of attacks) {
    console.log(`  ${attack.name}: ${attack.summary} ...`);
    const attacker = await startAttacker(attack.name, { url: ready.url, asset, ...settings });
    const measured = await measure(ready, settings);
    const attacked = await attacker.stop();
    const seen = await watch.take(resting);
    cells.push(judge({ attack: attack.name, calm, measured, attacked, ...seen }));
  }
  watch.close();
  return cells;
}

async function measure({ url }: Ready, { seconds, rate }: Settings): Promise<Measured> {
  const callers = startCallers({ port: Number(new URL(url).port), rate });
  await setTimeout(seconds * 1_000);
  return await callers.stop();
}
