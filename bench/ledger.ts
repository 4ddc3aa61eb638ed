/**
 * npm run bench -- ledger [--seconds N]: events that a ledger takes, in a PostgreSQL of its own whose
 * commits reach the disk, by the size of a batch and by how many replicas apply at once; and while
 * old events are being forgotten.
 */
import { randomBytes } from "node:crypto";
import { readArguments } from "../trials/arguments.ts";
import { createClock } from "#process/clock.ts";
import { toUuidV7 } from "#kit/uuid.ts";
import type { UsageEvent } from "#ports.ts";
import { writeEvents } from "#storage/usage/usage-ledger.ts";
import { PostgresLedger } from "#storage/postgres/ledger.ts";
import { timeOf } from "#storage/store-time.ts";
import { startPostgres } from "../test/support/engines.ts";
import { openStore } from "../test/support/postgres-store.ts";
import { noFault } from "../test/support/faults.ts";

const { seconds } = readArguments(process.argv.slice(2), { seconds: 4 });
const ACCOUNTS = 1_000;
const OLD_MS = 400 * 86_400_000;

const engine = await startPostgres({ durable: true });
if (!engine) throw new Error("the package postgresql is missing");
const store = await openStore(engine);
const clock = createClock();
const ledgers = [1, 2, 3].map(
  () => new PostgresLedger(store.openPool(), { clock, time: timeOf(noFault) }),
);
for (const ledger of ledgers) await ledger.start();

console.log("| replicas | events in a batch | meanwhile | events a second | ms p50 | ms p99 |");
console.log("|---|---|---|---|---|---|");
for (const batch of [100, 500]) await measure(1, batch, "nothing");
await measure(3, 500, "nothing");
await fill();
const forgotten = ledgers[0]!.forget(clock.now() - OLD_MS);
await measure(1, 500, "forgetting");
await forgotten;
for (const ledger of ledgers) await ledger.close();
await store.closeAll();
await engine.stop();

async function measure(replicas: number, batch: number, meanwhile: string): Promise<void> {
  const took: number[] = [];
  const begun = performance.now();
  const apply = async (ledger: PostgresLedger): Promise<void> => {
    while (performance.now() < begun + seconds * 1000) {
      const events = Array.from({ length: batch }, () => sample(clock.now()));
      const at = performance.now();
      if (!(await ledger.apply(writeEvents(events), () => undefined))) throw new Error("refused");
      took.push(performance.now() - at);
    }
  };
  await Promise.all(ledgers.slice(0, replicas).map(apply));
  const rate = Math.round((took.length * batch * 1000) / (performance.now() - begun));
  took.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((q) => took[Math.floor(took.length * q)]!.toFixed(1));
  console.log(`| ${[replicas, batch, meanwhile, rate, p50, p99].join(" | ")} |`);
}

/** Enough to be forgotten for some seconds. */
async function fill(): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    const events = Array.from({ length: 1_000 }, (_, n) => sample(clock.now() - OLD_MS - 1 - n));
    if (!(await ledgers[0]!.apply(writeEvents(events), () => undefined)))
      throw new Error("refused");
  }
}

function sample(at_ms: number): UsageEvent {
  const account = Math.floor(Math.random() * ACCOUNTS);
  const event_id = toUuidV7(at_ms, randomBytes(10)).toHex();
  return {
    event_id,
    account_id: `acc_${account}`,
    key_id: `key_${account}`,
    operation: "getNearby",
    units: 1,
    at_ms,
  };
}
