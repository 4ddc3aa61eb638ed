/** Puts datasets as the service does, several at once, and forgets the expired; says what is durable. */
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openStorage } from "#storage/open-storage.ts";
import { createDice } from "../dice.ts";
import { FORGETTING, sampleDatasets } from "./datasets.ts";
import { ACKS } from "./trace.ts";

const [data_dir = "", seed = "", work = ""] = process.argv.slice(2);
const acks = openSync(join(data_dir, ACKS), "a");
const storage = openStorage({ data_dir, mode: "sandbox" });
if ("problem" in storage) throw new Error(storage.problem);
const { datasets, usage } = storage;
const all = sampleDatasets(Number(seed), Number(work));
const dice = createDice(Number(seed) + 1);

for (let next = 0; next < all.length;) {
  const some = all.slice(next, next + dice.integer(1, 6));
  const puts = some.map(async (dataset) => {
    if ((await datasets.put(dataset)) !== "stored") throw new Error("refused");
    writeSync(acks, `${dataset.id}\n`);
  });
  // While they are being written, as the timer may.
  if (dice.chance(0.1)) {
    writeSync(acks, `${FORGETTING}${next}\n`);
    if ((await datasets.forget(next)) === "unavailable") throw new Error("not forgotten");
  }
  await Promise.all(puts);
  next += some.length;
}
await Promise.all([usage.close(), datasets.close()]);
storage.close();
