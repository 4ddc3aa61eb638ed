/**
 * Backups of a service that answers 150 requests a second, restored elsewhere and compared, and
 * backups that are killed, which must leave nothing that looks whole (docs/lab/accounts.md).
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "./arguments.ts";
import { startPostgres } from "../test/support/engines.ts";
import { runRounds } from "./backup/rounds.ts";

export async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args, { rounds: 4, kills: 20, rate: 150, embedded: false });
  const counts = { rounds: values.rounds, kills: values.kills };
  let findings = await runOn("embedded", {
    ...counts,
    per_s: values.rate,
    newDatabase: null,
  });
  const engine = values.embedded ? null : await startPostgres();
  if (engine !== null) {
    const newDatabase = (): Promise<string> => engine.createDatabase();
    findings += await runOn("PostgreSQL", { ...counts, per_s: values.rate, newDatabase });
    await engine.stop();
  }
  return findings;
}

async function runOn(
  name: string,
  options: Omit<Parameters<typeof runRounds>[0], "work">,
): Promise<number> {
  const work = await mkdtemp(join(tmpdir(), "vicinity-backup-trial-"));
  const figures = await runRounds({ ...options, work });
  await rm(work, { recursive: true, force: true });
  const { keys, units, datasets, took_ms, bytes, killed, ended_before, findings } = figures;
  const took = took_ms.map((ms) => (ms / 1000).toFixed(1)).join(", ");
  console.log(`  ${name}, ${options.per_s} requests a second`);
  console.log(`  acknowledged: ${keys} keys, ${units} units, ${datasets} datasets`);
  console.log(
    `  ${options.rounds} backups of ${(bytes / 1e6).toFixed(0)} MB in ${took} s, restored`,
  );
  console.log(`  ${killed} backups killed, ${ended_before} had ended before`);
  for (const text of findings) console.log(`!!! ${name}: ${text}`);
  return findings.length;
}
