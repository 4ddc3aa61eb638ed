/**
 * Whether clients that hold many connections keep others from their answers. Starts the program,
 * measures what honest callers get without an attack, and again under each attack.
 *
 *   --seconds N     of each measurement, 15 unless stated
 *   --rate N        honest requests a second, 300 unless stated
 *   --only A,B      these attacks alone
 *   --program DIR   the root of another checkout, to judge that one
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { launch, ROOT, waitReady, type Ready } from "../test/integration/service/processes.ts";
import { ATTACKS, type Attack } from "./connections/attacks.ts";
import { type Measured, startCallers } from "./connections/callers.ts";
import { toTable } from "./connections/report.ts";
import { type Cell, judge } from "./connections/verdict.ts";
import { createWatch, findAsset } from "./connections/watch.ts";
import { startAttacker } from "./connections/attacker-process.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "15" },
      rate: { type: "string", default: "300" },
      only: { type: "string" },
      program: { type: "string", default: ROOT },
    },
  });
  const only = values.only?.split(",");
  const attacks = ATTACKS.filter(({ name }) => only?.includes(name) ?? true);
  const settings = { seconds: Number(values.seconds), rate: Number(values.rate) };
  const cells = await withProgram(resolve(values.program), (ready) =>
    tryAll(ready, attacks, settings),
  );
  console.log(toTable(cells, settings));
  return cells.flatMap(({ findings }) => findings).length;
}

/** A real process, with its limits in force and on free ports. */
async function withProgram<T>(root: string, task: (ready: Ready) => Promise<T>): Promise<T> {
  const data_dir = await mkdtemp(join(tmpdir(), "vicinity-trial-"));
  const running = launch({
    cities: "all",
    data_dir,
    command: join(root, "bin/vicinity"),
    args: ["serve", "--sandbox"],
    variables: { VICINITY_ENFORCE_LIMITS: "1", ADMIN_PORT: "0", LOG_LEVEL: "error" },
  });
  try {
    return await task(await waitReady(running, data_dir));
  } finally {
    running.child.kill("SIGKILL");
    await running.ended;
    await rm(data_dir, { recursive: true, force: true });
  }
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
