/** A writer, and what must hold of its store after any crash; and the run of one over many states. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DatabaseSync, openDatabase } from "#storage/embedded/database.ts";
import { createDice } from "../dice.ts";
import { type CrashKind, crashStates, type CrashState, settleBehind } from "./states.ts";
import { record, type Trace } from "./trace.ts";

export type Scenario = {
  name: string;
  /** The databases that are looked at, and their schemas. */
  stores: readonly Store[];
  /** Files of the store that are synced behind what is acknowledged. */
  synced_behind?: readonly string[];
  /** Called with the data folder, the seed and the amount of work; acknowledges by lines. */
  writer: URL;
  /** How much the writer has to do. */
  work: number;
  /** What is wrong with a store that opened; it may write. */
  check(at: At, crash: Crash): string[];
};

/** `acked`, `attempted`: as in CrashState; `folder`: where the files are. */
type Crash = Pick<CrashState, "acked" | "attempted"> & { folder: string };

/** The database of a file. */
export type At = (file: string) => DatabaseSync;
type Store = { file: string; migrations: readonly string[] };

export type Outcome = {
  name: string;
  ops: number;
  barriers: number;
  acks: number;
  states: number;
  kinds: Record<CrashKind, number>;
  findings: string[];
  elapsed_s: number;
};

/** In memory where there is such a folder: rebuilding must not wait for a disk. */
const ROOM = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
/** A planted fault is found in thousands of states; a few will do. */
const MAX_FINDINGS = 20;

/** How long an acknowledgement could have been lost with the power, until its sync began and ended. */
export type Recording = { trace: Trace; begun_ms: number; exposed_ms: number };

/** Runs the writer of the scenario under strace. */
export function recordScenario(scenario: Scenario, seed: number): Recording {
  const { synced_behind = [] } = scenario;
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-crash-"));
  const args = [String(seed), String(scenario.work)];
  const trace = record(fileURLToPath(scenario.writer), data_dir, {
    args,
    stores: [...scenario.stores.map(({ file }) => file), ...synced_behind],
  });
  rmSync(data_dir, { recursive: true });
  if (!scenario.synced_behind) return { trace, begun_ms: 0, exposed_ms: 0 };
  return settleBehind(trace, synced_behind);
}

export function replayScenario(
  scenario: Scenario,
  trace: Trace,
  options: { seed: number; share: number; subsets: number },
): Outcome {
  const begun = performance.now();
  const folder = mkdtempSync(join(ROOM, "vicinity-crash-"));
  const { ops, barriers, acks } = trace;
  const kinds = { killed: 0, durable: 0, subset: 0, torn: 0 };
  const findings: string[] = [];
  const dice = createDice(options.seed);
  for (const state of crashStates(trace, { ...options, dice })) {
    kinds[state.kind] += 1;
    const match = checkState(scenario, state, folder);
    findings.push(...match.map((text) => `${state.kind}, ${state.acked.length} acks: ${text}`));
    if (findings.length >= MAX_FINDINGS) break;
  }
  rmSync(folder, { recursive: true });
  return {
    name: scenario.name,
    kinds,
    findings,
    ops: ops.length,
    barriers: barriers.length,
    acks: acks.length,
    states: Object.values(kinds).reduce((sum, count) => sum + count, 0),
    elapsed_s: (performance.now() - begun) / 1000,
  };
}

function checkState(
  scenario: Scenario,
  { files, acked, attempted }: CrashState,
  folder: string,
): string[] {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const databases = new Map<string, DatabaseSync>();
  const checked = attempt(() => {
    for (const { file, migrations } of scenario.stores)
      databases.set(file, openDatabase(join(folder, file), migrations));
    const damage = [...databases.values()].flatMap(findDamage);
    return [
      ...damage,
      ...scenario.check((file) => databases.get(file)!, { acked, attempted, folder }),
    ];
  });
  for (const database of databases.values()) database.close();
  return "problem" in checked
    ? [`it does not open, or a query fails: ${checked.problem}`]
    : checked.value;
}

function findDamage(database: DatabaseSync): string[] {
  const { integrity_check } = database.prepare("PRAGMA integrity_check").get() ?? {};
  return integrity_check === "ok" ? [] : [`corrupt: ${String(integrity_check)}`];
}

function attempt<T>(task: () => T): { value: T } | { problem: string } {
  try {
    return { value: task() };
  } catch (error) {
    return { problem: String(error) };
  }
}
