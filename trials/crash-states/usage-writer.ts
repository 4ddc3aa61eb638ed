/** Records usage as the service does, replays among it; acknowledges each event as a reply does. */
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStorage } from "#storage/open-storage.ts";
import { createDice } from "../dice.ts";
import { ACKS } from "./trace.ts";
import { sampleEvents, toAck } from "./usage.ts";

const [data_dir = "", seed = "", work = ""] = process.argv.slice(2);
const acks = openSync(join(data_dir, ACKS), "a");
const storage = openStorage({ data_dir, mode: "sandbox" });
if ("problem" in storage) throw new Error(storage.problem);
const { usage, feeds } = storage;
const events = sampleEvents(Number(seed), Number(work));
const dice = createDice(Number(seed) + 1);

for (let next = 0; next < events.length;) {
  const fresh = events.slice(next, next + dice.integer(1, 6));
  const replayed = dice.pick(events.slice(0, next + 1));
  next += fresh.length;
  // The other connection writes meanwhile, as surveys do.
  if (dice.chance(0.1))
    feeds.putMemo({
      source_id: `feed ${next}`,
      url: "https://feed.example/",
      box: null,
      surveyed_at_ms: next,
      entity_count: next,
    });
  // What is in the journal is moved meanwhile, as it is behind the service.
  if (dice.chance(0.1)) await usage.listUsage({ month: "2026-11" });
  // Some alone, as one reply, and some as those of one pass of the event loop.
  const together = dice.chance(0.5)
    ? [[...fresh, replayed]]
    : [...fresh, replayed].map((event) => [event]);
  for (const group of together) {
    if (!usage.record(group)) throw new Error("refused");
    writeSync(acks, `${toAck(group)}\n`);
  }
  // So that syncs and writes alternate as they do under load.
  await sleep(dice.integer(0, 4));
}
await Promise.all([usage.close(), storage.datasets.close()]);
storage.close();
