/**
 * Rounds on one data folder: a service under load while programs of others read, copy and checkpoint
 * its databases; then it is killed, and the next one must have all that was acknowledged.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Ready, startProcess } from "../../test/integration/service/processes.ts";
import { ADMIN_TOKEN, Ledger, listLost, makeKey, startLoad } from "./load.ts";
import { CAN_LOOK, isLocked, listDeleted, numbersOf } from "./open-files.ts";
import { type Foreign, listPrograms, TASKS } from "./programs.ts";

export type Figures = {
  rounds: number;
  programs: readonly string[];
  /** Openings by programs of others. */
  openings: number;
  keys: number;
  units: number;
  datasets: number;
  /** Requests that were not answered 200, by status; 0: none came, since the process was killed. */
  others: Readonly<Record<number, number>>;
  /** Descriptors of a database whose file has no name any more. */
  deleted: number;
  findings: readonly string[];
};

export type Options = { data_dir: string; rounds: number; per_s: number };

const DATABASES = ["vicinity.db", "datasets.db"] as const;

export async function runRounds({ data_dir, rounds, per_s }: Options): Promise<Figures> {
  const folder = join(data_dir, "sandbox");
  const databases = DATABASES.map((name) => join(folder, name));
  const programs = listPrograms();
  const ledger = new Ledger();
  const findings: string[] = [];
  let [openings, deleted] = [0, 0];
  let started = await startService(data_dir);
  await makeKey(started.ready, ledger);
  for (let round = 1; round <= rounds; round++) {
    const { ready, running } = started;
    const find = (text: string): void => void findings.push(`round ${round}: ${text}`);
    const names = databases.flatMap((path) => [path, `${path}-wal`, `${path}-shm`]);
    const before = numbersOf(names);
    const load = startLoad(ready, ledger, per_s);
    openings += await openAll(programs, { databases, data_dir, find });
    if (numbersOf(names).join() !== before.join()) find("a file of a database was replaced");
    if (CAN_LOOK) {
      const open = listDeleted(ready.pid, folder);
      deleted += open.length;
      for (const path of open) find(`open, and without a name: ${path}`);
      for (const path of databases) if (!isLocked(ready.pid, path)) find(`no lock on ${path}`);
    }
    const { status } = await fetch(`${ready.admin_url}/readyz`);
    if (status !== 200) find(`/readyz: ${status}`);
    running.child.kill("SIGKILL");
    await running.ended;
    await load.stop();
    started = await startService(data_dir);
    for (const text of await listLost(started.ready, ledger)) find(`lost: ${text}`);
  }
  started.running.child.kill("SIGKILL");
  await started.running.ended;
  const { keys, units, datasets, others } = ledger;
  return {
    rounds,
    programs: programs.map(({ name }) => name),
    openings,
    keys: keys.length,
    units,
    datasets: datasets.length,
    others,
    deleted,
    findings,
  };
}

type Opening = { databases: readonly string[]; data_dir: string; find: (text: string) => void };

/** Each program does each of its tasks with each database, all programs at once. */
async function openAll(
  programs: readonly Foreign[],
  { databases, data_dir, find }: Opening,
): Promise<number> {
  const counts = programs.map(async ({ name, run }, i) => {
    let count = 0;
    const open = async (task: Parameters<typeof run>[0], database: string): Promise<void> => {
      const copy = join(data_dir, `copy-${i}.db`);
      const reported = await run(task, { database, copy }).catch((error: unknown) => String(error));
      await rm(copy, { force: true });
      count += 1;
      if (task === "check" ? reported !== "ok" : reported.includes("Error"))
        find(`${name}: ${task}: ${reported}`);
    };
    for (const database of databases) {
      for (const task of TASKS) await open(task, database);
      await open("check", database);
    }
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

function startService(data_dir: string): Promise<{ ready: Ready } & StartedProcess> {
  const variables = { ADMIN_TOKEN, LOG_LEVEL: "error", SANDBOX_SEED: "1" };
  return startProcess({ data_dir, cities: "paris", variables });
}
type StartedProcess = Awaited<ReturnType<typeof startProcess>>;
