/** Makes, rotates and revokes keys one after another; says what is durable. */
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openStorage } from "#storage/open-storage.ts";
import { sampleChanges } from "./keys.ts";
import { ACKS } from "./trace.ts";

const [data_dir = "", seed = "", work = ""] = process.argv.slice(2);
const acks = openSync(join(data_dir, ACKS), "a");
const storage = openStorage({ data_dir, mode: "sandbox" });
if ("problem" in storage) throw new Error(storage.problem);
for (const [index, change] of sampleChanges(Number(seed), Number(work)).entries()) {
  change(storage.accounts);
  writeSync(acks, `${index}\n`);
}
await Promise.all([storage.usage.close(), storage.datasets.close()]);
storage.close();
