/** A writer, and what must hold of its store after any crash; and the run of one over many states. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DatabaseSync, openDatabase } from "#storage/embedded/database.ts";
import { createDice } from "../dice.ts";
import { type CrashKind, crashStates, type CrashState } from "./states.ts";
import { record, type Trace } from "./trace.ts";

export type Scenario = {
  name: string;
  /** The databases that are looked at, and their schemas. */
  stores: readonly Store[];
  /** Other files of the store. */
  files?: readonly string[];
  /** Called with the data folder, the seed and the amount of work; acknowledges by lines. */
  writer: URL;
  /** How much the writer has to do. */
  work: number;
  /** What is wrong with a store that opened, when this had been acknowledged. It may write. */
  check(at: At, acked: readonly string[], folder: string): string[];
};

/** The database of a file. */
export type At = (file: string) => DatabaseSync;
export type Store = { file: string; migrations: readonly string[] };

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

/** Runs the writer of the scenario under strace. */
export function recordScenario(scenario: Scenario, seed: number): Trace {
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-crash-"));
  const args = [String(seed), String(scenario.work)];
  const trace = record(fileURLToPath(scenario.writer), data_dir, {
    args,
    stores: [...scenario.stores.map(({ file }) => file), ...(scenario.files ?? [])],
  });
  rmSync(data_dir, { recursive: true });
  return trace;
}

export function replayScenario(
  scenario: Scenario,
  trace: Trace,
  options: { seed: number; share: number; subsets: number },
): Outcome {
  const begun = performance.now();
  const folder = mkdtempSync(join(ROOM, "vicinity-crash-"));
  const { ops, barriers, acks } = trace;
  const kinds = { durable: 0, written: 0, subset: 0, torn: 0 };
  const findings: string[] = [];
  const dice = createDice(options.seed);
  for (const state of crashStates(trace, { ...options, dice })) {
    kinds[state.kind] += 1;
    const found = checkState(scenario, state, folder);
    findings.push(...found.map((text) => `${state.kind}, ${state.acked.length} acks: ${text}`));
    if (findings.length >= MAX_FINDINGS) break;
  }
  rmSync(folder, { recursive: true });
  return {
    ...{ name: scenario.name, kinds, findings },
    ...{ ops: ops.length, barriers: barriers.length, acks: acks.length },
    states: Object.values(kinds).reduce((sum, count) => sum + count, 0),
    elapsed_s: (performance.now() - begun) / 1000,
  };
}

function checkState(scenario: Scenario, { files, acked }: CrashState, folder: string): string[] {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const databases = new Map<string, DatabaseSync>();
  const checked = attempt(() => {
    for (const { file, migrations } of scenario.stores)
      databases.set(file, openDatabase(join(folder, file), migrations));
    const damage = [...databases.values()].flatMap(findDamage);
    return [...damage, ...scenario.check((file) => databases.get(file)!, acked, folder)];
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
