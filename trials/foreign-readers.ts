/**
 * Programs of others read, copy and checkpoint the databases of a service that answers 150 requests
 * a second; it is killed, and nothing that it acknowledged is missing (docs/lab/accounts.md).
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "./arguments.ts";
import { runRounds } from "./foreign-readers/rounds.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { rate: per_s, ...values } = readArguments(args, { rounds: 20, rate: 150 });
  const data_dir = await mkdtemp(join(tmpdir(), "vicinity-foreign-"));
  const figures = await runRounds({ data_dir, rounds: values.rounds, per_s });
  await rm(data_dir, { recursive: true, force: true });
  const { rounds, programs, openings, keys, units, datasets, others, deleted } = figures;
  const { findings } = figures;
  console.log(`  ${rounds} rounds at ${per_s} requests a second, each ended by SIGKILL`);
  console.log(`  ${openings} openings of a database by ${programs.join(", ")}`);
  console.log(`  acknowledged: ${keys} keys, ${units} units, ${datasets} datasets`);
  console.log(`  not answered 200, by status (0: under way at a kill): ${JSON.stringify(others)}`);
  const count = (word: string): number => findings.filter((text) => text.includes(word)).length;
  const whole = count(": check: ") === 0 ? "ok" : "BROKEN";
  console.log(`  deleted descriptors ${deleted}, lost ${count("lost: ")}, integrity ${whole}`);
  for (const text of findings) console.log(`!!! ${text}`);
  return findings.length;
}
