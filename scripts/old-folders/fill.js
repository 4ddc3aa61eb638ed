// Runs in the tree of an earlier release: fills its own data folder with usage and datasets, by its
// own storage, and is then killed by itself, as a machine may kill it.
// node fill.js TREE DATA_DIR < {"account_id", "key_id", "at_ms"}
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [tree, data_dir] = process.argv.slice(2);
const { openStorage } = await import(join(tree, "src/storage/open-storage.ts"));
const { account_id, key_id, at_ms } = JSON.parse(readFileSync(0, "utf8"));
const place = { data_dir, mode: "live" };
const DAY_MS = 86_400_000;

const record = async (storage, from, to) => {
  for (let i = from; i < to; i++) {
    const event = {
      event_id: `event-${i}`,
      account_id,
      key_id,
      operation: "nearby",
      units: 1 + (i % 3),
      at_ms,
    };
    // One at a time in the first release, and lists in later ones.
    const takesLists = storage.usage.record.toString().includes("events");
    await storage.usage.record(takesLists ? [event] : event);
  }
};

const first = openStorage(place);
await first.usage.start?.();
await record(first, 0, 40);
const datasets = [];
for (let i = 0; i < 3; i++) {
  const part = (name) => Buffer.from(JSON.stringify({ name, i, filler: "x".repeat(300 * i) }));
  const dataset = {
    id: `dataset-${i}`,
    owner: account_id,
    version: `version-${i}`,
    quota_key: account_id,
    quota_max: null,
    created_at_ms: at_ms,
    expires_at_ms: at_ms + 30 * DAY_MS,
    observation: part("observation"),
    body: part("body"),
  };
  const fate = await first.datasets.put(dataset);
  if (fate !== "stored") throw new Error(`dataset ${i}: ${fate}`);
  const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");
  const { id, observation, body } = dataset;
  datasets.push({ id, observation: digest(observation), body: digest(body) });
}
await Promise.all([first.usage.close(), first.datasets.close(), first.transit.close?.()]);
first.close();

const second = openStorage(place);
await record(second, 40, 50);
const units = Array.from({ length: 50 }, (_, i) => 1 + (i % 3)).reduce((sum, each) => sum + each);
process.stdout.write(JSON.stringify({ units, datasets }), () =>
  process.kill(process.pid, "SIGKILL"),
);
